//! Files that were made for a person: theirs alone, until they expire.

use async_trait::async_trait;
use baton_core::data::imports::ExportFile;
use baton_core::ids::{ExportId, ProfileId, WorkspaceId};
use baton_core::store::{Error, Exports, FilePieces, Result};
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::exports;

#[async_trait]
impl Exports for SqlStore {
    async fn keep_export(&self, file: ExportFile) -> Result<()> {
        let write = self.write().await?;
        let row = exports::ActiveModel {
            id: Set(file.id.0),
            workspace_id: Set(file.workspace_id.0),
            profile_id: Set(file.profile_id.0),
            kind: Set(file.kind),
            format: Set(file.format),
            filename: Set(file.filename),
            row_count: Set(file.rows.cast_signed()),
            size: Set(file.size.cast_signed()),
            created_at: Set(now()),
            expires_at: Set(file.expires_at),
        };
        exports::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await
    }

    async fn export_file(&self, id: ExportId, person: ProfileId, now: DateTime<Utc>) -> Result<ExportFile> {
        let found = exports::Entity::find_by_id(id.0)
            .filter(exports::Column::ProfileId.eq(person.0))
            .filter(exports::Column::ExpiresAt.gt(now));
        let row = found.one(&self.db).await.db()?.ok_or(Error::NotFound("file, or it has expired"))?;
        Ok(ExportFile {
            id,
            workspace_id: WorkspaceId(row.workspace_id),
            profile_id: person,
            kind: row.kind,
            format: row.format,
            filename: row.filename,
            rows: row.row_count.cast_unsigned(),
            size: row.size.cast_unsigned(),
            expires_at: row.expires_at,
        })
    }
}

impl SqlStore {
    pub(crate) async fn remove_expired_exports(&self, now: DateTime<Utc>) -> Result<()> {
        let expired = exports::Entity::find()
            .select_only()
            .column(exports::Column::Id)
            .filter(exports::Column::ExpiresAt.lt(now))
            .into_tuple::<Uuid>();
        for id in expired.all(&self.db).await.db()? {
            self.remove_file(id).await?;
            let write = self.write().await?;
            exports::Entity::delete_by_id(id).exec(&*write).await.db()?;
            write.commit_unkept().await?;
        }
        Ok(())
    }
}
