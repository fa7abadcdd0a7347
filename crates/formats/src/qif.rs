//! QIF, Quicken's old format. It names no currency, and its dates and amounts are written as the country does: so it is
//! read twice, as CSV is, and what the whole file can't tell is asked ([`inspect`]).

mod record;

use std::collections::VecDeque;
use std::io::{BufRead, Read, Seek};

use crate::csv::{Guess, Mapping, Options, Question};
use crate::date::DateColumn;
use crate::money::{AmountColumn, Decided};
use crate::statement::{Account, Item, Refused, Steps};
use crate::text::{self, Lines, Utf8};
use crate::{Error, Result};
use record::{Record, Rules};

/// More lines are no transaction.
const MAX_LINES: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Section {
    /// Transactions; the account's type as the file says it.
    Transactions(String),
    Investments,
    Account,
    /// Categories, classes, securities, prices: nothing that we take.
    Other,
    /// No header yet.
    None,
}

impl Section {
    fn of(header: &str) -> Option<Self> {
        let header = header.trim();
        let lower = header.to_lowercase().replace(' ', "");
        Some(match lower.strip_prefix("!type:") {
            Some("bank" | "cash" | "ccard" | "otha" | "othl" | "invoice") => {
                Self::Transactions(header[6..].trim().to_owned())
            }
            Some("invst") => Self::Investments,
            Some(_) => Self::Other,
            None if lower == "!account" => Self::Account,
            // Options change nothing.
            None if lower.starts_with("!option:") || lower.starts_with("!clear:") => return None,
            None => Self::Other,
        })
    }

    fn has_transactions(&self) -> bool {
        matches!(self, Self::Transactions(_) | Self::Investments)
    }
}

/// Reads the whole file once, for the order of its dates and for its decimal sign. Of a kept mapping, what it says
/// holds unless this file can't be read so.
pub fn inspect<R: Read + Seek>(file: R, kept: Option<&Mapping>, options: &Options) -> Result<Guess> {
    let mut lines = Lines::new(text::open(file, kept.and_then(|kept| kept.encoding.as_deref()))?);
    let (mut dates, mut amounts) = (DateColumn::default(), AmountColumn::default());
    let mut section = Section::None;
    while let Some((_, line)) = lines.next_line()? {
        if line.starts_with('!') {
            section = Section::of(&line).unwrap_or(section);
            continue;
        }
        let mut chars = line.chars();
        match (chars.next(), section.has_transactions()) {
            (Some('D'), true) => dates.look_at(chars.as_str()),
            (Some('T' | 'U' | '$'), true) => amounts.look_at(chars.as_str()),
            _ => {}
        }
    }
    if section == Section::None {
        return Err(no_qif());
    }
    let mut mapping = kept.cloned().unwrap_or_default();
    let mut questions = Vec::new();
    mapping.currency = mapping.currency.or(options.currency);
    if mapping.currency.is_none() {
        questions.push(Question::Currency);
    }
    match (dates.decide(), mapping.date_order) {
        (Decided::Known(order), None) => mapping.date_order = Some(order),
        (_, Some(order)) if !dates.contradicts(order) => {}
        _ => {
            mapping.date_order = None;
            questions.push(Question::DateOrder { samples: dates.samples });
        }
    }
    match (amounts.decide(mapping.currency), mapping.decimal_sign) {
        (Decided::Known(sign), None) => mapping.decimal_sign = Some(sign),
        (_, Some(sign)) if !amounts.contradicts(sign) => {}
        _ => {
            mapping.decimal_sign = None;
            questions.push(Question::DecimalSign { samples: amounts.samples });
        }
    }
    Ok(Guess { mapping, questions })
}

fn no_qif() -> Error {
    Error::Refused("this is no QIF file: no line begins with !Type or !Account".to_owned())
}

