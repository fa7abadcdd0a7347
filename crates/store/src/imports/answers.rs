//! What people do with an import: its file arrives, they answer its questions, they take it back.

use baton_core::data::imports::{Import, ImportAnswers, ImportStatus};
use baton_core::ids::{ImportId, ProfileId};
use baton_core::store::{Error, Result};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, ExprTrait, QueryFilter, UpdateMany};
use uuid::Uuid;

use super::find;
use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::imports::{self, Column};

/// Changes an import to this status; whatever process worked on it does so no more.
fn becomes(id: ImportId, status: ImportStatus) -> UpdateMany<imports::Entity> {
    imports::Entity::update_many()
        .col_expr(Column::Status, Expr::value(status.as_str()))
        .col_expr(Column::ClaimedBy, Expr::value(None::<Uuid>))
        .col_expr(Column::Attempt, Expr::col(Column::Attempt).add(1))
        .col_expr(Column::UpdatedAt, Expr::value(now()))
        .filter(Column::Id.eq(id.0))
}

impl SqlStore {
    pub(super) async fn arrived(&self, id: ImportId, size: u64) -> Result<Import> {
        let write = self.write().await?;
        let arrived = becomes(id, ImportStatus::Reading)
            .col_expr(Column::Size, Expr::value(size.cast_signed()))
            .filter(Column::Status.eq("uploading"));
        if arrived.exec(&*write).await.db()?.rows_affected == 0 {
            return Err(Error::NotFound("import"));
        }
        let import = find(&*write, id).await?;
        write.commit_unkept().await?;
        Ok(import)
    }

    pub(super) async fn answered(&self, id: ImportId, answers: ImportAnswers) -> Result<Option<Import>> {
        let write = self.write().await?;
        let mut answered = becomes(id, ImportStatus::Reading)
            .filter(Column::Status.is_in(["needs_mapping", "ready"]))
            .col_expr(Column::ItemsDone, Expr::value(0));
        if let Some(mapping) = answers.mapping {
            answered = answered.col_expr(Column::Mapping, Expr::value(mapping));
        }
        if let Some(account) = answers.account_id {
            answered = answered.col_expr(Column::AccountId, Expr::value(account));
        }
        if answers.starts {
            answered = answered.col_expr(Column::IsDryRun, Expr::value(false));
        }
        let done = answered.exec(&*write).await.db()?;
        let import = find(&*write, id).await?;
        write.commit_unkept().await?;
        Ok((done.rows_affected > 0).then_some(import))
    }

    pub(super) async fn undo_begun(&self, id: ImportId, by: ProfileId) -> Result<Option<Import>> {
        let write = self.write().await?;
        let begun = becomes(id, ImportStatus::Undoing)
            .col_expr(Column::EndedAt, Expr::value(None::<chrono::DateTime<chrono::Utc>>))
            .filter(Column::Status.is_in([
                "reading",
                "needs_mapping",
                "ready",
                "importing",
                "completed",
                "failed",
            ]));
        let done = begun.exec(&*write).await.db()?;
        let import = find(&*write, id).await?;
        if done.rows_affected == 0 {
            return Ok(None);
        }
        Happening::new("import.undone", id)
            .within(import.workspace_id)
            .by(by)
            .of(&import.filename)
            .record(&write)
            .await?;
        write.commit_unkept().await?;
        Ok(Some(import))
    }

    /// Nobody answered.
    pub(super) async fn given_up(&self, id: ImportId) -> Result<()> {
        let write = self.write().await?;
        let problem = "Nobody answered its questions, or started it, for a week.";
        becomes(id, ImportStatus::Failed)
            .col_expr(Column::Problem, Expr::value(problem))
            .col_expr(Column::EndedAt, Expr::value(Some(now())))
            .filter(Column::Status.is_in(["needs_mapping", "ready"]))
            .exec(&*write)
            .await
            .db()?;
        write.commit_unkept().await
    }
}
