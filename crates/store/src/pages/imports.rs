//! Pages that are brought in from files. An import is many short writes; each of its pages has a version that names it.

use std::collections::HashMap;

use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::Author;
use baton_core::effects::EffectRefused;
use baton_core::ids::{PageId, PageImportId, ProfileId, WorkspaceId};
use baton_core::pages::{
    BodyChange, FoundPage, ImportCounts, ImportFile, ImportPage, ImportedAs, MAX_PAGES, Made, NewPage,
    PageChanges, PageImport, PageSource, Sight, title_key,
};
use baton_core::store::{Error, Result};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use uuid::Uuid;

use super::change::{self, By, Draft, Source};
use super::rows::there;
use super::tree;
use crate::areas;
use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now};
use crate::entities::{page_files, page_imports, page_versions, pages, profiles};
use crate::write::Write;

/// Pages whose links are looked at again in one write.
const RELINKED: u64 = 50;

pub async fn find(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    root: Option<PageId>,
    sources: &[PageSource],
) -> Result<Vec<Option<FoundPage>>> {
    let mut by_path: HashMap<&str, Uuid> = HashMap::new();
    let mut found = Vec::with_capacity(sources.len());
    for source in sources {
        let parent = match &source.parent {
            Some(path) => by_path.get(path.as_str()).copied().map(Some),
            None => Some(root.map(|id| id.0)),
        };
        let there = one(db, workspace, root, source, parent).await?;
        if let Some(page) = &there {
            by_path.insert(&source.path, page.id.0);
        }
        found.push(there);
    }
    Ok(found)
}

/// By its id, by the path that it came from, or by its title below the same page. `parent` is none if that is new.
async fn one(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    root: Option<PageId>,
    source: &PageSource,
    parent: Option<Option<Uuid>>,
) -> Result<Option<FoundPage>> {
    let all = || pages::Entity::find().filter(pages::Column::WorkspaceId.eq(workspace.0));
    if let Some(id) = source.id
        && let Some(page) = first(all().filter(pages::Column::Id.eq(id.0)), db).await?
    {
        return Ok(Some(page));
    }
    let same_path = all().filter(pages::Column::SourcePath.eq(source.path.as_str()));
    let same_path = match root {
        Some(root) => same_path.filter(pages::Column::SourceRoot.eq(root.0)),
        None => same_path.filter(pages::Column::SourceRoot.is_null()),
    };
    if let Some(page) = first(same_path, db).await? {
        return Ok(Some(page));
    }
    let Some(parent) = parent else { return Ok(None) };
    let titled = tree::below(workspace, parent).filter(pages::Column::TitleKey.eq(title_key(&source.title)));
    first(titled, db).await
}

/// The first that is there, else the first that was deleted.
async fn first(select: Select<pages::Entity>, db: &impl ConnectionTrait) -> Result<Option<FoundPage>> {
    use pages::Column::{DeletedAt, Id, SourceDigest, Version};
    let rows = select
        .select_only()
        .columns([Id, Version, SourceDigest, DeletedAt])
        .order_by_asc(Id)
        .limit(20)
        .into_tuple::<(Uuid, i64, Option<String>, Option<chrono::DateTime<chrono::Utc>>)>();
    let rows = rows.all(db).await.db()?;
    let found = |(id, version, digest, deleted): &(Uuid, i64, Option<String>, Option<_>)| FoundPage {
        id: PageId(*id),
        version: *version,
        is_deleted: deleted.is_some(),
        digest: digest.clone(),
    };
    let there = rows.iter().find(|row| row.3.is_none());
    Ok(there.or(rows.first()).map(found))
}

pub async fn begin(
    store: &SqlStore,
    workspace: WorkspaceId,
    by: ProfileId,
    filename: &str,
) -> Result<PageImportId> {
    let id = PageImportId::new();
    let write = store.write().await?;
    let row = page_imports::ActiveModel {
        id: Set(id.0),
        workspace_id: Set(workspace.0),
        profile_id: Set(Some(by.0)),
        filename: Set(filename.to_owned()),
        counts: Set(counts_json(ImportCounts::default())?),
        created_at: Set(now()),
        undone_at: Set(None),
    };
    page_imports::Entity::insert(row).exec_without_returning(&*write).await.db()?;
    Happening::new("pages.imported", id.0).within(workspace).by(by).record(&write).await?;
    write.commit_unkept().await?;
    Ok(id)
}

