//! The bytes of large files in pieces: every node has them, and none ever holds a whole file. They are written and removed in
//! short transactions, so that other people's commits go in between.

use async_trait::async_trait;
use baton_core::ids::WorkspaceId;
use baton_core::store::{Error, FilePieces, Result};
use chrono::{DateTime, Duration, Utc};
use sea_orm::ActiveValue::Set;
use sea_orm::{EntityTrait, Value};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::entities::file_pieces;
use crate::write::Write;

/// Removed in one transaction: each is a quarter of a megabyte.
const PIECES: u64 = 16;
const REMOVE: &str = "DELETE FROM file_pieces WHERE (file_id, position) IN \
    (SELECT file_id, position FROM file_pieces WHERE file_id = $1 LIMIT $2)";

/// Pieces that belong to nothing: whoever wrote them was stopped before the row of their file was there, or its person is gone.
const LEFT: &str = "DELETE FROM file_pieces WHERE (file_id, position) IN (SELECT file_id, position FROM file_pieces \
    WHERE file_id < $1 AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.id = file_pieces.file_id) \
    AND NOT EXISTS (SELECT 1 FROM exports WHERE exports.id = file_pieces.file_id) LIMIT $2)";
/// How long a file may be on its way before its pieces are looked at.
const WRITTEN_WITHIN: Duration = Duration::days(1);

#[async_trait]
impl FilePieces for SqlStore {
    async fn keep_piece(
        &self,
        workspace: WorkspaceId,
        file: Uuid,
        position: u64,
        bytes: Vec<u8>,
    ) -> Result<()> {
        let write = self.write().await?;
        let row = file_pieces::ActiveModel {
            file_id: Set(file),
            position: Set(position.cast_signed()),
            workspace_id: Set(workspace.0),
            bytes: Set(bytes),
        };
        file_pieces::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await
    }

    async fn piece(&self, file: Uuid, position: u64) -> Result<Vec<u8>> {
        let found =
            file_pieces::Entity::find_by_id((file, position.cast_signed())).one(&self.db).await.db()?;
        found.map(|piece| piece.bytes).ok_or(Error::NotFound("piece of this file"))
    }

    async fn remove_file(&self, file: Uuid) -> Result<()> {
        self.in_pieces(REMOVE, file.into(), PIECES).await?;
        let write = self.write().await?;
        forget_size(&write, file).await?;
        write.commit_unkept().await
    }
}

impl SqlStore {
    pub(crate) async fn remove_left_pieces(&self, now: DateTime<Utc>) -> Result<()> {
        // The id of a file begins with the time at which it was made.
        let before = u64::try_from((now - WRITTEN_WITHIN).timestamp_millis()).unwrap_or_default();
        let before = uuid::Builder::from_unix_timestamp_millis(before, &[0; 10]).into_uuid();
        self.in_pieces(LEFT, before.into(), PIECES).await
    }
}

/// Its bytes are gone, so they count no more.
async fn forget_size(write: &Write, file: Uuid) -> Result<()> {
    let value: [Value; 1] = [file.into()];
    crate::removal::execute(write, "UPDATE imports SET size = 0 WHERE id = $1", value).await.map(drop)
}
