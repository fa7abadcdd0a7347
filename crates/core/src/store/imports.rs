//! What the server asks of the store about files that come in and go out.

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::Result;
use crate::data::duplicates::Known;
use crate::data::imports::{
    Counts, ExportFile, Import, ImportAnswers, ImportBatch, ImportClaim, ImportProgress, ImportedChange,
    ImportedTransaction, MappingKey, NewImport, Remark, Undone,
};
use crate::ids::{ExportId, ImportId, ProfileId, WorkspaceId};
use crate::listing::{Page, Window};

/// Bytes of files, kept in the database so that every node has them.
#[async_trait]
pub trait FilePieces: Send + Sync {
    async fn keep_piece(
        &self,
        workspace: WorkspaceId,
        file: Uuid,
        position: u64,
        bytes: Vec<u8>,
    ) -> Result<()>;
    async fn piece(&self, file: Uuid, position: u64) -> Result<Vec<u8>>;
    /// All its pieces, in short commits.
    async fn remove_file(&self, file: Uuid) -> Result<()>;
}

/// A process that works on an import names its claim with all that it stores. `false` and `None`: the claim is another's, or the
/// import has ended; nothing was stored.
#[async_trait]
pub trait Imports: Send + Sync {
    async fn begin_import(&self, new: NewImport) -> Result<ImportId>;
    /// The file is there: it can be read.
    async fn end_upload(&self, id: ImportId, size: u64) -> Result<Import>;
    /// The file did not arrive whole.
    async fn drop_upload(&self, id: ImportId) -> Result<()>;

    async fn import(&self, id: ImportId) -> Result<Import>;
    /// The newest first.
    async fn imports(&self, workspace: WorkspaceId, window: Window) -> Result<Page<Import>>;
    async fn remarks(&self, id: ImportId) -> Result<Vec<Remark>>;

    /// What a person answers to an import that waits: it is read again, or begins. None if it doesn't wait.
    async fn answer_import(&self, id: ImportId, answers: ImportAnswers) -> Result<Option<Import>>;
    /// Begins to take an import back. None if it has not come so far, or is taken back already.
    async fn begin_undo(&self, id: ImportId, by: ProfileId) -> Result<Option<Import>>;

    /// Imports that have something to be done and no process that does it become `worker`'s.
    async fn claim_imports(&self, worker: Uuid) -> Result<Vec<ImportClaim>>;
    async fn keep_claim(&self, claim: ImportClaim) -> Result<bool>;
    /// Another process may go on with it.
    async fn release_claim(&self, claim: ImportClaim) -> Result<()>;
    async fn note_progress(&self, claim: ImportClaim, progress: ImportProgress) -> Result<bool>;
    /// Stores the transactions that are not there already, by the rules of `core::data::duplicates`, with their sums and
    /// the import's counts. The counts are of this batch.
    async fn import_transactions(&self, claim: ImportClaim, batch: ImportBatch) -> Result<Option<Counts>>;
    /// Remembers what an import made or changed besides transactions, for its undo.
    async fn note_changes(&self, claim: ImportClaim, changes: Vec<ImportedChange>) -> Result<bool>;
    async fn noted_changes(&self, id: ImportId) -> Result<Vec<ImportedChange>>;
    /// Takes back some of an import's transactions that nobody has changed since. What it did in all is in the import; an
    /// answer with nothing removed means that none is left.
    async fn undo_transactions(&self, claim: ImportClaim) -> Result<Option<Undone>>;
    /// A change that was noted is taken back, or left.
    async fn note_undone(&self, claim: ImportClaim, change: &ImportedChange, undone: Undone) -> Result<bool>;

    /// What the accounts have that could be the same, for each of these.
    async fn known_transactions(
        &self,
        workspace: WorkspaceId,
        these: &[ImportedTransaction],
    ) -> Result<Vec<Vec<KnownTransaction>>>;
    /// The balance of an account at the end of a day, by its opening balance and what is booked.
    async fn balance_on(&self, workspace: WorkspaceId, account: Uuid, day: Option<NaiveDate>) -> Result<i64>;
    /// The balance that a statement says, unless a later one is known; and an opening balance, where the import found it out.
    async fn note_statement(
        &self,
        claim: ImportClaim,
        account: Uuid,
        stated: Option<(i64, NaiveDate)>,
        opening: Option<i64>,
    ) -> Result<bool>;

    async fn kept_mapping(&self, key: &MappingKey) -> Result<Option<Value>>;
    async fn keep_mapping(&self, key: &MappingKey, mapping: Value) -> Result<()>;
}

/// A transaction that is there, or was.
#[derive(Debug, Clone)]
pub struct KnownTransaction {
    pub row_id: Uuid,
    pub known: Known,
}

/// Files that were made for a person.
#[async_trait]
pub trait Exports: Send + Sync {
    /// Once all its pieces are kept.
    async fn keep_export(&self, file: ExportFile) -> Result<()>;
    /// Its person's alone, until it expires.
    async fn export_file(&self, id: ExportId, person: ProfileId, now: DateTime<Utc>) -> Result<ExportFile>;
}
