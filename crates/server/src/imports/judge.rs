//! Counts what would come of a file, by the same rules as the store's, without storing anything. What the file itself has twice
//! under one id is known by hashes: so it takes a few bytes for each row, not the rows.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use baton_core::data::duplicates::{Identity, Known, State, Status, Verdict, judge};
use baton_core::data::imports::{Counts, ImportBatch, ImportedTransaction, MAX_REMARKS, Remark, RemarkType};
use baton_core::ids::WorkspaceId;
use baton_core::store::{self, Store};
use uuid::Uuid;

pub struct DryRun {
    store: Arc<dyn Store>,
    workspace: WorkspaceId,
    /// Rows of the file by account and the bank's id: their keys and states.
    seen: HashMap<u64, Vec<(u64, State)>>,
    pub counts: Counts,
    pub remarks: Vec<Remark>,
}

impl DryRun {
    pub fn new(store: Arc<dyn Store>, workspace: WorkspaceId) -> Self {
        Self { store, workspace, seen: HashMap::new(), counts: Counts::default(), remarks: Vec::new() }
    }

    pub async fn judge(&mut self, batch: ImportBatch) -> store::Result<()> {
        let known = self.store.known_transactions(self.workspace, &batch.transactions).await?;
        self.counts.read += batch.transactions.len() as u64 + batch.refused;
        self.counts.refused += batch.refused;
        for remark in batch.remarks {
            self.remark(remark);
        }
        for (row, known) in batch.transactions.iter().zip(known) {
            let own = row.row_id.and_then(|id| known.iter().find(|known| known.row_id == id));
            let verdict = match own.map(|own| own.known.state) {
                Some(State::Deleted) => Verdict::Deleted,
                Some(State::Booked | State::Pending) => Verdict::Duplicate,
                None => {
                    let mut all: Vec<Known> = known.into_iter().map(|known| known.known).collect();
                    let seen = self.seen_before(row);
                    if seen.iter().any(|seen| seen.state == State::Booked) {
                        // The file has booked it further up.
                        all.retain(|known| known.state != State::Pending);
                    }
                    all.extend(seen);
                    judge(&row.identity, row.status, &all)
                }
            };
            match verdict {
                Verdict::New => self.counts.new += 1,
                Verdict::IdReused { id } => {
                    self.counts.new += 1;
                    self.counts.reused += 1;
                    let text = format!("The bank used the id {id} again, with another day or amount.");
                    self.remark(Remark { line: row.line, of: RemarkType::IdReused, text });
                }
                Verdict::Duplicate => self.counts.duplicates += 1,
                Verdict::Deleted => {
                    self.counts.duplicates += 1;
                    self.counts.deleted += 1;
                }
                Verdict::Settles { .. } => self.counts.changed += 1,
            }
            self.remember(row);
        }
        Ok(())
    }

    /// A file can have a refusal in every line: only the first are kept.
    fn remark(&mut self, remark: Remark) {
        if (self.remarks.len() as u64) < MAX_REMARKS {
            self.remarks.push(remark);
        }
    }

    fn seen_before(&self, row: &ImportedTransaction) -> Vec<Known> {
        let Some(id) = &row.identity.source_id else { return Vec::new() };
        let own_key = hash(row.account_id, &row.identity.key);
        let same = self.seen.get(&hash(row.account_id, id)).into_iter().flatten();
        let known = |&(key, state): &(u64, State)| {
            let key = if key == own_key { row.identity.key.clone() } else { format!("other {key}") };
            Known { identity: Identity { source_id: Some(id.clone()), key }, state }
        };
        same.map(known).collect()
    }

    fn remember(&mut self, row: &ImportedTransaction) {
        let Some(id) = &row.identity.source_id else { return };
        let key = hash(row.account_id, &row.identity.key);
        let same = self.seen.entry(hash(row.account_id, id)).or_default();
        let state = match row.status {
            Status::Booked => State::Booked,
            Status::Pending => State::Pending,
        };
        match state {
            // It takes the place of what was pending.
            State::Booked => same.retain(|(_, state)| *state != State::Pending),
            _ if same.iter().any(|(known, _)| *known == key) => return,
            _ => {}
        }
        if !same.iter().any(|(known, _)| *known == key) {
            same.push((key, state));
        }
    }
}

fn hash(account: Uuid, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (account, text).hash(&mut hasher);
    hasher.finish()
}
