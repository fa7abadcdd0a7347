//! Changes of pages, each within the write of whoever asks. A refusal is words that a person or a model can act on.

use std::collections::HashMap;

use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::Author;
use baton_core::effects::EffectRefused;
use baton_core::ids::{PageId, PageImportId, WorkspaceId};
use baton_core::pages::{
    Destination, MAX_AT_ONCE, MAX_DEPTH, MAX_PAGES, Made, NewPage, PageChange, PageChanges, PageRef, Place,
    Sight, changed_since, destinations, no_such_page, page_link, path_of, rewrite, searchable, title_key,
};
use baton_core::store::{Error, Result, Written};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    Statement, Value,
};
use uuid::Uuid;

use super::rows::{kept_properties, read_properties};
use super::{tree, versions};
use crate::areas;
use crate::db::{OrStoreError, at_most, now};
use crate::entities::pages;
use crate::full_text::{self, Scope};
use crate::write::Write;

/// Names in one text that are looked up.
const MAX_NAMED: usize = 200;

type Changed<T> = std::result::Result<T, EffectRefused>;

/// Who makes a change, and with what.
#[derive(Debug, Clone)]
pub struct By {
    pub author: Author,
    pub approved_by: Option<String>,
    pub import: Option<PageImportId>,
}

/// All changes of a workspace's pages wait for each other.
pub async fn lock(within: &Write, workspace: WorkspaceId) -> Result<()> {
    within.lock_name(&format!("pages of {workspace}")).await
}

pub async fn change(
    within: &Write,
    workspace: WorkspaceId,
    author: Author,
    args_hash: Option<&str>,
    change: PageChange,
) -> Written {
    lock(within, workspace).await?;
    let areas = areas::of(&**within, workspace, author.profile_id).await?;
    if let Err(refused) = areas.check(Area::Knowledge, AreaAccess::Write) {
        return Err(EffectRefused::NotNow(format!("{refused}.")));
    }
    let approved_by = versions::approver(within, author, args_hash).await?;
    let by = By { author, approved_by, import: None };
    let (row, pages) = match &change {
        PageChange::Create { id, new } => (create(within, workspace, *id, new, &by).await?, 1),
        PageChange::Set { page, seen, changes } => {
            let row = seen_as(within, workspace, page, *seen).await?;
            (set(within, row, changes, Made::Changed, &by).await?, 1)
        }
        PageChange::Move { page, seen, below, place } => {
            let row = seen_as(within, workspace, page, *seen).await?;
            (put(within, row, below.as_ref(), *place, &by).await?, 1)
        }
        PageChange::Delete { page, seen } => {
            let row = seen_as(within, workspace, page, *seen).await?;
            delete(within, row, &by).await?
        }
        PageChange::Restore { page } => restore(within, workspace, *page, &by).await?,
        PageChange::RestoreVersion { page, seen, version } => {
            let row = seen_as(within, workspace, &PageRef::Id(*page), *seen).await?;
            let old = versions::kept(&**within, page.0, *version).await?;
            let old = old.ok_or_else(|| refused("This version is not kept any more."))?;
            let changes = PageChanges {
                title: Some(old.title),
                body: Some(baton_core::pages::BodyChange::Whole(old.body)),
                properties: Some(old.properties),
                is_public: None,
            };
            (set(within, row, &changes, Made::Restored, &by).await?, 1)
        }
    };
    let above = tree::above(&**within, &[row.id]).await?.remove(&row.id).unwrap_or_default();
    let path = path_of(&above, &row.slug);
    Ok(change.outcome(PageId(row.id), &path, &row.title, row.version, pages))
}

fn refused(words: impl Into<String>) -> EffectRefused {
    EffectRefused::NotNow(words.into())
}

/// The page that is meant, which is there.
async fn find(within: &Write, workspace: WorkspaceId, named: &PageRef) -> Changed<pages::Model> {
    let id = match tree::find(&**within, workspace, named, Sight::All).await {
        Ok(id) => id,
        Err(Error::NotFound(_)) => return Err(refused(no_such_page(named))),
        Err(Error::Invalid(invalid)) => return Err(refused(format!("{invalid}."))),
        Err(error) => return Err(error.into()),
    };
    let row = pages::Entity::find_by_id(id).one(&**within).await.db()?;
    let row = row.filter(|row| row.deleted_at.is_none());
    row.ok_or_else(|| refused(no_such_page(named)))
}

/// The page as whoever asks has seen it.
async fn seen_as(
    within: &Write,
    workspace: WorkspaceId,
    named: &PageRef,
    seen: Option<i64>,
) -> Changed<pages::Model> {
    let row = find(within, workspace, named).await?;
    match seen {
        Some(seen) if seen != row.version => Err(refused(changed_since(&row.title, seen, row.version))),
        _ => Ok(row),
    }
}

