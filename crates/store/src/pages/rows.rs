//! Rows of pages as core knows them.

use std::collections::HashMap;

use baton_core::ids::{PageId, WorkspaceId};
use baton_core::pages::{Page, PageNode, Properties, Reader, Sight};
use baton_core::store::{Error, Result};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Select,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{tree, versions};
use crate::db::OrStoreError;
use crate::entities::pages;

/// A page without its text.
#[derive(Debug, Clone, FromQueryResult)]
pub struct Light {
    pub id: Uuid,
    pub parent_id: Option<Uuid>,
    pub position: i64,
    pub slug: String,
    pub title: String,
    pub is_public: bool,
    pub version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub deleted_at: Option<DateTime<Utc>>,
}

impl From<pages::Model> for Light {
    fn from(row: pages::Model) -> Self {
        Self {
            id: row.id,
            parent_id: row.parent_id,
            position: row.position,
            slug: row.slug,
            title: row.title,
            is_public: row.is_public,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
            deleted_at: row.deleted_at,
        }
    }
}

/// Pages of a workspace that someone may read.
pub fn there(workspace: WorkspaceId, sight: Sight) -> Condition {
    let there = Condition::all()
        .add(pages::Column::WorkspaceId.eq(workspace.0))
        .add(pages::Column::DeletedAt.is_null());
    match sight {
        Sight::All => there,
        Sight::Public => there.add(pages::Column::IsPublic.into_expr()),
    }
}

pub async fn light(select: Select<pages::Entity>, db: &impl ConnectionTrait) -> Result<Vec<Light>> {
    use pages::Column::{
        CreatedAt, DeletedAt, Id, IsPublic, ParentId, Position, Slug, Title, UpdatedAt, Version,
    };
    let columns = [Id, ParentId, Position, Slug, Title, IsPublic, Version, CreatedAt, UpdatedAt, DeletedAt];
    select.select_only().columns(columns).into_model::<Light>().all(db).await.db()
}

/// With how many pages each has below it. Of pages that are not public, nothing is told to who sees only public ones.
pub async fn nodes(db: &impl ConnectionTrait, rows: Vec<Light>, sight: Sight) -> Result<Vec<PageNode>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let children = children(db, &ids, sight).await?;
    let parents = match sight {
        Sight::All => None,
        Sight::Public => {
            let above = pages::Entity::find()
                .filter(pages::Column::Id.is_in(rows.iter().filter_map(|row| row.parent_id)))
                .filter(pages::Column::IsPublic.into_expr())
                .filter(pages::Column::DeletedAt.is_null())
                .select_only()
                .column(pages::Column::Id);
            Some(above.into_tuple::<Uuid>().all(db).await.db()?)
        }
    };
    let node = |row: Light| PageNode {
        parent_id: row
            .parent_id
            .filter(|id| parents.as_ref().is_none_or(|seen| seen.contains(id)))
            .map(PageId),
        children: children.get(&row.id).copied().unwrap_or(0),
        id: PageId(row.id),
        position: row.position,
        slug: row.slug,
        title: row.title,
        is_public: row.is_public,
        version: row.version,
        created_at: row.created_at,
        updated_at: row.updated_at,
        deleted_at: row.deleted_at,
    };
    Ok(rows.into_iter().map(node).collect())
}

async fn children(db: &impl ConnectionTrait, ids: &[Uuid], sight: Sight) -> Result<HashMap<Uuid, u64>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut select = pages::Entity::find()
        .select_only()
        .column(pages::Column::ParentId)
        .expr_as(Expr::col(pages::Column::Id).count(), "children")
        .filter(pages::Column::ParentId.is_in(ids.iter().copied()))
        .filter(pages::Column::DeletedAt.is_null());
    if sight == Sight::Public {
        select = select.filter(pages::Column::IsPublic.into_expr());
    }
    let counted: Vec<(Uuid, i64)> =
        select.group_by(pages::Column::ParentId).into_tuple().all(db).await.db()?;
    Ok(counted.into_iter().map(|(id, count)| (id, count.unsigned_abs())).collect())
}

/// A page as a reader sees it.
pub async fn page(
    db: &impl ConnectionTrait,
    row: pages::Model,
    sight: Sight,
    reader: Reader,
) -> Result<Page> {
    let (id, version) = (row.id, row.version);
    let mut page = bare(row)?;
    if let Some(node) = nodes(db, vec![of(&page.node)], sight).await?.pop() {
        page.node = node;
    }
    if sight == Sight::All {
        page.above = tree::above(db, &[id]).await?.remove(&id).unwrap_or_default();
        page.last = versions::list(db, PageId(id), Some(version + 1), 1, reader).await?.pop();
    }
    Ok(page)
}

fn of(node: &PageNode) -> Light {
    Light {
        id: node.id.0,
        parent_id: node.parent_id.map(|id| id.0),
        position: node.position,
        slug: node.slug.clone(),
        title: node.title.clone(),
        is_public: node.is_public,
        version: node.version,
        created_at: node.created_at,
        updated_at: node.updated_at,
        deleted_at: node.deleted_at,
    }
}

/// What the row alone says.
pub fn bare(row: pages::Model) -> Result<Page> {
    let (workspace_id, body, properties) =
        (row.workspace_id, row.body.clone(), read_properties(&row.properties)?);
    let row = Light::from(row);
    let node = PageNode {
        id: PageId(row.id),
        parent_id: row.parent_id.map(PageId),
        position: row.position,
        slug: row.slug,
        title: row.title,
        is_public: row.is_public,
        version: row.version,
        children: 0,
        created_at: row.created_at,
        updated_at: row.updated_at,
        deleted_at: row.deleted_at,
    };
    Ok(Page {
        node,
        workspace_id: WorkspaceId(workspace_id),
        body,
        properties,
        above: Vec::new(),
        last: None,
    })
}

/// Names and values in their order: an object would lose it.
pub fn kept_properties(properties: &Properties) -> Value {
    json!(properties)
}

pub fn read_properties(kept: &Value) -> Result<Properties> {
    serde_json::from_value(kept.clone()).map_err(|error| Error::Database(Box::new(error)))
}
