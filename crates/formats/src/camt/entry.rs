//! One entry of a CAMT statement, and the details of what was booked with it.

use chrono::NaiveDate;

use crate::date;
use crate::money::{self, Currency};
use crate::statement::{Foreign, Item, Refused, Split, Status, Transaction, iban};

/// A collective booking with more details has none that we keep.
const MAX_DETAILS: usize = 20_000;

pub(super) struct Entry {
    pub line: u64,
    /// How deep its own element is.
    pub depth: usize,
    own: Detail,
    details: Vec<Detail>,
    too_many: bool,
    reference: Option<String>,
    status: String,
    booked: Day,
    value: Day,
    remark: Option<String>,
}

/// A day as written, as it may be no day.
#[derive(Default)]
struct Day(Option<String>);

impl Day {
    fn date(&self) -> Option<NaiveDate> {
        self.0.as_deref().and_then(date::parse_iso)
    }
}

#[derive(Default)]
struct Detail {
    amount: Option<(String, Option<Currency>)>,
    debit: Option<bool>,
    servicer_reference: Option<String>,
    end_to_end: Option<String>,
    structured: Option<String>,
    remittance: Vec<String>,
    remark: Option<String>,
    debtor: Party,
    creditor: Party,
    instructed: Option<(String, Option<Currency>)>,
    rate: Option<String>,
}

#[derive(Default)]
struct Party {
    name: Option<String>,
    iban: Option<String>,
}

fn is_reference(text: &str) -> bool {
    !text.is_empty()
        && !["NONREF", "NOTPROVIDED", "NOT PROVIDED", "NONE"].contains(&text.to_uppercase().as_str())
}

impl Entry {
    pub(super) fn new(line: u64, depth: usize) -> Self {
        Self {
            line,
            depth,
            own: Detail::default(),
            details: Vec::new(),
            too_many: false,
            reference: None,
            status: String::new(),
            booked: Day::default(),
            value: Day::default(),
            remark: None,
        }
    }

    pub(super) fn begin_detail(&mut self) {
        match self.details.len() < MAX_DETAILS {
            true => self.details.push(Detail::default()),
            false => self.too_many = true,
        }
    }

    /// An element below the entry ends; its path is below the entry's.
    pub(super) fn set(&mut self, path: &[&str], text: &str, currency: Option<&str>) {
        if text.is_empty() {
            return;
        }
        let currency = currency.and_then(Currency::parse);
        if let Some(at) = path.iter().position(|name| *name == "TxDtls") {
            if let Some(detail) = self.details.last_mut().filter(|_| !self.too_many) {
                detail.set(&path[at + 1..], text, currency);
            }
            return;
        }
        match path {
            ["NtryRef"] => self.reference = Some(text.to_owned()),
            ["Sts"] | ["Sts", "Cd"] => self.status = text.to_owned(),
            ["BookgDt", "Dt" | "DtTm"] => self.booked.0 = Some(text.to_owned()),
            ["ValDt", "Dt" | "DtTm"] => self.value.0 = Some(text.to_owned()),
            ["AcctSvcrRef"] => {
                self.own.servicer_reference = Some(text.to_owned()).filter(|text| is_reference(text))
            }
            ["AddtlNtryInf"] => self.remark = Some(text.to_owned()),
            path => self.own.set(path, text, currency),
        }
    }

    pub(super) fn finish(self, account: Option<Currency>) -> Item {
        match self.transaction(account) {
            Ok(transaction) => Item::Transaction(Box::new(transaction)),
            Err(reason) => Item::Refused(Refused::new(self.line, reason)),
        }
    }

    fn transaction(&self, account: Option<Currency>) -> Result<Transaction, String> {
        if self.status == "INFO" {
            return Err("the entry is for information only, not booked".to_owned());
        }
        let (written, currency) = self.own.amount.as_ref().ok_or("the entry has no amount")?;
        let currency = currency.or(account).ok_or("the amount has no currency that we know")?;
        let exact = money::parse_exact(written, currency)
            .map_err(|wrong| format!("the amount “{written}” {wrong}"))?;
        let debit = self.own.debit.ok_or("the entry does not say whether it is a debit or a credit")?;
        let amount = if debit { -exact.minor } else { exact.minor };
        let booked = match (&self.booked, &self.value) {
            (Day(Some(text)), _) | (Day(None), Day(Some(text))) => {
                date::parse_iso(text).ok_or_else(|| format!("“{text}” is not a date"))?
            }
            _ => return Err("the entry has no date".to_owned()),
        };
        let detail = match self.details.as_slice() {
            [only] => only,
            _ => &self.own,
        };
        let party = if debit { &detail.creditor } else { &detail.debtor };
        let memo = detail.memo().or_else(|| self.remark.clone());
        let own = |detail: &Detail| detail.servicer_reference.clone();
        Ok(Transaction {
            source_id: own(&self.own).or_else(|| own(detail)).or_else(|| self.entry_reference()),
            value_date: self.value.date(),
            payee: party.name.clone(),
            memo,
            reference: detail.structured.clone().or_else(|| detail.end_to_end.clone()),
            counterparty_iban: party.iban.clone(),
            status: if matches!(self.status.as_str(), "PDNG" | "FUTR") {
                Status::Pending
            } else {
                Status::Booked
            },
            foreign: detail.foreign(currency).or_else(|| self.own.foreign(currency)),
            splits: self.splits(amount, currency, debit),
            rounded_from: exact.rounded_from,
            ..Transaction::new(self.line, booked, amount, currency)
        })
    }

