//! What the server and the tools ask of the store about pages.

use async_trait::async_trait;

use super::{Result, Written};
use crate::data::rows::{Author, Once};
use crate::ids::{PageFileId, PageId, PageImportId, ProfileId, WorkspaceId};
use crate::listing::{Page as Rows, Window};
use crate::pages::{
    FoundPage, ImportCounts, ImportFile, ImportPage, Listed, NewPageFile, Page, PageChange, PageFile,
    PageFileInfo, PageImport, PageLinks, PageNode, PageRef, PageSearch, PageVersion, Reader, Sight, Undone,
    VersionInfo,
};
use crate::search::Query;

/// Pages in their tree. Whoever asks has looked at the caller's access to the area Knowledge; `Sight` says what may be read.
#[async_trait]
pub trait Pages: Send + Sync {
    async fn page_workspace(&self, id: PageId) -> Result<WorkspaceId>;
    /// Also a deleted one, for who may see all.
    async fn page(
        &self,
        workspace: WorkspaceId,
        page: &PageRef,
        sight: Sight,
        reader: Reader,
    ) -> Result<Page>;
    async fn pages(
        &self,
        workspace: WorkspaceId,
        listed: Listed,
        sight: Sight,
        window: Window,
    ) -> Result<Rows<PageNode>>;
    async fn search_pages(
        &self,
        workspace: WorkspaceId,
        query: &Query,
        sight: Sight,
        limit: u64,
    ) -> Result<PageSearch>;
    async fn page_links(&self, workspace: WorkspaceId, page: PageId, sight: Sight) -> Result<PageLinks>;
    /// The newest first, those before `before`.
    async fn page_versions(
        &self,
        page: PageId,
        before: Option<i64>,
        limit: u64,
        reader: Reader,
    ) -> Result<Vec<VersionInfo>>;
    async fn page_version(&self, page: PageId, version: i64, reader: Reader) -> Result<PageVersion>;
    /// Done once; a refusal is words for whoever asked.
    async fn change_page(
        &self,
        once: &Once,
        workspace: WorkspaceId,
        author: Author,
        change: PageChange,
    ) -> Written;

    async fn keep_page_file(
        &self,
        workspace: WorkspaceId,
        by: ProfileId,
        file: NewPageFile,
    ) -> Result<PageFileInfo>;
    async fn page_file(&self, id: PageFileId) -> Result<PageFile>;
    async fn page_files(&self, page: PageId) -> Result<Vec<PageFileInfo>>;

    /// What is there of these files of pages, each by its path: from the same import earlier, by its id, or, for one whose
    /// page above is known, by its title.
    async fn find_imported(
        &self,
        workspace: WorkspaceId,
        root: Option<PageId>,
        sources: &[crate::pages::PageSource],
    ) -> Result<Vec<Option<FoundPage>>>;
    async fn begin_page_import(
        &self,
        workspace: WorkspaceId,
        by: ProfileId,
        filename: &str,
    ) -> Result<PageImportId>;
    /// Writes some pages and files of an import, those above first.
    async fn import_pages(
        &self,
        workspace: WorkspaceId,
        import: PageImportId,
        by: ProfileId,
        root: Option<PageId>,
        pages: Vec<ImportPage>,
        files: Vec<ImportFile>,
    ) -> Result<()>;
    async fn end_page_import(&self, import: PageImportId, counts: ImportCounts) -> Result<()>;
    async fn page_imports(&self, workspace: WorkspaceId, limit: u64) -> Result<Vec<PageImport>>;
    async fn page_import(&self, import: PageImportId) -> Result<(WorkspaceId, PageImport)>;
    /// Takes an import back, as far as nobody has changed since what it brought.
    async fn undo_page_import(
        &self,
        workspace: WorkspaceId,
        import: PageImportId,
        by: ProfileId,
    ) -> Result<Undone>;

    /// Pages of the whole tree in the order of their ids, without those deleted, with their text.
    async fn all_pages(&self, workspace: WorkspaceId, after: Option<PageId>, limit: u64)
    -> Result<Vec<Page>>;
}
