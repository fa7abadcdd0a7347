//! OFX and QFX: 1.x (SGML, where elements are often not closed) and 2.x (XML); bank, credit card and, of investment
//! statements, what moves cash. What is hard: banks write it by hand. So elements are known by their names, never by
//! where the standard wants them, and one transaction that can't be read leaves the others.
//!
//! `ofx-rs` was looked at: it refuses the whole file for one bad value and knows no lines.

mod transaction;

use std::collections::VecDeque;
use std::io::{BufRead, Read, Seek};

use crate::csv::Question;
use crate::date;
use crate::markup::{Token, Tokens};
use crate::money::{self, Currency};
use crate::statement::{Account, Balance, Item, Refused, Steps};
use crate::text::{self, Utf8};
use crate::{Error, Result};
use transaction::Found;

const MAX_DEPTH: usize = 100;

/// Elements that hold text and nothing else. They need no end, and an empty one must not swallow what follows it.
const LEAVES: &[&str] = &[
    "ACCTID",
    "ACCTTYPE",
    "AVAILCASH",
    "BALAMT",
    "BANKID",
    "BRANCHID",
    "BROKERID",
    "CHECKNUM",
    "CODE",
    "CURDEF",
    "CURRATE",
    "CURSYM",
    "DTASOF",
    "DTAVAIL",
    "DTPOSTED",
    "DTSETTLE",
    "DTTRADE",
    "DTTRAN",
    "DTUSER",
    "FITID",
    "INCOMETYPE",
    "MEMO",
    "MESSAGE",
    "NAME",
    "REFNUM",
    "SEVERITY",
    "TOTAL",
    "TRNAMT",
    "TRNTYPE",
    "UNIQUEID",
];

/// Reads item by item. `currency` is the account's, for files that don't name one.
pub fn read<R: Read + Seek>(file: R, currency: Option<Currency>) -> Result<Ofx<Utf8<R>>> {
    Ok(Ofx {
        tokens: Tokens::new(text::open(file, None)?),
        stack: Vec::new(),
        leaf: None,
        had_text: false,
        account: Account::default(),
        announced: true,
        as_of: None,
        currency,
        found: None,
        balance: (None, None),
        status: (None, None),
        items: VecDeque::new(),
        seen: false,
        ended: false,
        line: 1,
    })
}

/// See [`read`].
pub struct Ofx<R> {
    tokens: Tokens<R>,
    /// The open elements that are no leaves.
    stack: Vec<String>,
    leaf: Option<(String, String)>,
    /// Whether the text of the innermost element was seen.
    had_text: bool,
    account: Account,
    /// Whether `account` was given out.
    announced: bool,
    as_of: Option<chrono::NaiveDate>,
    currency: Option<Currency>,
    found: Option<Found>,
    /// Amount and day of the balance that is being read.
    balance: (Option<String>, Option<String>),
    /// Severity and message of the answer that is being read.
    status: (Option<String>, Option<String>),
    items: VecDeque<Item>,
    /// Whether there was an `<OFX>`.
    seen: bool,
    ended: bool,
    line: u64,
}

impl<R: BufRead> Iterator for Ofx<R> {
    type Item = Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_item()
    }
}

impl<R: BufRead> Steps for Ofx<R> {
    fn step(&mut self) -> Result<()> {
        let Some((token, line)) = self.tokens.next_token()? else { return self.end() };
        self.line = line;
        match token {
            Token::Open { name, .. } => {
                self.end_leaf();
                let name = name.to_ascii_uppercase();
                self.had_text = false;
                self.end_unclosed(&name)?;
                if LEAVES.contains(&name.as_str()) {
                    self.leaf = Some((name, String::new()));
                } else if self.stack.len() < MAX_DEPTH {
                    self.open(&name, line);
                    self.stack.push(name);
                }
            }
            Token::Text(text) => match &mut self.leaf {
                Some((_, value)) => {
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(&text);
                }
                // An element that we don't know holds text: it was no parent, and may not be closed.
                None if self.seen && self.stack.len() > 1 && !std::mem::replace(&mut self.had_text, true) => {
                    self.stack.pop();
                }
                None => {}
            },
            Token::Close { name } => {
                self.end_leaf();
                // What is left of an element whose text took it from the stack is no end of a parent.
                self.had_text = true;
                self.close_all(&name.to_ascii_uppercase())?;
            }
        }
        Ok(())
    }

    fn items(&mut self) -> &mut VecDeque<Item> {
        &mut self.items
    }

    fn ended(&mut self) -> &mut bool {
        &mut self.ended
    }
}

