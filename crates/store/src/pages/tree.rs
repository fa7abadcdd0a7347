//! The tree of pages: what lies above and below a page, names and paths, free slugs and places.

use std::collections::HashMap;

use baton_core::Invalid;
use baton_core::ids::{PageId, WorkspaceId};
use baton_core::pages::{PageName, PageNode, PageRef, Sight, path_of, title_key};
use baton_core::store::{Error, Result};
use baton_core::text;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, Statement, Value,
};
use uuid::Uuid;

use super::rows::{light, nodes, there};
use crate::db::OrStoreError;
use crate::entities::pages;
use crate::write::Write;

/// Between two neighbours, so that others fit between them.
pub const GAP: i64 = 1 << 16;
/// Links that are shown of one page, each way.
const MAX_LINKED: u64 = 500;
/// A way up is never longer; a circle, which can't be, would end here.
const MOST_LEVELS: i64 = 64;

/// The page that is meant. Deleted ones only by their id, and only for who sees all.
pub async fn find(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    named: &PageRef,
    sight: Sight,
) -> Result<Uuid> {
    let ids = |select: Select<pages::Entity>| {
        select.select_only().column(pages::Column::Id).limit(3).into_tuple::<Uuid>()
    };
    let name = match named {
        PageRef::Id(id) => {
            let by_id = pages::Entity::find_by_id(id.0).filter(pages::Column::WorkspaceId.eq(workspace.0));
            let by_id = match sight {
                Sight::All => by_id,
                Sight::Public => by_id.filter(there(workspace, sight)),
            };
            return ids(by_id).one(db).await.db()?.ok_or(Error::NotFound("page"));
        }
        PageRef::Named(name) => name.trim().trim_matches('/'),
    };
    // A path names pages that may not be public.
    if sight == Sight::All
        && let Some(id) = at_path(db, workspace, name).await?
    {
        return Ok(id);
    }
    let titled = pages::Entity::find()
        .filter(there(workspace, sight))
        .filter(pages::Column::TitleKey.eq(title_key(name)))
        .order_by_asc(pages::Column::Id);
    match ids(titled).all(db).await.db()?[..] {
        [] => Err(Error::NotFound("page")),
        [id] => Ok(id),
        ref some => {
            let mut paths: Vec<String> = match sight {
                Sight::All => paths(db, some).await?,
                Sight::Public => some.iter().map(Uuid::to_string).collect(),
            };
            paths.sort();
            let message = format!(
                "is the title of several pages: name one of them by its path or id ({})",
                paths.join(", ")
            );
            Err(Invalid::new("page", message).into())
        }
    }
}

async fn paths(db: &impl ConnectionTrait, ids: &[Uuid]) -> Result<Vec<String>> {
    let mut above = above(db, ids).await?;
    let rows = light(pages::Entity::find().filter(pages::Column::Id.is_in(ids.iter().copied())), db).await?;
    Ok(rows.iter().map(|row| path_of(&above.remove(&row.id).unwrap_or_default(), &row.slug)).collect())
}

async fn at_path(db: &impl ConnectionTrait, workspace: WorkspaceId, path: &str) -> Result<Option<Uuid>> {
    let mut at: Option<Uuid> = None;
    for slug in path.split('/').take(MOST_LEVELS as usize) {
        let below = below(workspace, at).filter(pages::Column::Slug.eq(slug));
        let found = below.select_only().column(pages::Column::Id).into_tuple::<Uuid>().one(db).await.db()?;
        let Some(found) = found else { return Ok(None) };
        at = Some(found);
    }
    Ok(at)
}

/// The pages right below one, or at the top.
pub fn below(workspace: WorkspaceId, parent: Option<Uuid>) -> Select<pages::Entity> {
    let there = pages::Entity::find().filter(there(workspace, Sight::All));
    match parent {
        Some(parent) => there.filter(pages::Column::ParentId.eq(parent)),
        None => there.filter(pages::Column::ParentId.is_null()),
    }
}

