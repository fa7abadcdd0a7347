//! One transaction of an OFX file: its elements as they come, and what they mean.

use std::collections::HashMap;

use crate::date;
use crate::money::{self, Currency};
use crate::statement::{Activity, Foreign, Item, Refused, Status, Transaction, iban};

/// Purchases and sales: money against shares.
const TRADES: &[&str] = &[
    "BUYDEBT",
    "BUYMF",
    "BUYOPT",
    "BUYOTHER",
    "BUYSTOCK",
    "SELLDEBT",
    "SELLMF",
    "SELLOPT",
    "SELLOTHER",
    "SELLSTOCK",
];
/// What else moves the cash of an investment account. Reinvestments and transfers of shares move none.
const INCOME: &[&str] = &["INCOME", "INVEXPENSE", "MARGININTEREST", "RETOFCAP"];

pub(super) struct Found {
    pub aggregate: String,
    pub line: u64,
    values: HashMap<String, String>,
}

impl Found {
    /// If an element is a transaction.
    pub(super) fn begins(name: &str, line: u64) -> Option<Self> {
        let is_one =
            matches!(name, "STMTTRN" | "STMTTRNP") || TRADES.contains(&name) || INCOME.contains(&name);
        is_one.then(|| Self { aggregate: name.to_owned(), line, values: HashMap::new() })
    }

    /// Of what is given twice the first holds. Names within a payee, a currency or another account are kept apart.
    pub(super) fn set(&mut self, parent: &str, name: &str, value: &str) {
        let key = match parent {
            "PAYEE" | "CURRENCY" | "ORIGCURRENCY" | "BANKACCTTO" | "CCACCTTO" => format!("{parent}.{name}"),
            _ => name.to_owned(),
        };
        self.values.entry(key).or_insert_with(|| value.to_owned());
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// The currency that the amount is in, where it is not the account's.
    pub(super) fn currency(&self) -> Option<Currency> {
        self.get("CURRENCY.CURSYM").and_then(Currency::parse)
    }

    pub(super) fn finish(self, currency: Currency) -> Option<Item> {
        let is_investment = !self.aggregate.starts_with("STMTTRN");
        let Some(written) = self.get("TRNAMT").or(self.get("TOTAL")) else {
            // Without a total it moves no cash.
            let refused = || Item::Refused(Refused::new(self.line, "the transaction has no amount"));
            return (!is_investment).then(refused);
        };
        let amount = match money::parse_exact(written, currency) {
            Ok(amount) => amount,
            Err(wrong) => return Some(self.refused(format!("the amount “{written}” {wrong}"))),
        };
        let booked = match self.get("DTPOSTED").or(self.get("DTTRAN")).or(self.get("DTTRADE")) {
            None => return Some(self.refused("the transaction has no date".to_owned())),
            Some(text) => match date::parse_iso(text) {
                None => return Some(self.refused(format!("“{text}” is not a date"))),
                Some(date) => date,
            },
        };
        let owned = |key: &str| self.get(key).map(str::to_owned);
        let foreign = self.get("ORIGCURRENCY.CURSYM").and_then(Currency::parse);
        let status = if self.aggregate == "STMTTRNP" { Status::Pending } else { Status::Booked };
        let activity = match TRADES.contains(&self.aggregate.as_str()) {
            true => Activity::Trade,
            false => Activity::Payment,
        };
        Some(Item::Transaction(Box::new(Transaction {
            source_id: owned("FITID"),
            value_date: self.get("DTAVAIL").or(self.get("DTSETTLE")).and_then(date::parse_iso),
            payee: owned("NAME").or_else(|| owned("PAYEE.NAME")),
            memo: owned("MEMO"),
            reference: owned("CHECKNUM")
                .filter(|number| !number.trim_matches('0').is_empty())
                .or_else(|| owned("REFNUM")),
            counterparty_iban: self.get("BANKACCTTO.ACCTID").and_then(iban),
            status,
            activity,
            foreign: foreign.map(|currency| Foreign {
                amount: None,
                currency,
                rate: owned("ORIGCURRENCY.CURRATE"),
            }),
            rounded_from: amount.rounded_from,
            ..Transaction::new(self.line, booked, amount.minor, currency)
        })))
    }

    fn refused(&self, reason: String) -> Item {
        Item::Refused(Refused::new(self.line, reason))
    }
}
