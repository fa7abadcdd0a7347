//! CAMT.053 (bank statements of ISO 20022; .02, .04, .06, .08 and what is like them) and its sisters .052 and .054, whose
//! entries look alike. Versions differ in a few names only, so elements are known by the end of their path.
//!
//! One booked entry is one transaction, as the statement's balance counts it; the details of a collective booking
//! become its splits. The crate `camt053` was looked at: it refuses a whole file for one bad value, knows no lines, and
//! claims two of the versions.

mod entry;

use std::collections::VecDeque;
use std::io::{BufRead, Read, Seek};

use crate::date;
use crate::markup::{Token, Tokens, attribute};
use crate::money::{self, Currency};
use crate::statement::{Account, Balance, Item, Refused, Steps};
use crate::text::{self, Utf8};
use crate::{Error, Result};
use entry::Entry;

const MAX_DEPTH: usize = 100;

/// Reads item by item. `currency` is the account's, for amounts that don't name one.
pub fn read<R: Read + Seek>(file: R, currency: Option<Currency>) -> Result<Camt<Utf8<R>>> {
    Ok(Camt {
        tokens: Tokens::new(text::open(file, None)?),
        path: Vec::new(),
        text: String::new(),
        attributes: String::new(),
        account: Account::default(),
        announced: true,
        currency,
        balance: None,
        entry: None,
        items: VecDeque::new(),
        seen: false,
        ended: false,
        line: 1,
    })
}

/// See [`read`].
pub struct Camt<R> {
    tokens: Tokens<R>,
    path: Vec<String>,
    /// Of the innermost element.
    text: String,
    attributes: String,
    account: Account,
    announced: bool,
    currency: Option<Currency>,
    balance: Option<Bal>,
    entry: Option<Entry>,
    items: VecDeque<Item>,
    /// Whether there was a statement.
    seen: bool,
    ended: bool,
    line: u64,
}

#[derive(Default)]
struct Bal {
    code: String,
    amount: String,
    currency: Option<Currency>,
    debit: bool,
    date: Option<chrono::NaiveDate>,
}

impl<R: BufRead> Iterator for Camt<R> {
    type Item = Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_item()
    }
}

impl<R: BufRead> Steps for Camt<R> {
    fn step(&mut self) -> Result<()> {
        let Some((token, line)) = self.tokens.next_token()? else { return self.end() };
        self.line = line;
        match token {
            Token::Open { name, attributes } => {
                if self.path.len() >= MAX_DEPTH {
                    return Err(Error::Refused("this is no CAMT file: its elements are too deep".to_owned()));
                }
                self.open(&name);
                self.path.push(name);
                self.text.clear();
                self.attributes = attributes;
            }
            Token::Text(text) => {
                if !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.text.push_str(&text);
            }
            Token::Close { name } => {
                if let Some(at) = self.path.iter().rposition(|open| *open == name) {
                    while self.path.len() > at {
                        self.close();
                        self.path.pop();
                        self.text.clear();
                    }
                }
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

impl<R: BufRead> Camt<R> {
    fn end(&mut self) -> Result<()> {
        self.ended = true;
        if !self.seen {
            return Err(Error::Refused("this is no CAMT file: it has no statement".to_owned()));
        }
        if !self.path.is_empty() {
            let line = self.entry.as_ref().map_or(self.line, |entry| entry.line);
            self.items.push_back(Item::Refused(Refused::new(line, "the file ends in the middle")));
        }
        Ok(())
    }

    fn open(&mut self, name: &str) {
        match name {
            "Stmt" | "Rpt" | "Ntfctn" if self.entry.is_none() => {
                self.seen = true;
                self.account = Account::default();
                self.announced = false;
            }
            "Bal" if self.entry.is_none() => self.balance = Some(Bal::default()),
            "Ntry" if self.entry.is_none() => {
                self.announce();
                self.entry = Some(Entry::new(self.line, self.path.len() + 1));
            }
            "TxDtls" => {
                if let Some(entry) = &mut self.entry {
                    entry.begin_detail();
                }
            }
            _ => {}
        }
    }

    fn announce(&mut self) {
        if !std::mem::replace(&mut self.announced, true) {
            self.items.push_back(Item::Account(self.account.clone()));
        }
    }

    /// The innermost element ends.
    fn close(&mut self) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        if let Some(entry) = &mut self.entry {
            if path.len() > entry.depth {
                entry.set(&path[entry.depth..], self.text.trim(), attribute(&self.attributes, "Ccy"));
                return;
            }
            let entry = self.entry.take();
            self.items.extend(entry.map(|entry| entry.finish(self.account.currency.or(self.currency))));
            return;
        }
        let text = self.text.trim();
        match path.as_slice() {
            [.., "Stmt" | "Rpt" | "Ntfctn"] => self.announce(),
            [.., "Bal"] => self.close_balance(),
            [.., "Stmt" | "Rpt" | "Ntfctn", "Acct", "Id", "IBAN"] => self.account.id = some(text),
            [.., "Stmt" | "Rpt" | "Ntfctn", "Acct", "Id", "Othr", "Id"] if self.account.id.is_none() => {
                self.account.id = some(text);
            }
            [.., "Stmt" | "Rpt" | "Ntfctn", "Acct", "Ccy"] => self.account.currency = Currency::parse(text),
            [.., "Acct", "Tp", "Cd"] => self.account.kind = some(text),
            [.., "Acct", "Svcr", "FinInstnId", "BIC" | "BICFI"] => self.account.bank = some(text),
            path => {
                let currency = attribute(&self.attributes, "Ccy").and_then(Currency::parse);
                let below = path.iter().rposition(|name| *name == "Bal").map(|at| &path[at + 1..]);
                if let (Some(balance), Some(below)) = (&mut self.balance, below) {
                    balance.set(below, text, currency);
                }
            }
        }
    }

    fn close_balance(&mut self) {
        let Some(balance) = self.balance.take() else { return };
        let make = match balance.code.as_str() {
            "CLBD" => Item::Closing,
            "OPBD" | "PRCD" => Item::Opening,
            _ => return,
        };
        self.announce();
        let currency = balance.currency.or(self.account.currency).or(self.currency);
        let amount = currency.map(|currency| (currency, money::parse_exact(&balance.amount, currency)));
        self.items.push_back(match amount {
            Some((currency, Ok(exact))) => {
                let amount = if balance.debit { -exact.minor } else { exact.minor };
                make(Balance { amount, currency, date: balance.date })
            }
            _ => Item::Refused(Refused::new(
                self.line,
                format!("the balance “{}” can't be read", balance.amount),
            )),
        });
    }
}

impl Bal {
    fn set(&mut self, path: &[&str], text: &str, currency: Option<Currency>) {
        match path {
            ["Tp", "CdOrPrtry", "Cd"] => self.code = text.to_owned(),
            ["Amt"] => {
                self.amount = text.to_owned();
                self.currency = currency;
            }
            ["CdtDbtInd"] => self.debit = text == "DBIT",
            ["Dt", "Dt" | "DtTm"] => self.date = date::parse_iso(text),
            _ => {}
        }
    }
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