impl<R: BufRead> Ofx<R> {
    /// Closes the innermost element of this name, and what is open in it.
    fn close_all(&mut self, name: &str) -> Result<()> {
        let Some(at) = self.stack.iter().rposition(|open| open == name) else { return Ok(()) };
        while self.stack.len() > at {
            if let Some(name) = self.stack.pop() {
                self.close(&name)?;
            }
        }
        Ok(())
    }

    /// A transaction begins where another is still open: that one has no end of its own.
    fn end_unclosed(&mut self, next: &str) -> Result<()> {
        match &self.found {
            Some(open) if Found::begins(next, self.line).is_some() => {
                let name = open.aggregate.clone();
                self.close_all(&name)
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> Result<()> {
        self.ended = true;
        self.end_leaf();
        if !self.seen {
            return Err(Error::Refused("this is no OFX file: it has no <OFX>".to_owned()));
        }
        self.announce();
        if let Some(found) = self.found.take() {
            self.items
                .push_back(Item::Refused(Refused::new(found.line, "the file ends in this transaction")));
        }
        Ok(())
    }

    fn open(&mut self, name: &str, line: u64) {
        match name {
            "OFX" => self.seen = true,
            "STMTRS" => self.begin(None),
            "CCSTMTRS" => self.begin(Some("CREDITCARD")),
            "INVSTMTRS" => self.begin(Some("INVESTMENT")),
            "LEDGERBAL" | "INVBAL" => self.balance = (None, None),
            "STATUS" => self.status = (None, None),
            _ if self.found.is_none() => self.found = Found::begins(name, line),
            _ => {}
        }
    }

    fn begin(&mut self, kind: Option<&str>) {
        self.account = Account { kind: kind.map(str::to_owned), ..Account::default() };
        self.announced = false;
        self.as_of = None;
        self.found = None;
    }

    /// The account goes before the first of what belongs to it.
    fn announce(&mut self) {
        if !std::mem::replace(&mut self.announced, true) {
            self.items.push_back(Item::Account(self.account.clone()));
        }
    }

    fn end_leaf(&mut self) {
        let Some((name, value)) = self.leaf.take() else { return };
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let parent = self.stack.last().map_or("", String::as_str);
        if let Some(found) = &mut self.found {
            found.set(parent, &name, value);
            return;
        }
        let value = value.to_owned();
        match (parent, name.as_str()) {
            (_, "CURDEF") => self.account.currency = Currency::parse(&value),
            ("BANKACCTFROM" | "CCACCTFROM" | "INVACCTFROM", "ACCTID") => self.account.id = Some(value),
            ("BANKACCTFROM" | "INVACCTFROM", "BANKID" | "BROKERID") => self.account.bank = Some(value),
            ("BANKACCTFROM", "ACCTTYPE") => self.account.kind = Some(value),
            ("LEDGERBAL", "BALAMT") | ("INVBAL", "AVAILCASH") => self.balance.0 = Some(value),
            ("LEDGERBAL", "DTASOF") => self.balance.1 = Some(value),
            ("INVSTMTRS", "DTASOF") => self.as_of = date::parse_iso(&value),
            ("STATUS", "SEVERITY") => self.status.0 = Some(value),
            ("STATUS", "MESSAGE") => self.status.1 = Some(value),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) -> Result<()> {
        match name {
            "STATUS" if self.status.0.as_deref() == Some("ERROR") => {
                let message = self.status.1.take().unwrap_or_else(|| "no reason given".to_owned());
                self.items
                    .push_back(Item::Refused(Refused::new(self.line, format!("the bank says: {message}"))));
            }
            "LEDGERBAL" | "INVBAL" => self.close_balance(),
            "STMTRS" | "CCSTMTRS" | "INVSTMTRS" => self.announce(),
            _ if self.found.as_ref().is_some_and(|found| found.aggregate == name) => {
                self.announce();
                if let Some(found) = self.found.take() {
                    let currency = self.account.currency.or(self.currency);
                    let currency = found.currency().or(currency);
                    let currency = currency.ok_or_else(|| Error::NeedsMapping(vec![Question::Currency]))?;
                    self.items.extend(found.finish(currency));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn close_balance(&mut self) {
        let (Some(amount), day) = std::mem::take(&mut self.balance) else { return };
        let Some(currency) = self.account.currency.or(self.currency) else { return };
        self.announce();
        self.items.push_back(match money::parse_exact(&amount, currency) {
            Ok(exact) => {
                let date = day.as_deref().and_then(date::parse_iso).or(self.as_of);
                Item::Closing(Balance { amount: exact.minor, currency, date })
            }
            Err(wrong) => Item::Refused(Refused::new(self.line, format!("the balance “{amount}” {wrong}"))),
        });
    }
}

#[cfg(test)]
mod tests;
