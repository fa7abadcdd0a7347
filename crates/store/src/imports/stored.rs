//! What becomes of a batch, decided by the rules of core on what the accounts have: which rows are new, which replace a
//! pending one, what is counted and what people are told. Pure; both engines carry it out.

use std::collections::HashMap;

use baton_core::data::check;
use baton_core::data::duplicates::{Known, State, Status, Verdict, judge};
use baton_core::data::imports::{Counts, ImportBatch, ImportedTransaction, Remark, RemarkType};
use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::money::{Flow, SumChanges, SumKey};
use baton_core::store::KnownTransaction;
use chrono::{Datelike, NaiveDate};
use uuid::Uuid;

/// A row that comes in.
pub struct New<'a> {
    pub id: Uuid,
    pub row: &'a ImportedTransaction,
    pub search_text: String,
}

/// The booking of what was pending.
pub struct Settled<'a> {
    pub row_id: Uuid,
    pub row: &'a ImportedTransaction,
    pub search_text: String,
}

#[derive(Default)]
pub struct Outcome<'a> {
    pub new: Vec<New<'a>>,
    pub settled: Vec<Settled<'a>>,
    pub counts: Counts,
    pub remarks: Vec<Remark>,
    pub sums: SumChanges,
    /// About how many bytes the new rows take.
    pub bytes: i64,
}

/// `known` has, for each row of the batch, what its account had before the batch.
pub fn decide<'a>(
    batch: &'a ImportBatch,
    mut known: impl FnMut(usize) -> Vec<KnownTransaction>,
) -> Outcome<'a> {
    let mut outcome = Outcome { remarks: batch.remarks.clone(), ..Outcome::default() };
    outcome.counts.read = batch.transactions.len() as u64 + batch.refused;
    outcome.counts.refused = batch.refused;
    // Rows of this batch by account and the bank's id: without an id no two rows of a file are the same.
    let mut earlier: HashMap<(Uuid, &str), Vec<KnownTransaction>> = HashMap::new();
    for (at, row) in batch.transactions.iter().enumerate() {
        let mut there = known(at);
        let source_id = row.identity.source_id.as_deref();
        if let Some(earlier) = source_id.and_then(|id| earlier.get(&(row.account_id, id))) {
            // As the batch has left them.
            there.retain(|known| earlier.iter().all(|later| later.row_id != known.row_id));
            there.extend(earlier.iter().cloned());
        }
        let own = row.row_id.and_then(|id| there.iter().find(|known| known.row_id == id));
        let verdict = match own.map(|own| own.known.state) {
            Some(State::Deleted) => Verdict::Deleted,
            Some(State::Booked | State::Pending) => Verdict::Duplicate,
            None => {
                let known: Vec<Known> = there.iter().map(|there| there.known.clone()).collect();
                judge(&row.identity, row.status, &known)
            }
        };
        let mut note = |row_id: Uuid| {
            let Some(id) = source_id else { return };
            let state = if row.status == Status::Pending { State::Pending } else { State::Booked };
            let known = Known { identity: row.identity.clone(), state };
            let same = earlier.entry((row.account_id, id)).or_default();
            same.retain(|known| known.row_id != row_id);
            same.push(KnownTransaction { row_id, known });
        };
        match verdict {
            Verdict::New | Verdict::IdReused { .. } => {
                if let Verdict::IdReused { id } = verdict {
                    outcome.counts.reused += 1;
                    let text = format!("The bank used the id {id} again, with another day or amount.");
                    outcome.remarks.push(Remark { line: row.line, of: RemarkType::IdReused, text });
                }
                let id = Uuid::now_v7();
                note(id);
                outcome.counts.new += 1;
                outcome.bytes += bytes(row);
                outcome.count(row);
                outcome.new.push(New { id, row, search_text: search_text(row) });
            }
            Verdict::Duplicate => outcome.counts.duplicates += 1,
            Verdict::Deleted => {
                outcome.counts.duplicates += 1;
                outcome.counts.deleted += 1;
            }
            Verdict::Settles { key } => {
                let pending = there.iter().find(|there| there.known.identity.key == key);
                let Some(row_id) = pending.map(|pending| pending.row_id) else { continue };
                note(row_id);
                outcome.counts.changed += 1;
                outcome.settled.push(Settled { row_id, row, search_text: search_text(row) });
            }
        }
    }
    outcome
}

impl Outcome<'_> {
    fn count(&mut self, row: &ImportedTransaction) {
        if row.status == Status::Pending {
            return;
        }
        let key = |category_id: Option<Uuid>| SumKey {
            account_id: row.account_id,
            month: month(row.booked_on),
            category_id: category_id.unwrap_or_default(),
            flow: flow(row.transfer_id.is_some(), row.activity.as_str()),
        };
        for split in &row.splits {
            self.sums.count(key(split.category_id), split.amount, 1);
        }
        if row.splits.is_empty() {
            self.sums.count(key(row.category_id), row.amount, 1);
        }
    }

    /// Counts a pending row that is booked now; what people made of it stays.
    pub fn count_settled(&mut self, row: &ImportedTransaction, category: Option<Uuid>, flow: Flow) {
        let (account_id, month) = (row.account_id, month(row.booked_on));
        let key = SumKey { account_id, month, category_id: category.unwrap_or_default(), flow };
        self.sums.count(key, row.amount, 1);
    }
}

pub fn flow(is_transfer: bool, activity: &str) -> Flow {
    match activity {
        _ if is_transfer => Flow::Transfer,
        "trade" => Flow::Trade,
        _ => Flow::Payment,
    }
}

pub fn month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

fn searched(row: &ImportedTransaction) -> impl Iterator<Item = &str> {
    let fields = [&row.payee, &row.memo, &row.reference, &row.counterparty_iban, &row.notes];
    fields.into_iter().filter_map(|field| field.as_deref())
}

/// As rows that people enter have it.
fn search_text(row: &ImportedTransaction) -> String {
    let texts: Vec<&str> = searched(row).collect();
    check::search_text_of(&TRANSACTIONS, &texts.join(" "))
}

/// As `check::bytes` counts rows that people enter.
fn bytes(row: &ImportedTransaction) -> i64 {
    const FIXED: usize = 100 + 36 * 8;
    let text: usize = searched(row).map(str::len).sum();
    (FIXED + text + row.identity.key.len() + 40 * row.splits.len()).cast_signed() as i64
}