/// Reads item by item, by a mapping whose questions are answered.
pub fn read<R: Read + Seek>(file: R, mapping: &Mapping, options: &Options) -> Result<Qif<Utf8<R>>> {
    let (currency, order, decimal) =
        match (mapping.currency.or(options.currency), mapping.date_order, mapping.decimal_sign) {
            (Some(currency), Some(order), Some(decimal)) => (currency, order, decimal),
            (currency, order, decimal) => {
                let samples = Vec::new;
                let questions = [
                    currency.is_none().then_some(Question::Currency),
                    order.is_none().then(|| Question::DateOrder { samples: samples() }),
                    decimal.is_none().then(|| Question::DecimalSign { samples: samples() }),
                ];
                return Err(Error::NeedsMapping(questions.into_iter().flatten().collect()));
            }
        };
    Ok(Qif {
        lines: Lines::new(text::open(file, mapping.encoding.as_deref())?),
        rules: Rules { currency, order, decimal },
        section: Section::None,
        record: Record::default(),
        account: None,
        announced: None,
        items: VecDeque::new(),
        ended: false,
    })
}

/// See [`read`].
pub struct Qif<R> {
    lines: Lines<R>,
    rules: Rules,
    section: Section,
    record: Record,
    /// As the last `!Account` said.
    account: Option<Account>,
    /// The account that was given out last.
    announced: Option<Account>,
    items: VecDeque<Item>,
    ended: bool,
}

impl<R: BufRead> Iterator for Qif<R> {
    type Item = Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_item()
    }
}

impl<R: BufRead> Steps for Qif<R> {
    fn step(&mut self) -> Result<()> {
        if let Some((number, line)) = self.lines.next_line()? {
            self.line(number, &line);
            return Ok(());
        }
        self.ended = true;
        self.end_record();
        match self.section == Section::None && self.items.is_empty() {
            true => Err(no_qif()),
            false => Ok(()),
        }
    }

    fn items(&mut self) -> &mut VecDeque<Item> {
        &mut self.items
    }

    fn ended(&mut self) -> &mut bool {
        &mut self.ended
    }
}

impl<R: BufRead> Qif<R> {
    fn line(&mut self, number: u64, line: &str) {
        let line = line.trim_end();
        match line.chars().next() {
            None | Some('#') => {}
            Some('!') => {
                // A header without the `^` before it.
                self.end_record();
                if let Some(section) = Section::of(line) {
                    self.section = section;
                }
            }
            Some('^') => self.end_record(),
            Some(code) => {
                if self.record.lines.is_empty() {
                    self.record.line = number;
                }
                if self.record.lines.len() < MAX_LINES {
                    self.record.lines.push((code, line[code.len_utf8()..].trim().to_owned()));
                }
            }
        }
    }

    fn end_record(&mut self) {
        let record = std::mem::take(&mut self.record);
        if record.lines.is_empty() {
            return;
        }
        let kind = match &self.section {
            Section::Account => {
                self.account = Some(record.account(self.rules.currency));
                let closing = record.balance(self.rules);
                if closing.is_some() {
                    self.announce(None);
                    self.items.extend(closing);
                }
                return;
            }
            Section::Other => return,
            Section::None => {
                let refused = Refused::new(record.line, "these lines come before any !Type");
                return self.items.push_back(Item::Refused(refused));
            }
            Section::Transactions(kind) => Some(kind.clone()),
            Section::Investments => None,
        };
        let item = match &kind {
            Some(_) => Some(record.transaction(self.rules)),
            None => record.investment(self.rules).transpose(),
        };
        self.announce(Some(kind.unwrap_or_else(|| "Invst".to_owned())));
        self.items.extend(item.map(|item| match item {
            Ok(transaction) => Item::Transaction(Box::new(transaction)),
            Err(reason) => Item::Refused(Refused::new(record.line, reason)),
        }));
    }

    /// Says whose the next transaction is, if that has changed.
    fn announce(&mut self, kind: Option<String>) {
        let mut account = self.account.clone().unwrap_or_default();
        account.currency = Some(self.rules.currency);
        account.kind = account.kind.or(kind);
        if self.announced.as_ref() != Some(&account) {
            self.items.push_back(Item::Account(account.clone()));
            self.announced = Some(account);
        }
    }
}

#[cfg(test)]
mod tests;
