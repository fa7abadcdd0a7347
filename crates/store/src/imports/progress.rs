//! What a process notes about an import it works on.

use baton_core::data::imports::{
    ImportClaim, ImportProgress, ImportStatus, ImportedChange, MappingKey, Remark, Undone,
};
use baton_core::ids::{ImportId, WorkspaceId};
use baton_core::store::Result;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, UpdateMany};
use serde_json::{Value, json};
use uuid::Uuid;

use super::claims::renewed;
use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{import_changes, import_mappings, import_remarks, imports};
use crate::write::Write;

/// An update of the import, if it is still this claim's.
pub fn fenced(claim: ImportClaim) -> UpdateMany<imports::Entity> {
    imports::Entity::update_many()
        .col_expr(imports::Column::UpdatedAt, Expr::value(now()))
        .filter(imports::Column::Id.eq(claim.import_id.0))
        .filter(imports::Column::Attempt.eq(claim.attempt))
        .filter(imports::Column::EndedAt.is_null())
}

impl SqlStore {
    pub(super) async fn progress_noted(&self, claim: ImportClaim, progress: ImportProgress) -> Result<bool> {
        use imports::Column;
        let write = self.write().await?;
        let mut update = fenced(claim);
        if let Some(status) = progress.status {
            update = update.col_expr(Column::Status, Expr::value(status.as_str()));
            if !status.is_under_way() {
                update = update.col_expr(Column::ClaimedBy, Expr::value(None::<Uuid>));
            }
            if matches!(status, ImportStatus::Completed | ImportStatus::Failed | ImportStatus::Undone) {
                update = update.col_expr(Column::EndedAt, Expr::value(Some(now())));
            }
        }
        if let Some(format) = progress.format {
            update = update.col_expr(Column::Format, Expr::value(format.as_str()));
        }
        if let Some(account) = progress.account_id {
            update = update.col_expr(Column::AccountId, Expr::value(account));
        }
        if let Some(mapping) = progress.mapping {
            update = update.col_expr(Column::Mapping, Expr::value(mapping));
        }
        if let Some(report) = progress.report {
            update = update.col_expr(Column::Report, Expr::value(report));
        }
        if let Some(problem) = progress.problem {
            update = update.col_expr(Column::Problem, Expr::value(problem));
        }
        if let Some(done) = progress.items_done {
            update = update.col_expr(Column::ItemsDone, Expr::value(done.cast_signed()));
        }
        if let Some(counts) = progress.counts {
            let columns = [
                (Column::RowsRead, counts.read),
                (Column::RowsNew, counts.new),
                (Column::RowsChanged, counts.changed),
                (Column::RowsDuplicate, counts.duplicates),
                (Column::RowsDeleted, counts.deleted),
                (Column::RowsReused, counts.reused),
                (Column::RowsRefused, counts.refused),
            ];
            for (column, count) in columns {
                update = update.col_expr(column, Expr::value(count.cast_signed()));
            }
        }
        update = update.col_expr(Column::ClaimedUntil, Expr::cust(until(&write)));
        if update.exec(&*write).await.db()?.rows_affected == 0 {
            return Ok(false);
        }
        if let Some(remarks) = progress.remarks {
            let old = import_remarks::Column::ImportId.eq(claim.import_id.0);
            import_remarks::Entity::delete_many().filter(old).exec(&*write).await.db()?;
            keep_remarks(&write, claim.import_id, 0, &remarks).await?;
        }
        if progress.status == Some(ImportStatus::Completed) {
            record(&write, claim.import_id, "import.completed").await?;
        }
        write.commit_unkept().await?;
        Ok(true)
    }

    pub(super) async fn changes_noted(
        &self,
        claim: ImportClaim,
        changes: Vec<ImportedChange>,
    ) -> Result<bool> {
        let write = self.write().await?;
        if fenced(claim).exec(&*write).await.db()?.rows_affected == 0 {
            return Ok(false);
        }
        for change in changes {
            let row = import_changes::ActiveModel {
                import_id: Set(claim.import_id.0),
                row_id: Set(change.row_id),
                kind: Set(change.kind),
                change_id: Set(change.change_id),
                before: Set(None),
                version: Set(change.version),
            };
            use import_changes::Column::{ImportId, RowId};
            let once = OnConflict::columns([ImportId, RowId]).do_nothing().to_owned();
            import_changes::Entity::insert(row)
                .on_conflict(once)
                .exec_without_returning(&*write)
                .await
                .db()?;
        }
        write.commit_unkept().await?;
        Ok(true)
    }