    /// Many banks number entries from 1 in each statement: that is no id.
    fn entry_reference(&self) -> Option<String> {
        let is_id = |text: &String| {
            is_reference(text) && (text.len() > 5 || !text.bytes().all(|b| b.is_ascii_digit()))
        };
        self.reference.clone().filter(is_id)
    }

    /// The parts of a collective booking, if they make the whole.
    fn splits(&self, amount: i64, currency: Currency, debit: bool) -> Vec<Split> {
        if self.details.len() < 2 || self.too_many {
            return Vec::new();
        }
        let split = |detail: &Detail| {
            let (written, own) = detail.amount.as_ref()?;
            if own.is_some_and(|own| own != currency) {
                return None;
            }
            let part = money::parse_exact(written, currency).ok()?.minor;
            let debit = detail.debit.unwrap_or(debit);
            let party = if debit { &detail.creditor } else { &detail.debtor };
            let words = [party.name.clone(), detail.memo().or_else(|| detail.structured.clone())];
            let words: Vec<String> = words.into_iter().flatten().collect();
            let memo = (!words.is_empty()).then(|| words.join(": "));
            Some(Split { category: None, memo, amount: if debit { -part } else { part } })
        };
        let splits: Vec<Split> = self.details.iter().map_while(split).collect();
        let sum = splits.iter().try_fold(0i64, |sum, split| sum.checked_add(split.amount));
        if splits.len() == self.details.len() && sum == Some(amount) { splits } else { Vec::new() }
    }
}

impl Detail {
    fn set(&mut self, path: &[&str], text: &str, currency: Option<Currency>) {
        let owned = || Some(text.to_owned());
        match path {
            ["Amt"] => self.amount = Some((text.to_owned(), currency)),
            ["AmtDtls", "TxAmt", "Amt"] if self.amount.is_none() => {
                self.amount = Some((text.to_owned(), currency))
            }
            ["AmtDtls", "InstdAmt", "Amt"] => self.instructed = Some((text.to_owned(), currency)),
            ["AmtDtls", .., "CcyXchg", "XchgRate"] => self.rate = owned(),
            ["CdtDbtInd"] => self.debit = Some(text == "DBIT"),
            ["Refs", "AcctSvcrRef"] => self.servicer_reference = owned().filter(|text| is_reference(text)),
            ["Refs", "EndToEndId"] => self.end_to_end = owned().filter(|text| is_reference(text)),
            ["RmtInf", "Ustrd"] => self.remittance.push(text.to_owned()),
            ["RmtInf", "Strd", "CdtrRefInf", "Ref"] => self.structured = owned(),
            ["AddtlTxInf"] => self.remark = owned(),
            ["RltdPties", "Dbtr", .., "Nm"] => self.debtor.name = owned(),
            ["RltdPties", "Cdtr", .., "Nm"] => self.creditor.name = owned(),
            ["RltdPties", "UltmtDbtr", .., "Nm"] if self.debtor.name.is_none() => self.debtor.name = owned(),
            ["RltdPties", "UltmtCdtr", .., "Nm"] if self.creditor.name.is_none() => {
                self.creditor.name = owned()
            }
            ["RltdPties", "DbtrAcct", "Id", "IBAN"] => self.debtor.iban = iban(text),
            ["RltdPties", "CdtrAcct", "Id", "IBAN"] => self.creditor.iban = iban(text),
            _ => {}
        }
    }

    fn memo(&self) -> Option<String> {
        match self.remittance.is_empty() {
            false => Some(self.remittance.join(" ")),
            true => self.remark.clone(),
        }
    }

    fn foreign(&self, account: Currency) -> Option<Foreign> {
        let (written, currency) = self.instructed.as_ref()?;
        let currency = currency.filter(|currency| *currency != account)?;
        let amount = money::parse_exact(written, currency).ok().map(|exact| exact.minor);
        Some(Foreign { amount, currency, rate: self.rate.clone() })
    }
}