pub async fn write(
    store: &SqlStore,
    workspace: WorkspaceId,
    import: PageImportId,
    by: ProfileId,
    root: Option<PageId>,
    brought: Vec<ImportPage>,
    files: Vec<ImportFile>,
) -> Result<()> {
    let within = store.write().await?;
    change::lock(&within, workspace).await?;
    let may = areas::of(&*within, workspace, by).await?;
    if may.check(Area::Knowledge, AreaAccess::Write).is_err() {
        return Err(Error::RoleTooLow);
    }
    let new = brought.iter().filter(|page| page.as_ == ImportedAs::New).count() as u64;
    if new > 0 {
        let there = pages::Entity::find().filter(pages::Column::WorkspaceId.eq(workspace.0));
        at_most("pages", MAX_PAGES, there.count(&*within).await.db()? + new - 1)?;
    }
    let author = Author { profile_id: by, agent: None };
    let by = By { author, approved_by: None, import: Some(import) };
    for page in brought {
        let source =
            Source { path: page.source_path.clone(), root: root.map(|id| id.0), digest: page.digest.clone() };
        match page.as_ {
            ImportedAs::New => {
                let parent = still_there(&within, workspace, [page.parent, root]).await?;
                let position = match page.position {
                    Some(place) => place.saturating_mul(tree::GAP),
                    None => tree::last_position(&within, workspace, parent).await?,
                };
                let new = NewPage {
                    parent: None,
                    title: page.title,
                    body: page.body,
                    properties: page.properties,
                    is_public: page.is_public.unwrap_or(false),
                };
                let (id, source) = (page.id.0, Some(source));
                let draft = Draft { id, workspace, parent, position, source, made: Made::Imported };
                change::insert(&within, draft, &new, &by).await?;
            }
            ImportedAs::Changed => {
                let row = pages::Entity::find_by_id(page.id.0).one(&*within).await.db()?;
                let Some(row) = row.filter(|row| row.deleted_at.is_none()) else { continue };
                let changes = PageChanges {
                    title: Some(page.title),
                    body: Some(BodyChange::Whole(page.body)),
                    properties: Some(page.properties),
                    is_public: page.is_public,
                };
                let row = change::set(&within, row, &changes, Made::Imported, &by).await.map_err(unlikely)?;
                let change = pages::ActiveModel {
                    id: Unchanged(row.id),
                    source_path: Set(Some(source.path)),
                    source_root: Set(source.root),
                    source_digest: Set(Some(source.digest)),
                    ..Default::default()
                };
                change.update(&*within).await.db()?;
            }
            ImportedAs::Same | ImportedAs::Deleted => {}
        }
    }
    for file in files {
        let row = page_files::ActiveModel {
            id: Set(file.id.0),
            workspace_id: Set(workspace.0),
            page_id: Set(file.page_id.0),
            name: Set(file.name),
            media_type: Set(file.media_type),
            size: Set(file.bytes.len() as i64),
            digest: Set(file.digest),
            bytes: Set(file.bytes),
            import_id: Set(Some(import.0)),
            created_at: Set(now()),
        };
        page_files::Entity::insert(row).exec_without_returning(&*within).await.db()?;
    }
    within.commit_unkept().await
}

/// The first of these pages that nobody has deleted meanwhile; none is the top.
async fn still_there(
    within: &Write,
    workspace: WorkspaceId,
    wanted: [Option<PageId>; 2],
) -> Result<Option<Uuid>> {
    for id in wanted.into_iter().flatten() {
        let page = pages::Entity::find_by_id(id.0).filter(there(workspace, Sight::All));
        if page.count(&**within).await.db()? > 0 {
            return Ok(Some(id.0));
        }
    }
    Ok(None)
}

/// A text that was checked before doesn't fit: too long once its links had ids.
fn unlikely(refused: EffectRefused) -> Error {
    match refused {
        EffectRefused::Store(error) => error,
        other => baton_core::Invalid::new("body", other.to_string()).into(),
    }
}

/// Once all are there, links find pages that came later.
pub async fn end(store: &SqlStore, import: PageImportId, counts: ImportCounts) -> Result<()> {
    let workspace = WorkspaceId(row(&store.db, import).await?.workspace_id);
    let mut last = Uuid::nil();
    loop {
        let within = store.write().await?;
        change::lock(&within, workspace).await?;
        let came = page_versions::Entity::find()
            .select_only()
            .column(page_versions::Column::PageId)
            .filter(page_versions::Column::ImportId.eq(import.0))
            .filter(page_versions::Column::PageId.gt(last))
            .order_by_asc(page_versions::Column::PageId)
            .limit(RELINKED);
        let came: Vec<Uuid> = came.into_tuple().all(&*within).await.db()?;
        let Some(newest) = came.last() else { break };
        last = *newest;
        let rows = pages::Entity::find().filter(pages::Column::Id.is_in(came)).all(&*within).await.db()?;
        for page in rows {
            change::link_again(&within, page.id, workspace, &page.body).await?;
        }
        within.commit_unkept().await?;
    }
    let write = store.write().await?;
    let change = page_imports::ActiveModel {
        id: Unchanged(import.0),
        counts: Set(counts_json(counts)?),
        ..Default::default()
    };
    change.update(&*write).await.db()?;
    write.commit_unkept().await
}

fn counts_json(counts: ImportCounts) -> Result<serde_json::Value> {
    serde_json::to_value(counts).map_err(|error| Error::Database(Box::new(error)))
}

pub async fn list(db: &impl ConnectionTrait, workspace: WorkspaceId, limit: u64) -> Result<Vec<PageImport>> {
    let rows = page_imports::Entity::find()
        .filter(page_imports::Column::WorkspaceId.eq(workspace.0))
        .order_by_desc(page_imports::Column::CreatedAt)
        .order_by_desc(page_imports::Column::Id)
        .limit(limit)
        .all(db)
        .await
        .db()?;
    let mut imports = Vec::new();
    for row in rows {
        imports.push(shown(db, row).await?);
    }
    Ok(imports)
}

pub async fn read(db: &impl ConnectionTrait, import: PageImportId) -> Result<(WorkspaceId, PageImport)> {
    let row = row(db, import).await?;
    Ok((WorkspaceId(row.workspace_id), shown(db, row).await?))
}

pub async fn row(db: &impl ConnectionTrait, import: PageImportId) -> Result<page_imports::Model> {
    let row = page_imports::Entity::find_by_id(import.0).one(db).await.db()?;
    row.ok_or(Error::NotFound("import"))
}

async fn shown(db: &impl ConnectionTrait, row: page_imports::Model) -> Result<PageImport> {
    let by = match row.profile_id {
        Some(id) => profiles::Entity::find_by_id(id).one(db).await.db()?.map(|profile| profile.name),
        None => None,
    };
    Ok(PageImport {
        id: PageImportId(row.id),
        filename: row.filename,
        counts: serde_json::from_value(row.counts).map_err(|error| Error::Database(Box::new(error)))?,
        by,
        created_at: row.created_at,
        undone_at: row.undone_at,
    })
}
