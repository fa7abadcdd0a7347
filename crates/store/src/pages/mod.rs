//! Pages: read here, changed in `change.rs`. Every change of a workspace's pages holds one named lock, so on Postgres too
//! no two of them make a circle of the tree, give one slug twice or number a version twice.

mod change;
mod export;
mod files;
mod imports;
mod rows;
mod tree;
mod undo;
mod versions;

use std::collections::HashMap;

use async_trait::async_trait;
use baton_core::data::rows::{Author, Once};
use baton_core::ids::{PageFileId, PageId, PageImportId, ProfileId, WorkspaceId};
use baton_core::listing::{Page as Rows, Window};
use baton_core::pages::{
    FoundPage, FoundText, ImportCounts, ImportFile, ImportPage, Listed, NewPageFile, Page, PageChange,
    PageFile, PageFileInfo, PageImport, PageLinks, PageNode, PageRef, PageSearch, PageSource, PageVersion,
    Reader, Sight, Undone, VersionInfo, plain,
};
use baton_core::search::{Query, snippet};
use baton_core::store::{Error, Pages, Result, Written};
use futures::FutureExt;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::connection::For;
use crate::db::OrStoreError;
use crate::entities::pages;
use crate::full_text::{self, Scope};
use rows::{Light, light, nodes, page, there};

#[async_trait]
impl Pages for SqlStore {
    async fn page_workspace(&self, id: PageId) -> Result<WorkspaceId> {
        let workspace = pages::Entity::find_by_id(id.0).select_only().column(pages::Column::WorkspaceId);
        let workspace: Option<Uuid> = workspace.into_tuple().one(&self.db).await.db()?;
        workspace.map(WorkspaceId).ok_or(Error::NotFound("page"))
    }

    async fn page(
        &self,
        workspace: WorkspaceId,
        named: &PageRef,
        sight: Sight,
        reader: Reader,
    ) -> Result<Page> {
        // One moment: the page, those above it and who changed it last belong together.
        let db = self.db.begin(For::Reading).await.db()?;
        let id = tree::find(&db, workspace, named, sight).await?;
        let row = pages::Entity::find_by_id(id).one(&db).await.db()?.ok_or(Error::NotFound("page"))?;
        page(&db, row, sight, reader).await
    }

    async fn pages(
        &self,
        workspace: WorkspaceId,
        listed: Listed,
        sight: Sight,
        window: Window,
    ) -> Result<Rows<PageNode>> {
        use pages::Column;
        let all = pages::Entity::find().filter(Column::WorkspaceId.eq(workspace.0));
        let mut select = match listed {
            Listed::Below(_) | Listed::Latest => all.filter(Column::DeletedAt.is_null()),
            Listed::Deleted => all.filter(Column::DeletedAt.is_not_null()),
        };
        if sight == Sight::Public {
            select = select.filter(Column::IsPublic.into_expr());
        }
        select = match listed {
            Listed::Below(Some(parent)) => select.filter(Column::ParentId.eq(parent.0)),
            Listed::Below(None) => select.filter(Column::ParentId.is_null()),
            Listed::Latest => select,
            // What was deleted with another page comes back with that.
            Listed::Deleted => select.filter(Expr::col(Column::DeletedWith).eq(Expr::col(Column::Id))),
        };
        let total = select.clone().count(&self.db).await.db()?;
        select = match listed {
            Listed::Below(_) => select.order_by_asc(Column::Position).order_by_asc(Column::Id),
            Listed::Latest => select.order_by_desc(Column::UpdatedAt).order_by_desc(Column::Id),
            Listed::Deleted => select.order_by_desc(Column::DeletedAt).order_by_desc(Column::Id),
        };
        let rows = light(select.limit(window.limit).offset(window.offset), &self.db).await?;
        Ok(Rows { rows: nodes(&self.db, rows, sight).await?, total })
    }