/// For each of these pages those above it, the highest first.
pub async fn above(db: &impl ConnectionTrait, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<PageName>>> {
    let mut found: HashMap<Uuid, Vec<PageName>> = HashMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    let places: Vec<String> = (1..=ids.len()).map(|at| format!("${at}")).collect();
    let sql = format!(
        "WITH RECURSIVE up (page, id, parent_id, slug, title, level) AS (\
         SELECT id, id, parent_id, slug, title, 0 FROM pages WHERE id IN ({}) UNION ALL \
         SELECT up.page, pages.id, pages.parent_id, pages.slug, pages.title, up.level + 1 FROM up \
         JOIN pages ON pages.id = up.parent_id WHERE up.level < {MOST_LEVELS}) \
         SELECT page, id, slug, title FROM up WHERE level > 0 ORDER BY page, level DESC",
        places.join(", ")
    );
    let values = ids.iter().map(|id| Value::from(*id));
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    for row in db.query_all_raw(statement).await.db()? {
        let name = PageName {
            id: PageId(row.try_get("", "id").db()?),
            slug: row.try_get("", "slug").db()?,
            title: row.try_get("", "title").db()?,
        };
        found.entry(row.try_get("", "page").db()?).or_default().push(name);
    }
    Ok(found)
}

/// A page and all below it that are there, with how far below, at most `most` and one more.
pub async fn within(db: &impl ConnectionTrait, page: Uuid, most: usize) -> Result<Vec<(Uuid, i64)>> {
    let sql = format!(
        "WITH RECURSIVE down (id, level) AS (SELECT id, CAST(0 AS BIGINT) FROM pages WHERE id = $1 UNION ALL \
         SELECT pages.id, down.level + 1 FROM down JOIN pages ON pages.parent_id = down.id \
         WHERE pages.deleted_at IS NULL AND down.level < {MOST_LEVELS}) SELECT id, level FROM down LIMIT {}",
        most + 1
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [page.into()]);
    let rows = db.query_all_raw(statement).await.db()?;
    rows.iter().map(|row| Ok((row.try_get("", "id").db()?, row.try_get("", "level").db()?))).collect()
}

/// A slug that no other page below the same one has.
pub async fn free_slug(
    write: &Write,
    workspace: WorkspaceId,
    parent: Option<Uuid>,
    title: &str,
    own: Option<Uuid>,
) -> Result<String> {
    let wanted = text::slugify(title, "page");
    let mut beside = below(workspace, parent).filter(pages::Column::Slug.starts_with(&wanted));
    if let Some(own) = own {
        beside = beside.filter(pages::Column::Id.ne(own));
    }
    let taken: Vec<String> =
        beside.select_only().column(pages::Column::Slug).into_tuple().all(&**write).await.db()?;
    Ok(text::free_slug(&wanted, |slug| taken.iter().any(|other| other == slug)))
}

/// The place after all that are there.
pub async fn last_position(write: &Write, workspace: WorkspaceId, parent: Option<Uuid>) -> Result<i64> {
    let last = below(workspace, parent)
        .select_only()
        .column(pages::Column::Position)
        .order_by_desc(pages::Column::Position)
        .into_tuple::<i64>();
    Ok(last.one(&**write).await.db()?.map_or(0, |last| last + GAP))
}

/// The place before a page; its neighbours are numbered anew if there is none between them. None: it is not there.
pub async fn position_before(
    write: &Write,
    workspace: WorkspaceId,
    parent: Option<Uuid>,
    before: Uuid,
) -> Result<Option<i64>> {
    for is_renumbered in [false, true] {
        let order: Vec<(Uuid, i64)> = below(workspace, parent)
            .select_only()
            .columns([pages::Column::Id, pages::Column::Position])
            .order_by_asc(pages::Column::Position)
            .order_by_asc(pages::Column::Id)
            .into_tuple()
            .all(&**write)
            .await
            .db()?;
        let Some(at) = order.iter().position(|(id, _)| *id == before) else { return Ok(None) };
        let next = order[at].1;
        let previous = at.checked_sub(1).map_or(next - 2 * GAP, |at| order[at].1);
        if next - previous >= 2 {
            return Ok(Some(previous + (next - previous) / 2));
        }
        if is_renumbered {
            break;
        }
        for (number, (id, _)) in order.iter().enumerate() {
            let sql = "UPDATE pages SET position = $1 WHERE id = $2";
            let values: [Value; 2] = [(number as i64 * GAP).into(), (*id).into()];
            let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
            write.execute_raw(statement).await.db()?;
        }
    }
    Ok(None)
}

#[derive(Debug, Clone, Copy)]
pub enum Way {
    From,
    To,
}

/// Pages that a page links to, or that link to it, by their titles.
pub async fn linked(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    page: PageId,
    sight: Sight,
    way: Way,
) -> Result<Vec<PageNode>> {
    let sql = match way {
        Way::From => "SELECT target_id AS id FROM page_links WHERE page_id = $1 LIMIT 2000",
        Way::To => "SELECT page_id AS id FROM page_links WHERE target_id = $1 LIMIT 2000",
    };
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [page.0.into()]);
    let rows = db.query_all_raw(statement).await.db()?;
    let ids = rows.iter().map(|row| row.try_get("", "id").db()).collect::<Result<Vec<Uuid>>>()?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = pages::Entity::find()
        .filter(pages::Column::Id.is_in(ids))
        .filter(there(workspace, sight))
        .order_by_asc(pages::Column::TitleKey)
        .order_by_asc(pages::Column::Id)
        .limit(MAX_LINKED);
    nodes(db, light(found, db).await?, sight).await
}