/// The page below which something is put, and how deep that is.
async fn parent(
    within: &Write,
    workspace: WorkspaceId,
    named: Option<&PageRef>,
) -> Changed<(Option<pages::Model>, Vec<Uuid>)> {
    let Some(named) = named else { return Ok((None, Vec::new())) };
    let row = find(within, workspace, named).await?;
    let above = tree::above(&**within, &[row.id]).await?.remove(&row.id).unwrap_or_default();
    let mut way: Vec<Uuid> = above.into_iter().map(|page| page.id.0).collect();
    way.push(row.id);
    Ok((Some(row), way))
}

fn check_depth(levels: usize) -> Changed<()> {
    if levels > MAX_DEPTH {
        return Err(refused(format!(
            "Pages can lie at most {MAX_DEPTH} levels deep: choose a page further up."
        )));
    }
    Ok(())
}

async fn create(
    within: &Write,
    workspace: WorkspaceId,
    id: PageId,
    new: &NewPage,
    by: &By,
) -> Changed<pages::Model> {
    let (parent, way) = parent(within, workspace, new.parent.as_ref()).await?;
    check_depth(way.len() + 1)?;
    let there = pages::Entity::find().filter(pages::Column::WorkspaceId.eq(workspace.0));
    if let Err(full) = at_most("pages", MAX_PAGES, there.count(&**within).await.db()?) {
        return Err(refused(format!("{full}.")));
    }
    let parent = parent.map(|row| row.id);
    let position = tree::last_position(within, workspace, parent).await?;
    let draft = Draft { id: id.0, workspace, parent, position, source: None, made: Made::Created };
    Ok(insert(within, draft, new, by).await?)
}

/// Where a new page goes, and whence it comes.
pub struct Draft {
    pub id: Uuid,
    pub workspace: WorkspaceId,
    pub parent: Option<Uuid>,
    pub position: i64,
    pub source: Option<Source>,
    pub made: Made,
}

/// What an import knows a page by.
#[derive(Debug, Clone)]
pub struct Source {
    pub path: String,
    pub root: Option<Uuid>,
    pub digest: String,
}

pub async fn insert(within: &Write, draft: Draft, new: &NewPage, by: &By) -> Result<pages::Model> {
    let at = now();
    let Draft { id, workspace, parent, position, source, made } = draft;
    let (body, targets) = with_ids(within, workspace, &new.body).await?;
    let row = pages::ActiveModel {
        id: Set(id),
        workspace_id: Set(workspace.0),
        parent_id: Set(parent),
        position: Set(position),
        slug: Set(tree::free_slug(within, workspace, parent, &new.title, None).await?),
        title: Set(new.title.clone()),
        title_key: Set(title_key(&new.title)),
        properties: Set(kept_properties(&new.properties)),
        is_public: Set(new.is_public),
        version: Set(1),
        bytes: Set(2 * weight(&new.title, &body)),
        body: Set(body),
        source_path: Set(source.as_ref().map(|source| source.path.clone())),
        source_root: Set(source.as_ref().and_then(|source| source.root)),
        source_digest: Set(source.map(|source| source.digest)),
        created_at: Set(at),
        updated_at: Set(at),
        deleted_at: Set(None),
        deleted_with: Set(None),
    };
    let row = pages::Entity::insert(row).exec_with_returning(&**within).await.db()?;
    versions::add(within, &row, made, versions::Text::New, by).await?;
    link(within, row.id, workspace, targets).await?;
    index(within, &row).await?;
    Ok(row)
}

