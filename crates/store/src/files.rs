//! Files kept in the database, so that every node has them.

use async_trait::async_trait;
use baton_core::files::{File, MAX_FILES, NewFile};
use baton_core::ids::{FileId, WorkspaceId};
use baton_core::store::{Error, Files, Result};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now};
use crate::entities::files;

#[async_trait]
impl Files for SqlStore {
    async fn keep_file(&self, new: NewFile) -> Result<FileId> {
        let write = self.write().await?;
        let beside = match new.workspace_id {
            Some(workspace) => files::Column::WorkspaceId.eq(workspace.0),
            None => files::Column::WorkspaceId.is_null(),
        };
        at_most("files", MAX_FILES, files::Entity::find().filter(beside).count(&*write).await.db()?)?;
        let id = FileId::new();
        let row = files::ActiveModel {
            id: Set(id.0),
            workspace_id: Set(new.workspace_id.map(|id| id.0)),
            uploaded_by: Set(new.uploaded_by.map(|id| id.0)),
            content_type: Set(new.content_type.to_owned()),
            size: Set(new.bytes.len() as i64),
            bytes: Set(new.bytes),
            created_at: Set(now()),
        };
        files::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        write.commit().await?;
        Ok(id)
    }

    async fn file(&self, id: FileId) -> Result<File> {
        let row = files::Entity::find_by_id(id.0).one(&self.db).await.db()?.ok_or(Error::NotFound("file"))?;
        Ok(File {
            id,
            workspace_id: row.workspace_id.map(WorkspaceId),
            content_type: row.content_type,
            bytes: row.bytes,
            created_at: row.created_at,
        })
    }

    async fn file_workspace(&self, id: FileId) -> Result<Option<WorkspaceId>> {
        let workspace: Option<Option<Uuid>> = files::Entity::find_by_id(id.0)
            .select_only()
            .column(files::Column::WorkspaceId)
            .into_tuple()
            .one(&self.db)
            .await
            .db()?;
        workspace.map(|id| id.map(WorkspaceId)).ok_or(Error::NotFound("file"))
    }
}
