//! The rows of web search engines: at most one of the server, and one of each workspace.

use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::search_engines::{NewSearchEngine, SearchEngine};
use baton_core::store::{Error, Result};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use serde_json::json;

use crate::audit::Happening;
use crate::db::{OrStoreError, now};
use crate::entities::search_engines;
use crate::secrets;
use crate::write::Write;

pub async fn find(db: &impl ConnectionTrait, workspace: Option<WorkspaceId>) -> Result<Option<SearchEngine>> {
    let within = match workspace {
        Some(workspace) => search_engines::Column::WorkspaceId.eq(workspace.0),
        None => search_engines::Column::WorkspaceId.is_null(),
    };
    let Some(row) = search_engines::Entity::find().filter(within).one(db).await.db()? else {
        return Ok(None);
    };
    let sealed = secrets::of(db, vec![row.id]).await?.pop();
    Ok(Some(SearchEngine {
        id: row.id,
        workspace_id: row.workspace_id.map(WorkspaceId),
        kind: row.kind.parse().map_err(|wrong: String| Error::Database(wrong.into()))?,
        base_url: row.base_url,
        sealed: sealed.map(|(_, sealed)| sealed),
        updated_at: row.updated_at,
    }))
}

/// The engine keeps its id, and with it a key that is not given again. Its place is locked.
pub async fn set(write: &Write, new: NewSearchEngine, by: ProfileId) -> Result<SearchEngine> {
    let before = find(&**write, new.workspace_id).await?;
    if let Some(before) = before.as_ref().filter(|before| before.id != new.id) {
        secrets::remove(write, before.id).await?;
    }
    if let Some(before) = &before {
        search_engines::Entity::delete_by_id(before.id).exec(&**write).await.db()?;
    }
    let at = now();
    let row = search_engines::ActiveModel {
        id: Set(new.id),
        workspace_id: Set(new.workspace_id.map(|id| id.0)),
        kind: Set(new.kind.to_string()),
        base_url: Set(new.base_url),
        created_at: Set(at),
        updated_at: Set(at),
    };
    search_engines::Entity::insert(row).exec_without_returning(&**write).await.db()?;
    secrets::change(write, new.id, new.secret).await?;
    let set = Happening::new("search_engine.set", new.id).by(by).with(json!({"kind": new.kind}));
    Happening { workspace: new.workspace_id, ..set }.record(write).await?;
    find(&**write, new.workspace_id).await?.ok_or(Error::NotFound("search engine"))
}

pub async fn delete(write: &Write, workspace: Option<WorkspaceId>, by: ProfileId) -> Result<()> {
    let engine = find(&**write, workspace).await?.ok_or(Error::NotFound("search engine"))?;
    secrets::remove(write, engine.id).await?;
    search_engines::Entity::delete_by_id(engine.id).exec(&**write).await.db()?;
    let removed =
        Happening::new("search_engine.removed", engine.id).by(by).with(json!({"kind": engine.kind}));
    Happening { workspace, ..removed }.record(write).await
}
