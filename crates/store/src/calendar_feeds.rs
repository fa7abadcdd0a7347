//! The secret addresses of calendars. Only hashes are kept.

use async_trait::async_trait;
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::store::{CalendarFeeds, Error, Result};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::calendar_feeds::{ActiveModel, Column, Entity};
use crate::entities::workspace_members;

#[async_trait]
impl CalendarFeeds for SqlStore {
    async fn calendar_feed(
        &self,
        workspace: WorkspaceId,
        person: ProfileId,
    ) -> Result<Option<DateTime<Utc>>> {
        let row = Entity::find_by_id((workspace.0, person.0)).one(&self.db).await.db()?;
        Ok(row.map(|row| row.created_at))
    }

    async fn make_calendar_feed(
        &self,
        workspace: WorkspaceId,
        person: ProfileId,
        token_hash: Vec<u8>,
    ) -> Result<DateTime<Utc>> {
        let write = self.write().await?;
        let created_at = now();
        let row = ActiveModel {
            workspace_id: Set(workspace.0),
            profile_id: Set(person.0),
            token_hash: Set(token_hash),
            created_at: Set(created_at),
        };
        let mut in_place = OnConflict::columns([Column::WorkspaceId, Column::ProfileId]);
        in_place.update_columns([Column::TokenHash, Column::CreatedAt]);
        Entity::insert(row).on_conflict(in_place).exec_without_returning(&*write).await.db()?;
        Happening::new("calendar_feed.created", person).within(workspace).by(person).record(&write).await?;
        write.commit().await?;
        Ok(created_at)
    }

    async fn delete_calendar_feed(&self, workspace: WorkspaceId, person: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let done = Entity::delete_by_id((workspace.0, person.0)).exec(&*write).await.db()?;
        if done.rows_affected == 0 {
            return Err(Error::NotFound("calendar address"));
        }
        Happening::new("calendar_feed.deleted", person).within(workspace).by(person).record(&write).await?;
        write.commit().await
    }

    async fn calendar_feed_owner(&self, token_hash: &[u8]) -> Result<Option<(WorkspaceId, ProfileId)>> {
        let found = Entity::find().filter(Column::TokenHash.eq(token_hash)).one(&self.db).await.db()?;
        let Some(row) = found else { return Ok(None) };
        let member = workspace_members::Entity::find_by_id((row.workspace_id, row.profile_id));
        let is_member = member.one(&self.db).await.db()?.is_some();
        Ok(is_member.then_some((WorkspaceId(row.workspace_id), ProfileId(row.profile_id))))
    }
}
