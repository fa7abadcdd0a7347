//! What the files of banks hold, whatever their format: statements of accounts with transactions and balances.

use std::collections::VecDeque;

pub use baton_core::data::duplicates::{Activity, Status};
use chrono::NaiveDate;
use serde::Serialize;

use crate::money::Currency;

/// A row, or what stands for one, that was not taken: where it is and why, for people to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// From 1.
    pub line: u64,
    pub reason: String,
}

impl Refused {
    pub fn new(line: u64, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// What a file of a bank gives, in this order per account: `Account`, then the rest as it comes.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A statement begins; what follows belongs to this account.
    Account(Account),
    Transaction(Box<Transaction>),
    Opening(Balance),
    Closing(Balance),
    Refused(Refused),
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Account {
    /// An IBAN, or the number that the bank gives it.
    pub id: Option<String>,
    /// The bank's own number, where the account's alone is not unique.
    pub bank: Option<String>,
    /// As the file says it: `CHECKING`, `SAVINGS`, `CREDITCARD`, `INVESTMENT`, `Bank`.
    pub kind: Option<String>,
    pub currency: Option<Currency>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Balance {
    /// In minor units of `currency`; money owed is negative.
    pub amount: i64,
    pub currency: Currency,
    pub date: Option<NaiveDate>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Transaction {
    /// The number of its first line in the file, from 1.
    pub line: u64,
    /// The bank's own id, unique within the account if the bank keeps its word.
    pub source_id: Option<String>,
    pub booked: NaiveDate,
    pub value_date: Option<NaiveDate>,
    /// In minor units of `currency`; money that leaves the account is negative.
    pub amount: i64,
    pub currency: Currency,
    pub payee: Option<String>,
    pub memo: Option<String>,
    pub reference: Option<String>,
    pub category: Option<String>,
    pub counterparty_iban: Option<String>,
    pub status: Status,
    pub activity: Activity,
    pub foreign: Option<Foreign>,
    pub splits: Vec<Split>,
    /// The amount as it was written, where it had more decimals than the currency has.
    pub rounded_from: Option<String>,
    /// What only a table tells.
    pub own: Option<Box<Own>>,
}

/// What a row of a table says beyond a bank's own files; most of it stands only in files that Baton wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Own {
    pub row_id: Option<String>,
    /// The account's name or number.
    pub account: Option<String>,
    pub account_id: Option<String>,
    pub category_id: Option<String>,
    pub transfer: Option<String>,
    pub notes: Option<String>,
}

/// The amount in the currency that was paid in, and the rate as the bank wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Foreign {
    /// OFX tells only the rate.
    pub amount: Option<i64>,
    pub currency: Currency,
    pub rate: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Split {
    pub category: Option<String>,
    pub memo: Option<String>,
    pub amount: i64,
}

impl Transaction {
    pub fn new(line: u64, booked: NaiveDate, amount: i64, currency: Currency) -> Self {
        Self {
            line,
            source_id: None,
            booked,
            value_date: None,
            amount,
            currency,
            payee: None,
            memo: None,
            reference: None,
            category: None,
            counterparty_iban: None,
            status: Status::Booked,
            activity: Activity::Payment,
            foreign: None,
            splits: Vec::new(),
            rounded_from: None,
            own: None,
        }
    }
}

/// A format that is read step by step; a step gives out none, one or several items.
pub(crate) trait Steps {
    fn step(&mut self) -> crate::Result<()>;
    /// What steps have given and nobody has taken yet.
    fn items(&mut self) -> &mut VecDeque<Item>;
    /// Set once nothing more comes.
    fn ended(&mut self) -> &mut bool;

    fn next_item(&mut self) -> Option<crate::Result<Item>> {
        loop {
            if let Some(item) = self.items().pop_front() {
                return Some(Ok(item));
            }
            if *self.ended() {
                return None;
            }
            if let Err(error) = self.step() {
                *self.ended() = true;
                return Some(Err(error));
            }
        }
    }
}

/// An IBAN without its spaces; none if it is not one by its looks.
pub fn iban(text: &str) -> Option<String> {
    let iban: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_uppercase();
    let looks = (15..=34).contains(&iban.len())
        && iban.bytes().all(|b| b.is_ascii_alphanumeric())
        && iban.bytes().take(2).all(|b| b.is_ascii_uppercase())
        && iban.bytes().skip(2).take(2).all(|b| b.is_ascii_digit());
    looks.then_some(iban)
}

/// All of one account in a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statement {
    pub account: Account,
    pub opening: Option<Balance>,
    pub closing: Option<Balance>,
    pub transactions: Vec<Transaction>,
    pub refused: Vec<Refused>,
}

/// Everything in memory, for files known to be small; large ones are read item by item.
pub fn collect<E>(items: impl IntoIterator<Item = Result<Item, E>>) -> Result<Vec<Statement>, E> {
    let mut statements: Vec<Statement> = Vec::new();
    for item in items {
        let item = item?;
        if let Item::Account(account) = item {
            statements.push(Statement { account, ..Statement::default() });
            continue;
        }
        if statements.is_empty() {
            statements.push(Statement::default());
        }
        let Some(statement) = statements.last_mut() else { continue };
        match item {
            Item::Account(_) => {}
            Item::Transaction(transaction) => statement.transactions.push(*transaction),
            Item::Opening(balance) => statement.opening = Some(balance),
            Item::Closing(balance) => statement.closing = Some(balance),
            Item::Refused(refused) => statement.refused.push(refused),
        }
    }
    Ok(statements)
}