pub async fn set(
    within: &Write,
    row: pages::Model,
    changes: &PageChanges,
    made: Made,
    by: &By,
) -> Changed<pages::Model> {
    let workspace = WorkspaceId(row.workspace_id);
    let title = changes.title.clone().unwrap_or_else(|| row.title.clone());
    let body = match &changes.body {
        Some(change) => change.applied(&row.body).map_err(refused)?,
        None => row.body.clone(),
    };
    let (body, targets) = with_ids(within, workspace, &body).await?;
    let properties = match &changes.properties {
        Some(properties) => kept_properties(properties),
        None => row.properties.clone(),
    };
    let is_public = changes.is_public.unwrap_or(row.is_public);
    let is_rewritten = body != row.body;
    if !is_rewritten && title == row.title && properties == row.properties && is_public == row.is_public {
        return Ok(row);
    }
    let slug = match title == row.title {
        true => row.slug.clone(),
        false => tree::free_slug(within, workspace, row.parent_id, &title, Some(row.id)).await?,
    };
    let weights = if is_rewritten { weight(&title, &body) } else { weight(&title, "") };
    let grown = weights + if is_rewritten { body.len() as i64 - row.body.len() as i64 } else { 0 };
    let change = pages::ActiveModel {
        id: Unchanged(row.id),
        slug: Set(slug),
        title_key: Set(title_key(&title)),
        title: Set(title),
        body: Set(body),
        properties: Set(properties),
        is_public: Set(is_public),
        version: Set(row.version + 1),
        bytes: Set(row.bytes + grown),
        updated_at: Set(now()),
        ..Default::default()
    };
    let row = change.update(&**within).await.db()?;
    let text = if is_rewritten { versions::Text::New } else { versions::Text::AsBefore };
    versions::add(within, &row, made, text, by).await?;
    link(within, row.id, workspace, targets).await?;
    index(within, &row).await?;
    Ok(row)
}

async fn put(
    within: &Write,
    row: pages::Model,
    below: Option<&PageRef>,
    place: Place,
    by: &By,
) -> Changed<pages::Model> {
    let workspace = WorkspaceId(row.workspace_id);
    let (parent, way) = parent(within, workspace, below).await?;
    if way.contains(&row.id) {
        return Err(refused("A page can't be moved below itself."));
    }
    let moved = tree::within(&**within, row.id, MAX_PAGES as usize).await?;
    let levels = moved.iter().map(|(_, level)| *level as usize + 1).max().unwrap_or(1);
    check_depth(way.len() + levels)?;
    let parent = parent.map(|row| row.id);
    let position = match place {
        Place::Last => tree::last_position(within, workspace, parent).await?,
        Place::Before(other) if other.0 == row.id => return Ok(row),
        Place::Before(other) => tree::position_before(within, workspace, parent, other.0)
            .await?
            .ok_or_else(|| refused("The page before which it should come is not there."))?,
    };
    let slug = match parent == row.parent_id {
        true => row.slug.clone(),
        false => tree::free_slug(within, workspace, parent, &row.title, Some(row.id)).await?,
    };
    let change = pages::ActiveModel {
        id: Unchanged(row.id),
        parent_id: Set(parent),
        position: Set(position),
        slug: Set(slug),
        version: Set(row.version + 1),
        bytes: Set(row.bytes + weight(&row.title, "")),
        updated_at: Set(now()),
        ..Default::default()
    };
    let row = change.update(&**within).await.db()?;
    versions::add(within, &row, Made::Moved, versions::Text::AsBefore, by).await?;
    Ok(row)
}

/// With all below it. They are found no more, and can be restored together.
async fn delete(within: &Write, row: pages::Model, by: &By) -> Changed<(pages::Model, usize)> {
    let going = tree::within(&**within, row.id, MAX_AT_ONCE).await?;
    if going.len() > MAX_AT_ONCE {
        let words = format!("There are more than {MAX_AT_ONCE} pages below it: delete some of those first.");
        return Err(refused(words));
    }
    let at = now();
    for (id, _) in &going {
        let sql = "UPDATE pages SET deleted_at = $1, deleted_with = $2 WHERE id = $3";
        run(within, sql, [at.into(), row.id.into(), (*id).into()]).await?;
        full_text::remove(&**within, full_text::PAGES, *id).await?;
    }
    let change = pages::ActiveModel {
        id: Unchanged(row.id),
        version: Set(row.version + 1),
        bytes: Set(row.bytes + weight(&row.title, "")),
        updated_at: Set(at),
        ..Default::default()
    };
    let row = change.update(&**within).await.db()?;
    versions::add(within, &row, Made::Deleted, versions::Text::AsBefore, by).await?;
    Ok((row, going.len()))
}

