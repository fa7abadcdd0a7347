//! Pages in a workspace's export: with every version and file, deleted ones too, one after another.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use baton_core::ids::{PageId, WorkspaceId};
use baton_core::store::Result;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde_json::json;
use uuid::Uuid;

use super::rows::read_properties;
use super::{files, versions};
use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::entities::{page_versions, pages};
use crate::json_pieces::JsonPieces;

/// Rows read at a time: each can have hundreds of kilobytes.
const ROWS: u64 = 10;

impl SqlStore {
    pub(crate) async fn export_pages(&self, json: &mut JsonPieces, workspace: WorkspaceId) -> Result<()> {
        json.list("pages");
        let mut last = Uuid::nil();
        loop {
            let rows = pages::Entity::find()
                .filter(pages::Column::WorkspaceId.eq(workspace.0))
                .filter(pages::Column::Id.gt(last))
                .order_by_asc(pages::Column::Id)
                .limit(ROWS)
                .all(&self.db)
                .await
                .db()?;
            let Some(newest) = rows.last() else { return json.end().await };
            last = newest.id;
            for row in rows {
                self.export_page(json, row).await?;
            }
        }
    }

    async fn export_page(&self, json: &mut JsonPieces, row: pages::Model) -> Result<()> {
        let id = row.id;
        json.object();
        json.fields(&json!({
            "id": row.id, "parent_id": row.parent_id, "position": row.position, "slug": row.slug,
            "title": row.title, "properties": read_properties(&row.properties)?, "is_public": row.is_public,
            "version": row.version, "created_at": row.created_at, "updated_at": row.updated_at,
            "deleted_at": row.deleted_at, "body": row.body,
        }))
        .await?;
        json.list("versions");
        let mut newest = i64::MAX;
        loop {
            // Each with its own text only: one without has that of the version before it.
            let rows = page_versions::Entity::find()
                .filter(page_versions::Column::PageId.eq(id))
                .filter(page_versions::Column::Version.lt(newest))
                .order_by_desc(page_versions::Column::Version)
                .limit(ROWS)
                .all(&self.db)
                .await
                .db()?;
            let Some(oldest) = rows.last() else { break };
            let next = oldest.version;
            let infos = versions::list(&self.db, PageId(id), Some(newest), ROWS, None).await?;
            for row in rows {
                let by = infos.iter().find(|info| info.version == row.version);
                let version = json!({
                    "version": row.version, "what": row.what, "title": row.title, "body": row.body,
                    "properties": read_properties(&row.properties)?, "is_public": row.is_public,
                    "parent_id": row.parent_id, "profile_id": row.profile_id, "agent_id": row.agent_id,
                    "agent_name": by.and_then(|by| by.agent_name.as_deref()),
                    "conversation_id": row.conversation_id, "approved_by": row.approved_by,
                    "created_at": row.created_at,
                });
                json.item(&version).await?;
            }
            newest = next;
        }
        json.end().await?;
        json.list("files");
        for info in files::of(&self.db, PageId(id)).await? {
            let file = files::read(&self.db, info.id).await?;
            let item = json!({
                "id": info.id, "name": info.name, "media_type": info.media_type, "size": info.size,
                "base64": STANDARD.encode(file.bytes),
            });
            json.item(&item).await?;
        }
        json.end().await?;
        json.end().await
    }
}
