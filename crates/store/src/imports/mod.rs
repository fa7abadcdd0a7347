//! Imports: their rows, who works on them, and what they store. Everything a process stores is behind its claim, so a process
//! that was taken for dead changes nothing.

mod answers;
mod claims;
mod known;
mod postgres;
mod progress;
mod sqlite;
mod statements;
mod stored;
mod undo;

use async_trait::async_trait;
use baton_core::data::areas::Areas;
use baton_core::data::imports::{
    Counts, Import, ImportAnswers, ImportBatch, ImportClaim, ImportProgress, ImportedChange,
    ImportedTransaction, MappingKey, NewImport, Remark, Undone,
};
use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::rows::DataScope;
use baton_core::ids::{ImportId, ProfileId, WorkspaceId};
use baton_core::listing::{Page, Window};
use baton_core::store::{Error, FilePieces, Imports, KnownTransaction, Result};
use chrono::{DateTime, Duration, NaiveDate, Utc};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    Statement,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::data::scoped::Scoped;
use crate::db::{OrStoreError, now, stored};
use crate::entities::{import_mappings, import_remarks, imports};

/// How long a file may take to arrive, and how long an import waits for answers.
const UPLOAD: Duration = Duration::days(1);
const PATIENCE: Duration = Duration::days(7);

#[async_trait]
impl Imports for SqlStore {
    async fn begin_import(&self, new: NewImport) -> Result<ImportId> {
        let id = ImportId::new();
        let at = now();
        let write = self.write().await?;
        let row = imports::ActiveModel {
            id: Set(id.0),
            workspace_id: Set(new.workspace_id.0),
            profile_id: Set(Some(new.profile_id.0)),
            kind: Set(new.kind.to_owned()),
            filename: Set(new.filename.clone()),
            format: Set(None),
            size: Set(0),
            status: Set("uploading".to_owned()),
            is_dry_run: Set(new.is_dry_run),
            account_id: Set(new.account_id),
            mapping: Set(None),
            report: Set(json!({})),
            problem: Set(None),
            rows_read: Set(0),
            rows_new: Set(0),
            rows_changed: Set(0),
            rows_duplicate: Set(0),
            rows_deleted: Set(0),
            rows_reused: Set(0),
            rows_refused: Set(0),
            rows_undone: Set(0),
            rows_kept: Set(0),
            items_done: Set(0),
            claimed_by: Set(None),
            claimed_until: Set(None),
            attempt: Set(0),
            created_at: Set(at),
            updated_at: Set(at),
            ended_at: Set(None),
        };
        imports::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        let details = json!({ "kind": new.kind, "filename": new.filename, "dry_run": new.is_dry_run });
        let begun = Happening::new("import.begun", id).within(new.workspace_id).by(new.profile_id);
        begun.with(details).record(&write).await?;
        write.commit_unkept().await?;
        Ok(id)
    }

    async fn end_upload(&self, id: ImportId, size: u64) -> Result<Import> {
        self.arrived(id, size).await
    }

    async fn drop_upload(&self, id: ImportId) -> Result<()> {
        self.remove_file(id.0).await?;
        let write = self.write().await?;
        let gone = imports::Entity::delete_many()
            .filter(imports::Column::Id.eq(id.0))
            .filter(imports::Column::Status.eq("uploading"));
        gone.exec(&*write).await.db()?;
        write.commit_unkept().await
    }

    async fn import(&self, id: ImportId) -> Result<Import> {
        find(&self.db, id).await
    }

    async fn imports(&self, workspace: WorkspaceId, window: Window) -> Result<Page<Import>> {
        let theirs = imports::Entity::find().filter(imports::Column::WorkspaceId.eq(workspace.0));
        let total = theirs.clone().count(&self.db).await.db()?;
        let page = theirs.order_by_desc(imports::Column::Id).limit(window.limit).offset(window.offset);
        let rows = page.all(&self.db).await.db()?.into_iter().map(import).collect::<Result<_>>()?;
        Ok(Page { rows, total })
    }