async fn restore(
    within: &Write,
    workspace: WorkspaceId,
    page: PageId,
    by: &By,
) -> Changed<(pages::Model, usize)> {
    let row = pages::Entity::find_by_id(page.0).one(&**within).await.db()?;
    let row = row.filter(|row| row.workspace_id == workspace.0 && row.deleted_at.is_some());
    let row =
        row.ok_or_else(|| refused("There is no such deleted page: it was restored, or is gone for good."))?;
    if row.deleted_with != Some(row.id) {
        return Err(refused("It was deleted with a page above it: restore that one."));
    }
    // Where it was, or at the top if that is gone.
    let above = row.parent_id.map(|id| PageRef::Id(PageId(id)));
    let (parent, way) = match parent(within, workspace, above.as_ref()).await {
        Err(EffectRefused::NotNow(_)) => (None, Vec::new()),
        found => found?,
    };
    let parent = parent.map(|row| row.id);
    let together =
        pages::Entity::find().filter(pages::Column::DeletedWith.eq(row.id)).all(&**within).await.db()?;
    let sql = "UPDATE pages SET deleted_at = NULL, deleted_with = NULL WHERE deleted_with = $1";
    // The slug may have been given to another page meanwhile: it is set first, while the page doesn't count.
    let change = pages::ActiveModel {
        id: Unchanged(row.id),
        parent_id: Set(parent),
        slug: Set(tree::free_slug(within, workspace, parent, &row.title, Some(row.id)).await?),
        version: Set(row.version + 1),
        bytes: Set(row.bytes + weight(&row.title, "")),
        updated_at: Set(now()),
        ..Default::default()
    };
    change.update(&**within).await.db()?;
    run(within, sql, [row.id.into()]).await?;
    let levels = tree::within(&**within, row.id, MAX_PAGES as usize).await?;
    check_depth(way.len() + levels.iter().map(|(_, level)| *level as usize + 1).max().unwrap_or(1))?;
    for page in &together {
        index(within, page).await?;
    }
    let row = pages::Entity::find_by_id(row.id).one(&**within).await.db()?.ok_or(Error::NotFound("page"))?;
    versions::add(within, &row, Made::Restored, versions::Text::AsBefore, by).await?;
    Ok((row, together.len()))
}

/// What a version takes, with its text.
pub fn weight(title: &str, body: &str) -> i64 {
    (500 + title.len() + body.len()) as i64
}

pub async fn index(within: &Write, row: &pages::Model) -> Result<()> {
    let workspace = WorkspaceId(row.workspace_id);
    let mut scopes = vec![Scope::Workspace(workspace)];
    if row.is_public {
        scopes.push(Scope::PublicIn(workspace));
    }
    let text = searchable(&row.title, &row.body, &read_properties(&row.properties)?);
    full_text::put(&**within, full_text::PAGES, row.id, &scopes, &text).await
}

/// The text with ids in place of names, and the pages that it links to.
async fn with_ids(within: &Write, workspace: WorkspaceId, body: &str) -> Result<(String, Vec<Uuid>)> {
    let mut known: HashMap<PageRef, PageId> = HashMap::new();
    let mut asked = 0;
    for link in destinations(body) {
        let Destination::Named { name, .. } = link else { continue };
        if known.contains_key(&name) || asked >= MAX_NAMED {
            continue;
        }
        asked += 1;
        match tree::find(&**within, workspace, &name, Sight::All).await {
            Ok(id) => drop(known.insert(name, PageId(id))),
            // It stays as it was written.
            Err(Error::NotFound(_) | Error::Invalid(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let body = rewrite(body, |link| {
        let Destination::Named { name, words, fragment, .. } = link else { return None };
        let to = format!("{}{fragment}", page_link(*known.get(name)?));
        Some(match words {
            Some(words) => format!("[{words}]({to})"),
            None => to,
        })
    });
    let mut targets: Vec<Uuid> = Vec::new();
    for link in destinations(&body) {
        if let Destination::Page { id, .. } = link
            && !targets.contains(&id.0)
        {
            targets.push(id.0);
        }
    }
    Ok((body, targets))
}

/// The links that a page has from now on, as far as they lead to pages of its workspace.
async fn link(within: &Write, page: Uuid, workspace: WorkspaceId, targets: Vec<Uuid>) -> Result<()> {
    run(within, "DELETE FROM page_links WHERE page_id = $1", [page.into()]).await?;
    if targets.is_empty() {
        return Ok(());
    }
    let there = pages::Entity::find()
        .filter(pages::Column::Id.is_in(targets))
        .filter(pages::Column::WorkspaceId.eq(workspace.0))
        .select_only()
        .column(pages::Column::Id);
    for target in there.into_tuple::<Uuid>().all(&**within).await.db()? {
        run(
            within,
            "INSERT INTO page_links (page_id, target_id) VALUES ($1, $2)",
            [page.into(), target.into()],
        )
        .await?;
    }
    Ok(())
}

/// The same, from the text that a page has: once all pages of an import are there.
pub async fn link_again(within: &Write, page: Uuid, workspace: WorkspaceId, body: &str) -> Result<()> {
    let (_, targets) = with_ids(within, workspace, body).await?;
    link(within, page, workspace, targets).await
}

pub async fn run(within: &Write, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<u64> {
    let statement = Statement::from_sql_and_values(within.get_database_backend(), sql, values);
    Ok(within.execute_raw(statement).await.db()?.rows_affected())
}
