//! Items of a file to transactions that can be stored: whose they are, which category they have, whether they are transfers. It
//! runs on a thread that may wait, and sends batches.

use std::collections::HashMap;

use baton_core::data::check;
use baton_core::data::imports::{ImportBatch, ImportedSplit, ImportedTransaction, Remark, RemarkType};
use baton_core::ids::WorkspaceId;
use baton_core::store;
use baton_core::text;
use baton_formats::dedupe::Identifier;
use baton_formats::statement::{self, Balance, Item, Split, Transaction};
use uuid::Uuid;

use super::books::{BookAccount, Books, NotMade, cleaned, clipped, named_id};
use super::look::Items;

/// Rows stored at once: few enough that others' commits don't wait.
pub const BATCH: usize = 500;

/// What statements say of an account.
#[derive(Debug, Clone, Default)]
pub struct Balances {
    pub opening: Option<Balance>,
    pub closing: Option<Balance>,
}

pub struct Reader {
    pub books: Books,
    workspace: WorkspaceId,
    /// Where rows go whose account the file doesn't tell.
    account: Option<Uuid>,
    /// Whether the file's accounts are known by their names: QIF.
    is_named: bool,
    currency: Option<baton_core::money::Currency>,
    identifier: Identifier,
    /// What the file said last.
    current: statement::Account,
    resolved: Option<BookAccount>,
    pub balances: HashMap<Uuid, Balances>,
    /// How often a transfer was seen: both accounts, day, amount, and which side.
    transfers: HashMap<String, u32>,
    batch: ImportBatch,
    items: u64,
}

pub enum Stopped {
    File(baton_formats::Error),
    Store(store::Error),
    /// Nobody takes the batches any more.
    Unwanted,
}

pub struct Given {
    pub workspace: WorkspaceId,
    pub account: Option<Uuid>,
    pub is_named: bool,
    pub currency: Option<baton_core::money::Currency>,
}

impl Reader {
    pub fn new(books: Books, given: Given) -> Self {
        Self {
            books,
            workspace: given.workspace,
            account: given.account,
            is_named: given.is_named,
            currency: given.currency,
            identifier: Identifier::default(),
            current: statement::Account::default(),
            resolved: None,
            balances: HashMap::new(),
            transfers: HashMap::new(),
            batch: ImportBatch::default(),
            items: 0,
        }
    }

    /// Reads all items; `send` is given what comes after the first `done` of them.
    pub fn read(
        &mut self,
        items: Items,
        done: u64,
        mut send: impl FnMut(ImportBatch) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        for item in items {
            let item = item.map_err(Stopped::File)?;
            self.items += 1;
            self.item(item).map_err(Stopped::Store)?;
            if self.items <= done {
                self.batch = ImportBatch::default();
            } else if self.batch.transactions.len() + self.batch.refused as usize >= BATCH {
                send(self.taken())?;
            }
        }
        send(self.taken())
    }

    fn taken(&mut self) -> ImportBatch {
        ImportBatch { items_done: self.items, ..std::mem::take(&mut self.batch) }
    }

    fn refuse(&mut self, line: u64, text: String) {
        self.batch.refused += 1;
        self.batch.remarks.push(Remark {
            line,
            of: RemarkType::Refused,
            text: clipped(&cleaned(&text), 300),
        });
    }

    fn note(&mut self, line: u64, text: String) {
        self.batch.remarks.push(Remark { line, of: RemarkType::Note, text: clipped(&cleaned(&text), 300) });
    }

    fn item(&mut self, item: Item) -> Result<(), store::Error> {
        match item {
            Item::Account(account) => {
                self.current = account;
                self.resolved = None;
                // Also one without transactions has a balance.
                if let Err(NotMade::Store(error)) = self.resolve(None, self.current.currency) {
                    return Err(error);
                }
            }
            Item::Opening(balance) => self.balance(balance, false),
            Item::Closing(balance) => self.balance(balance, true),
            Item::Refused(refused) => self.refuse(refused.line, refused.reason),
            Item::Transaction(transaction) => {
                let line = transaction.line;
                match self.transaction(*transaction) {
                    Ok(row) => self.batch.transactions.push(row),
                    Err(NotMade::Refused(reason)) => self.refuse(line, reason),
                    Err(NotMade::Store(error)) => return Err(error),
                }
            }
        }
        Ok(())
    }