    /// None refers to another: an import of transactions makes accounts and categories, others one kind.
    pub(super) async fn changes_of(&self, id: ImportId) -> Result<Vec<ImportedChange>> {
        let rows = import_changes::Entity::find()
            .filter(import_changes::Column::ImportId.eq(id.0))
            .filter(import_changes::Column::Before.is_null())
            .order_by_asc(import_changes::Column::RowId);
        let change = |row: import_changes::Model| ImportedChange {
            row_id: row.row_id,
            kind: row.kind,
            change_id: row.change_id,
            version: row.version,
        };
        Ok(rows.all(&self.db).await.db()?.into_iter().map(change).collect())
    }

    pub(super) async fn undone_noted(
        &self,
        claim: ImportClaim,
        change: &ImportedChange,
        undone: Undone,
    ) -> Result<bool> {
        use imports::Column::{RowsKept, RowsUndone};
        let write = self.write().await?;
        let update = fenced(claim)
            .col_expr(RowsUndone, Expr::col(RowsUndone).add(undone.removed.cast_signed()))
            .col_expr(RowsKept, Expr::col(RowsKept).add(undone.kept.cast_signed()));
        if update.exec(&*write).await.db()?.rows_affected == 0 {
            return Ok(false);
        }
        let noted = (claim.import_id.0, change.row_id);
        import_changes::Entity::delete_by_id(noted).exec(&*write).await.db()?;
        write.commit_unkept().await?;
        Ok(true)
    }

    pub(super) async fn mapping_kept(&self, key: &MappingKey, mapping: Value) -> Result<()> {
        let write = self.write().await?;
        let row = import_mappings::ActiveModel {
            workspace_id: Set(key.workspace_id.0),
            kind: Set(key.kind.clone()),
            account_id: Set(key.account_id.unwrap_or_default()),
            headers_hash: Set(key.headers_hash.clone()),
            mapping: Set(mapping),
            updated_at: Set(now()),
        };
        use import_mappings::Column::{AccountId, HeadersHash, Kind, Mapping, UpdatedAt, WorkspaceId};
        let over = OnConflict::columns([WorkspaceId, Kind, AccountId, HeadersHash])
            .update_columns([Mapping, UpdatedAt])
            .to_owned();
        import_mappings::Entity::insert(row).on_conflict(over).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await
    }
}

/// The database's own clock, as `renewed` sets it.
fn until(write: &Write) -> &'static str {
    renewed(write.get_database_backend()).trim_start_matches("claimed_until = ")
}

pub async fn keep_remarks(write: &Write, id: ImportId, from: u64, remarks: &[Remark]) -> Result<()> {
    let row = |(position, remark): (u64, &Remark)| import_remarks::ActiveModel {
        import_id: Set(id.0),
        position: Set(position.cast_signed()),
        line: Set(remark.line.cast_signed()),
        r#type: Set(remark.of.to_string()),
        text: Set(remark.text.clone()),
    };
    let rows: Vec<_> = (from..).zip(remarks).map(row).collect();
    for piece in rows.chunks(200) {
        import_remarks::Entity::insert_many(piece.to_vec()).exec_without_returning(&**write).await.db()?;
    }
    Ok(())
}

/// Into the audit, with what became of it.
pub async fn record(write: &Write, id: ImportId, action: &str) -> Result<()> {
    let import = super::find(&**write, id).await?;
    let counts = import.counts;
    let details = json!({
        "kind": import.kind, "filename": import.filename, "new": counts.new, "changed": counts.changed,
        "duplicates": counts.duplicates, "refused": counts.refused,
    });
    let mut happening = Happening::new(action, id).within(WorkspaceId(import.workspace_id.0)).with(details);
    happening.by = import.profile_id;
    happening.record(write).await
}