    async fn search_pages(
        &self,
        workspace: WorkspaceId,
        query: &Query,
        sight: Sight,
        limit: u64,
    ) -> Result<PageSearch> {
        let scope = match sight {
            Sight::All => Scope::Workspace(workspace),
            Sight::Public => Scope::PublicIn(workspace),
        };
        let found = full_text::find(&self.db, full_text::PAGES, scope, query).await?;
        let wanted: Vec<Uuid> = found.ids.into_iter().take(limit as usize).collect();
        let texts = pages::Entity::find()
            .filter(pages::Column::Id.is_in(wanted.iter().copied()))
            .filter(there(workspace, sight));
        let texts = texts.all(&self.db).await.db()?;
        let mut bodies: HashMap<Uuid, String> = HashMap::new();
        let mut rows: Vec<Light> = Vec::new();
        for row in texts {
            bodies.insert(row.id, row.body.clone());
            rows.push(row.into());
        }
        rows.sort_by_key(|row| wanted.iter().position(|id| *id == row.id));
        let mut above = match sight {
            Sight::All => tree::above(&self.db, &wanted).await?,
            Sight::Public => HashMap::new(),
        };
        let mut shown = Vec::new();
        for node in nodes(&self.db, rows, sight).await? {
            shown.push(FoundText {
                title: snippet(&node.title, query),
                snippet: snippet(&plain(bodies.get(&node.id.0).map_or("", String::as_str)), query),
                above: above.remove(&node.id.0).unwrap_or_default(),
                node,
            });
        }
        Ok(PageSearch { found: shown, total: found.total, is_counted: found.is_counted })
    }

    async fn page_links(&self, workspace: WorkspaceId, page: PageId, sight: Sight) -> Result<PageLinks> {
        Ok(PageLinks {
            links: tree::linked(&self.db, workspace, page, sight, tree::Way::From).await?,
            backlinks: tree::linked(&self.db, workspace, page, sight, tree::Way::To).await?,
        })
    }

    async fn page_versions(
        &self,
        page: PageId,
        before: Option<i64>,
        limit: u64,
        reader: Reader,
    ) -> Result<Vec<VersionInfo>> {
        versions::list(&self.db, page, before, limit, reader).await
    }

    async fn page_version(&self, page: PageId, version: i64, reader: Reader) -> Result<PageVersion> {
        versions::read(&self.db, page, version, reader).await
    }

    async fn change_page(
        &self,
        once: &Once,
        workspace: WorkspaceId,
        author: Author,
        change: PageChange,
    ) -> Written {
        let args_hash = match once {
            Once::Call(effect) => Some(effect.args_hash.clone()),
            Once::Request { .. } | Once::Unkeyed => None,
        };
        self.once(once, move |within| {
            let (args_hash, change) = (args_hash.clone(), change.clone());
            async move { change::change(within, workspace, author, args_hash.as_deref(), change).await }
                .boxed()
        })
        .await
    }

    async fn keep_page_file(
        &self,
        workspace: WorkspaceId,
        by: ProfileId,
        file: NewPageFile,
    ) -> Result<PageFileInfo> {
        files::keep(self, workspace, by, file).await
    }

    async fn page_file(&self, id: PageFileId) -> Result<PageFile> {
        files::read(&self.db, id).await
    }

    async fn page_files(&self, page: PageId) -> Result<Vec<PageFileInfo>> {
        files::of(&self.db, page).await
    }

    async fn find_imported(
        &self,
        workspace: WorkspaceId,
        root: Option<PageId>,
        sources: &[PageSource],
    ) -> Result<Vec<Option<FoundPage>>> {
        imports::find(&self.db, workspace, root, sources).await
    }

    async fn begin_page_import(
        &self,
        workspace: WorkspaceId,
        by: ProfileId,
        filename: &str,
    ) -> Result<PageImportId> {
        imports::begin(self, workspace, by, filename).await
    }

    async fn import_pages(
        &self,
        workspace: WorkspaceId,
        import: PageImportId,
        by: ProfileId,
        root: Option<PageId>,
        pages: Vec<ImportPage>,
        files: Vec<ImportFile>,
    ) -> Result<()> {
        imports::write(self, workspace, import, by, root, pages, files).await
    }

    async fn end_page_import(&self, import: PageImportId, counts: ImportCounts) -> Result<()> {
        imports::end(self, import, counts).await
    }

    async fn page_imports(&self, workspace: WorkspaceId, limit: u64) -> Result<Vec<PageImport>> {
        imports::list(&self.db, workspace, limit).await
    }

    async fn page_import(&self, import: PageImportId) -> Result<(WorkspaceId, PageImport)> {
        imports::read(&self.db, import).await
    }

    async fn undo_page_import(
        &self,
        workspace: WorkspaceId,
        import: PageImportId,
        by: ProfileId,
    ) -> Result<Undone> {
        undo::undo(self, workspace, import, by).await
    }

    async fn all_pages(
        &self,
        workspace: WorkspaceId,
        after: Option<PageId>,
        limit: u64,
    ) -> Result<Vec<Page>> {
        let mut select = pages::Entity::find().filter(there(workspace, Sight::All));
        if let Some(after) = after {
            select = select.filter(pages::Column::Id.gt(after.0));
        }
        let rows = select.order_by_asc(pages::Column::Id).limit(limit).all(&self.db).await.db()?;
        rows.into_iter().map(rows::bare).collect()
    }
}