    fn balance(&mut self, balance: Balance, is_closing: bool) {
        let Some(account) = &self.resolved else { return };
        // Nobody has so much: it can't be compared with anything.
        if balance.amount.unsigned_abs() > check::MAX_AMOUNT.unsigned_abs() {
            return;
        }
        let known = self.balances.entry(account.id).or_default();
        let is_later = |other: &Balance| balance.date >= other.date;
        match is_closing {
            true if known.closing.as_ref().is_none_or(is_later) => known.closing = Some(balance),
            false if known.opening.as_ref().is_none_or(|other| balance.date < other.date) => {
                known.opening = Some(balance);
            }
            _ => {}
        }
    }

    /// Whose the next rows are.
    fn resolve(
        &mut self,
        own: Option<&statement::Own>,
        currency: Option<baton_core::money::Currency>,
    ) -> Result<BookAccount, NotMade> {
        let by_id = own.and_then(|own| own.account_id.as_deref()).and_then(|id| id.parse().ok());
        if let Some(account) = by_id.and_then(|id| self.books.account(id)) {
            return Ok(account.clone());
        }
        if let Some(name) = own.and_then(|own| own.account.as_deref()) {
            if let Some(account) = self.books.find_account(name) {
                return Ok(account.clone());
            }
            let account = statement::Account { id: Some(name.to_owned()), ..statement::Account::default() };
            let is_named = statement::iban(name).is_none();
            let Some(currency) = currency.or(self.currency) else {
                return Err(NotMade::Refused(format!(
                    "there is no account {name}, and its currency is not known"
                )));
            };
            return self.books.account_of(&account, is_named, currency);
        }
        if let Some(account) = &self.resolved {
            return Ok(account.clone());
        }
        let given = self.account.and_then(|id| self.books.account(id)).cloned();
        let account = match given {
            Some(account) => account,
            None => {
                let currency = self.current.currency.or(currency).or(self.currency);
                let currency = currency
                    .ok_or_else(|| NotMade::Refused("the account's currency is not known".to_owned()))?;
                self.books.account_of(&self.current.clone(), self.is_named, currency)?
            }
        };
        self.resolved = Some(account.clone());
        Ok(account)
    }

    fn transaction(&mut self, row: Transaction) -> Result<ImportedTransaction, NotMade> {
        let refused = |text: String| Err(NotMade::Refused(text));
        let account = self.resolve(row.own.as_deref(), Some(row.currency))?;
        // Before anything is refused: rows are numbered as they stand in the file.
        let identity = self.identifier.identify(&account.id.to_string(), &row);
        if row.currency != account.currency {
            return refused(format!(
                "it is in {}, but the account {} is in {}",
                row.currency, account.name, account.currency
            ));
        }
        if check::day(&row.booked.to_string()).is_none() {
            return refused(format!("{} is no day on which something is booked", row.booked));
        }
        let mut amounts = row.splits.iter().map(|part| part.amount).chain([row.amount]);
        if amounts.any(|amount| amount.unsigned_abs() > check::MAX_AMOUNT.unsigned_abs()) {
            return refused("the amount is too large".to_owned());
        }
        if identity
            .source_id
            .as_ref()
            .is_some_and(|id| id.chars().count() > 200 || id.chars().any(char::is_control))
        {
            return refused(
                "the bank's id is longer than 200 characters, or has signs that no id has".to_owned(),
            );
        }
        if let Some(written) = &row.rounded_from {
            self.note(row.line, format!("{written} was rounded to the smallest unit of {}", row.currency));
        }
        let own = row.own.as_deref();
        let line = |text: &Option<String>, most: usize| {
            text.as_deref().map(cleaned).filter(|text| !text.is_empty()).map(|text| clipped(&text, most))
        };
        let (payee, memo) = (line(&row.payee, 200), line(&row.memo, 1_000));
        let transfer_id =
            match (own.and_then(|own| own.transfer.as_deref()), other_account(row.category.as_deref())) {
                (Some(told), _) => {
                    Some(named_id(&[self.workspace.0.as_bytes(), b"transfer", told.as_bytes()]))
                }
                (None, Some(other)) => Some(self.transfer(&account, other, &row)),
                (None, None) => None,
            };
        let splits = self.splits(&row)?;
        let category_id = match splits.is_empty() && transfer_id.is_none() {
            true => self.category(&row, payee.as_deref(), memo.as_deref())?,
            false => None,
        };
        let foreign = row.foreign.as_ref();
        Ok(ImportedTransaction {
            line: row.line,
            row_id: own.and_then(|own| own.row_id.as_deref()).and_then(|id| id.parse().ok()),
            identity,
            account_id: account.id,
            booked_on: row.booked,
            value_on: row.value_date.filter(|day| check::day(&day.to_string()).is_some()),
            amount: row.amount,
            currency: row.currency,
            reference: line(&row.reference, 200),
            counterparty_iban: line(&row.counterparty_iban, 34),
            category_id,
            status: row.status,
            activity: row.activity,
            transfer_id,
            foreign_amount: foreign.and_then(|foreign| foreign.amount),
            foreign_currency: foreign.map(|foreign| foreign.currency),
            foreign_rate: foreign.and_then(|foreign| foreign.rate.as_deref()).and_then(check::decimal),
            notes: own
                .and_then(|own| own.notes.as_deref())
                .map(|notes| clipped(&notes.replace('\0', ""), 2_000)),
            payee,
            memo,
            splits,
        })
    }

