//! Takes an import of pages back: what it made is removed, what it changed gets its earlier text. What people or agents
//! have changed since stays as it is.

use baton_core::data::rows::Author;
use baton_core::effects::EffectRefused;
use baton_core::ids::{PageImportId, ProfileId, WorkspaceId};
use baton_core::pages::{BodyChange, Made, PageChanges, Undone};
use baton_core::store::{Error, Result};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::change::{self, By, run};
use super::{imports, versions};
use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{page_imports, page_versions, pages};
use crate::write::Write;

/// Pages in one write.
const PIECE: u64 = 50;

pub async fn undo(
    store: &SqlStore,
    workspace: WorkspaceId,
    import: PageImportId,
    by: ProfileId,
) -> Result<Undone> {
    let mut undone = Undone::default();
    if imports::row(&store.db, import).await?.undone_at.is_some() {
        return Ok(undone);
    }
    let by = By { author: Author { profile_id: by, agent: None }, approved_by: None, import: None };
    // Ids grow, and a page's is older than those of the pages below it: the lowest go first.
    let mut last = Uuid::max();
    loop {
        let within = store.write().await?;
        change::lock(&within, workspace).await?;
        let came: Vec<(Uuid, i64)> = page_versions::Entity::find()
            .select_only()
            .columns([page_versions::Column::PageId, page_versions::Column::Version])
            .filter(page_versions::Column::ImportId.eq(import.0))
            .filter(page_versions::Column::PageId.lt(last))
            .order_by_desc(page_versions::Column::PageId)
            .limit(PIECE)
            .into_tuple()
            .all(&*within)
            .await
            .db()?;
        let Some((oldest, _)) = came.last() else { break };
        last = *oldest;
        for (page, version) in came {
            take_back(&within, page, version, import, &by, &mut undone).await?;
        }
        within.commit_unkept().await?;
    }
    let write = store.write().await?;
    let change = page_imports::ActiveModel {
        id: Unchanged(import.0),
        undone_at: Set(Some(now())),
        ..Default::default()
    };
    change.update(&*write).await.db()?;
    let who = by.author.profile_id;
    Happening::new("pages.import_undone", import.0).within(workspace).by(who).record(&write).await?;
    write.commit_unkept().await?;
    Ok(undone)
}

async fn take_back(
    within: &Write,
    page: Uuid,
    version: i64,
    import: PageImportId,
    by: &By,
    undone: &mut Undone,
) -> Result<()> {
    let Some(row) = pages::Entity::find_by_id(page).one(&**within).await.db()? else { return Ok(()) };
    if row.version != version {
        undone.kept += 1;
        return Ok(());
    }
    if version == 1 {
        let below = pages::Entity::find().filter(pages::Column::ParentId.eq(page));
        if below.count(&**within).await.db()? > 0 {
            undone.kept += 1;
            return Ok(());
        }
        run(within, "DELETE FROM pages WHERE id = $1", [page.into()]).await?;
        undone.removed += 1;
        return Ok(());
    }
    let Some(old) = versions::kept(&**within, page, version - 1).await? else {
        undone.kept += 1;
        return Ok(());
    };
    let changes = PageChanges {
        title: Some(old.title),
        body: Some(BodyChange::Whole(old.body)),
        properties: Some(old.properties),
        is_public: Some(old.row.is_public),
    };
    let reset = change::set(within, row, &changes, Made::Restored, by).await;
    reset.map_err(|refused| match refused {
        EffectRefused::Store(error) => error,
        other => Error::Database(Box::new(other)),
    })?;
    // What comes again is looked at again.
    run(within, "UPDATE pages SET source_digest = NULL WHERE id = $1", [page.into()]).await?;
    run(
        within,
        "DELETE FROM page_files WHERE page_id = $1 AND import_id = $2",
        [page.into(), import.0.into()],
    )
    .await?;
    undone.reset += 1;
    Ok(())
}