    async fn remarks(&self, id: ImportId) -> Result<Vec<Remark>> {
        let remarks = import_remarks::Entity::find()
            .filter(import_remarks::Column::ImportId.eq(id.0))
            .order_by_asc(import_remarks::Column::Position);
        let remark = |row: import_remarks::Model| {
            let of = stored("type", &row.r#type)?;
            Ok(Remark { line: row.line.cast_unsigned(), of, text: row.text })
        };
        remarks.all(&self.db).await.db()?.into_iter().map(remark).collect()
    }

    async fn answer_import(&self, id: ImportId, answers: ImportAnswers) -> Result<Option<Import>> {
        self.answered(id, answers).await
    }

    async fn begin_undo(&self, id: ImportId, by: ProfileId) -> Result<Option<Import>> {
        self.undo_begun(id, by).await
    }

    async fn claim_imports(&self, worker: Uuid) -> Result<Vec<ImportClaim>> {
        self.claimed(worker).await
    }

    async fn keep_claim(&self, claim: ImportClaim) -> Result<bool> {
        self.claim_kept(claim).await
    }

    async fn release_claim(&self, claim: ImportClaim) -> Result<()> {
        self.claim_released(claim).await
    }

    async fn note_progress(&self, claim: ImportClaim, progress: ImportProgress) -> Result<bool> {
        self.progress_noted(claim, progress).await
    }

    async fn import_transactions(&self, claim: ImportClaim, batch: ImportBatch) -> Result<Option<Counts>> {
        match &self.writer {
            Some(writer) => {
                let work = move |db: &rusqlite::Connection| sqlite::import(db, claim, batch);
                writer.work(work).await
            }
            None => self.import_on_postgres(claim, batch).await,
        }
    }

    async fn note_changes(&self, claim: ImportClaim, changes: Vec<ImportedChange>) -> Result<bool> {
        self.changes_noted(claim, changes).await
    }

    async fn noted_changes(&self, id: ImportId) -> Result<Vec<ImportedChange>> {
        self.changes_of(id).await
    }

    async fn undo_transactions(&self, claim: ImportClaim) -> Result<Option<Undone>> {
        self.transactions_undone(claim).await
    }

    async fn note_undone(&self, claim: ImportClaim, change: &ImportedChange, undone: Undone) -> Result<bool> {
        self.undone_noted(claim, change, undone).await
    }

    async fn known_transactions(
        &self,
        workspace: WorkspaceId,
        these: &[ImportedTransaction],
    ) -> Result<Vec<Vec<KnownTransaction>>> {
        known::of(&self.db, workspace, these).await
    }

    async fn balance_on(&self, workspace: WorkspaceId, account: Uuid, day: Option<NaiveDate>) -> Result<i64> {
        statements::balance(&self.db, workspace, account, day).await
    }

    async fn note_statement(
        &self,
        claim: ImportClaim,
        account: Uuid,
        stated: Option<(i64, NaiveDate)>,
        opening: Option<i64>,
    ) -> Result<bool> {
        self.statement_noted(claim, account, stated, opening).await
    }

    async fn kept_mapping(&self, key: &MappingKey) -> Result<Option<Value>> {
        let found = import_mappings::Entity::find_by_id(mapping_id(key)).one(&self.db).await.db()?;
        Ok(found.map(|row| row.mapping))
    }

    async fn keep_mapping(&self, key: &MappingKey, mapping: Value) -> Result<()> {
        self.mapping_kept(key, mapping).await
    }
}

impl SqlStore {
    /// What nobody needs any more: files that never arrived whole, imports that nobody answered, files of ended imports.
    pub(crate) async fn expire_imports(&self, at: DateTime<Utc>) -> Result<()> {
        let old = |status: &str, before: DateTime<Utc>| {
            imports::Entity::find()
                .filter(imports::Column::EndedAt.is_null())
                .filter(imports::Column::Status.eq(status))
                .filter(imports::Column::UpdatedAt.lt(before))
        };
        for row in old("uploading", at - UPLOAD).all(&self.db).await.db()? {
            self.drop_upload(ImportId(row.id)).await?;
        }
        for status in ["needs_mapping", "ready"] {
            for row in old(status, at - PATIENCE).all(&self.db).await.db()? {
                self.given_up(ImportId(row.id)).await?;
                self.remove_file(row.id).await?;
            }
        }
        let sql = "SELECT id FROM imports WHERE ended_at IS NOT NULL AND size > 0";
        let left = Statement::from_string(self.db.get_database_backend(), sql);
        for row in self.db.query_all_raw(left).await.db()? {
            self.remove_file(row.try_get("", "id").db()?).await?;
        }
        Ok(())
    }
}

/// All of the workspace's money. Whoever claims an import has looked whether its person may change it.
fn scoped(workspace_id: WorkspaceId) -> Result<Scoped> {
    let scope = DataScope { workspace_id, areas: Areas::WRITE };
    Scoped::writing(scope, &TRANSACTIONS)
}

async fn find(db: &impl ConnectionTrait, id: ImportId) -> Result<Import> {
    let row = imports::Entity::find_by_id(id.0).one(db).await.db()?;
    import(row.ok_or(Error::NotFound("import"))?)
}

fn mapping_id(key: &MappingKey) -> (Uuid, String, Uuid, String) {
    let account = key.account_id.unwrap_or_default();
    (key.workspace_id.0, key.kind.clone(), account, key.headers_hash.clone())
}

fn import(row: imports::Model) -> Result<Import> {
    let count = i64::cast_unsigned;
    Ok(Import {
        id: ImportId(row.id),
        workspace_id: WorkspaceId(row.workspace_id),
        profile_id: row.profile_id.map(ProfileId),
        kind: row.kind,
        filename: row.filename,
        format: row.format.map(|word| stored("format", &word)).transpose()?,
        size: count(row.size),
        status: stored("status", &row.status)?,
        is_dry_run: row.is_dry_run,
        account_id: row.account_id,
        mapping: row.mapping,
        report: row.report,
        problem: row.problem,
        counts: Counts {
            read: count(row.rows_read),
            new: count(row.rows_new),
            changed: count(row.rows_changed),
            duplicates: count(row.rows_duplicate),
            deleted: count(row.rows_deleted),
            reused: count(row.rows_reused),
            refused: count(row.rows_refused),
        },
        undone: Undone { removed: count(row.rows_undone), kept: count(row.rows_kept) },
        items_done: count(row.items_done),
        attempt: row.attempt,
        created_at: row.created_at,
        updated_at: row.updated_at,
        ended_at: row.ended_at,
    })
}