    fn category(
        &mut self,
        row: &Transaction,
        payee: Option<&str>,
        memo: Option<&str>,
    ) -> Result<Option<Uuid>, NotMade> {
        let by_id =
            row.own.as_deref().and_then(|own| own.category_id.as_deref()).and_then(|id| id.parse().ok());
        if let Some(id) = by_id.filter(|id| self.books.is_category(*id)) {
            return Ok(Some(id));
        }
        match row.category.as_deref().map(|name| self.category_name(name)).filter(|name| !name.is_empty()) {
            Some(name) => self.books.category(&name, row.amount).map(Some),
            None => Ok(self.books.by_rule(payee, memo)),
        }
    }

    fn splits(&mut self, row: &Transaction) -> Result<Vec<ImportedSplit>, NotMade> {
        if row.splits.len() < 2 || row.splits.len() > baton_core::data::money::MAX_PARTS {
            if row.splits.len() > 1 {
                self.note(row.line, "it has more parts than can be kept; it came in undivided".to_owned());
            }
            return Ok(Vec::new());
        }
        let mut parts = Vec::new();
        for Split { category, memo, amount } in &row.splits {
            let name =
                category.as_deref().map(|name| self.category_name(name)).filter(|name| !name.is_empty());
            let category_id = match (other_account(category.as_deref()), name) {
                (Some(other), _) => {
                    self.note(
                        row.line,
                        format!("a part of it is a transfer to {other}; it has no category, and counts"),
                    );
                    None
                }
                (None, Some(name)) => Some(self.books.category(&name, *amount)?),
                (None, None) => None,
            };
            let memo = memo
                .as_deref()
                .map(cleaned)
                .filter(|memo| !memo.is_empty())
                .map(|memo| clipped(&memo, 1_000));
            parts.push(ImportedSplit { category_id, amount: *amount, memo });
        }
        Ok(parts)
    }

    /// In QIF without its class: `Food:Lunch/Holiday`.
    fn category_name(&self, category: &str) -> String {
        let name = if self.is_named { category.split('/').next().unwrap_or_default() } else { category };
        name.trim().to_owned()
    }

    /// Both sides of a transfer that a file has get the same id, whichever comes first.
    fn transfer(&mut self, account: &BookAccount, other: &str, row: &Transaction) -> Uuid {
        let (own, other) = (text::fold(&account.name), text::fold(other));
        let mut names = [own.as_str(), other.as_str()];
        names.sort_unstable();
        let key = format!("{}|{}|{}|{}", names[0], names[1], row.booked, row.amount.unsigned_abs());
        let nth = self.transfers.entry(format!("{key}|{own}")).or_default();
        *nth += 1;
        named_id(&[self.workspace.0.as_bytes(), b"transfer", key.as_bytes(), &nth.to_be_bytes()])
    }
}

/// QIF's way to say that the other side of a transaction is an own account.
fn other_account(category: Option<&str>) -> Option<&str> {
    let name = category?.trim().strip_prefix('[')?;
    name.split(']').next().filter(|name| !name.is_empty())
}
