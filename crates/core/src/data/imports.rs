//! Files that people bring in. An import is a row in the database from its first byte to its undo: whichever process is
//! there goes on with it, and every piece of it is stored once.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::duplicates::{Activity, Identity, Status};
use crate::ids::{ExportId, ImportId, ProfileId, WorkspaceId};
use crate::money::Currency;
use crate::words;

words! {
    /// Where an import stands.
    ImportStatus {
        /// Its file is on its way.
        Uploading => "uploading",
        /// A process looks at the file: which format, which columns, and in a dry run what would come of it.
        Reading => "reading",
        /// It waits for answers to its questions.
        NeedsMapping => "needs_mapping",
        /// The dry run is done; it waits for somebody to start it.
        Ready => "ready",
        Importing => "importing",
        Completed => "completed",
        Failed => "failed",
        Undoing => "undoing",
        Undone => "undone",
    }
}

impl ImportStatus {
    /// Whether a process has something to do.
    pub fn is_under_way(self) -> bool {
        matches!(self, Self::Reading | Self::Importing | Self::Undoing)
    }
}

words! {
    /// The formats that rows are read from.
    FileFormat { Csv => "csv", Ofx => "ofx", Camt => "camt", Qif => "qif", Vcard => "vcard" }
}

words! {
    RemarkType {
        /// The line was not taken.
        Refused => "refused",
        /// The bank used an id again: the transaction came in.
        IdReused => "id_reused",
        /// Taken, with something to know about it.
        Note => "note",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Of the file, from 1.
    pub line: u64,
    pub of: RemarkType,
    pub text: String,
}

/// How many remarks are kept of one import; the others are only counted.
pub const MAX_REMARKS: u64 = 1_000;
/// The pieces that a file is kept in.
pub const PIECE: usize = 256 * 1024;

#[derive(Debug, Clone)]
pub struct NewImport {
    pub workspace_id: WorkspaceId,
    pub profile_id: ProfileId,
    pub kind: &'static str,
    pub filename: String,
    pub is_dry_run: bool,
    pub account_id: Option<Uuid>,
}

#[derive(Debug, Clone)]
pub struct Import {
    pub id: ImportId,
    pub workspace_id: WorkspaceId,
    /// None: their account is gone.
    pub profile_id: Option<ProfileId>,
    pub kind: String,
    pub filename: String,
    pub format: Option<FileFormat>,
    /// Of the file, while it is kept.
    pub size: u64,
    pub status: ImportStatus,
    pub is_dry_run: bool,
    pub account_id: Option<Uuid>,
    pub mapping: Option<Value>,
    pub report: Value,
    pub problem: Option<String>,
    pub counts: Counts,
    pub undone: Undone,
    pub items_done: u64,
    pub attempt: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// What became of the rows of a file: those read are new, changed, duplicates or refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub read: u64,
    pub new: u64,
    pub changed: u64,
    pub duplicates: u64,
    /// Of the duplicates, those that somebody deleted.
    pub deleted: u64,
    /// Of the new ones, those whose id the bank had used before.
    pub reused: u64,
    pub refused: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.new += other.new;
        self.changed += other.changed;
        self.duplicates += other.duplicates;
        self.deleted += other.deleted;
        self.reused += other.reused;
        self.refused += other.refused;
    }
}

/// What an undo did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Undone {
    pub removed: u64,
    /// Left as they are, because somebody changed them since.
    pub kept: u64,
}

/// A process's hold on an import. What it stores under an older attempt is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportClaim {
    pub import_id: ImportId,
    pub attempt: i64,
}

/// A transaction of a file, ready to be stored: its account and categories are known.
#[derive(Debug, Clone)]
pub struct ImportedTransaction {
    pub line: u64,
    /// The id it has in a file that Baton wrote.
    pub row_id: Option<Uuid>,
    pub identity: Identity,
    pub account_id: Uuid,
    pub booked_on: NaiveDate,
    pub value_on: Option<NaiveDate>,
    pub amount: i64,
    pub currency: Currency,
    pub payee: Option<String>,
    pub memo: Option<String>,
    pub reference: Option<String>,
    pub counterparty_iban: Option<String>,
    pub category_id: Option<Uuid>,
    pub status: Status,
    pub activity: Activity,
    pub transfer_id: Option<Uuid>,
    pub foreign_amount: Option<i64>,
    pub foreign_currency: Option<Currency>,
    pub foreign_rate: Option<String>,
    pub notes: Option<String>,
    pub splits: Vec<ImportedSplit>,
}

#[derive(Debug, Clone)]
pub struct ImportedSplit {
    pub category_id: Option<Uuid>,
    pub amount: i64,
    pub memo: Option<String>,
}

/// A stretch of a file, stored at once.
#[derive(Debug, Clone, Default)]
pub struct ImportBatch {
    pub transactions: Vec<ImportedTransaction>,
    /// Rows that were refused before they came to the store.
    pub refused: u64,
    pub remarks: Vec<Remark>,
    /// How many items of the file are done with this batch.
    pub items_done: u64,
}

impl ImportBatch {
    /// The categories that its transactions name, each once.
    pub fn categories(&self) -> Vec<Uuid> {
        let named = self.transactions.iter().flat_map(|row| {
            std::iter::once(row.category_id).chain(row.splits.iter().map(|part| part.category_id))
        });
        named.flatten().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// These are no longer there.
    pub fn forget_categories(&mut self, gone: &[Uuid]) {
        if gone.is_empty() {
            return;
        }
        for row in &mut self.transactions {
            let parts = row.splits.iter_mut().map(|part| &mut part.category_id);
            for category in std::iter::once(&mut row.category_id).chain(parts) {
                category.take_if(|id| gone.contains(id));
            }
        }
    }
}

/// What a process found out about an import, or did with it. What is none stays as it is.
#[derive(Debug, Clone, Default)]
pub struct ImportProgress {
    pub status: Option<ImportStatus>,
    pub format: Option<FileFormat>,
    pub account_id: Option<Uuid>,
    pub mapping: Option<Value>,
    pub report: Option<Value>,
    pub problem: Option<String>,
    /// In place of the ones before.
    pub counts: Option<Counts>,
    pub items_done: Option<u64>,
    /// In place of those before.
    pub remarks: Option<Vec<Remark>>,
}

/// What a person says to an import that waits.
#[derive(Debug, Clone, Default)]
pub struct ImportAnswers {
    pub mapping: Option<Value>,
    pub account_id: Option<Uuid>,
    /// Start it, also after a dry run.
    pub starts: bool,
}

/// Rows of other kinds that an import made or changed.
#[derive(Debug, Clone)]
pub struct ImportedChange {
    pub row_id: Uuid,
    pub kind: String,
    pub change_id: Option<Uuid>,
    pub version: i64,
}

/// Under which a mapping is kept for the next file.
#[derive(Debug, Clone)]
pub struct MappingKey {
    pub workspace_id: WorkspaceId,
    pub kind: String,
    pub account_id: Option<Uuid>,
    pub headers_hash: String,
}

/// A file that was made for a person.
#[derive(Debug, Clone)]
pub struct ExportFile {
    pub id: ExportId,
    pub workspace_id: WorkspaceId,
    pub profile_id: ProfileId,
    pub kind: String,
    pub format: String,
    pub filename: String,
    pub rows: u64,
    pub size: u64,
    pub expires_at: DateTime<Utc>,
}
