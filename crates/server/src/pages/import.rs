//! An import of pages. First it is planned: which pages are new, which differ from what came the last time, which ids links
//! will have. Then, unless it is only tried, it is written piece by piece, those above first.

use std::collections::HashMap;

use axum::body::Bytes;
use baton_core::attachments::media_type;
use baton_core::ids::{PageFileId, PageId, PageImportId, ProfileId, WorkspaceId};
use baton_core::pages::{
    FoundPage, ImportCounts, ImportFile, ImportPage, ImportPlan, ImportedAs, MAX_DEPTH, MAX_FILE_NAME,
    PageRef, PageSource, PlannedPage, Sight, checked_body, file_link, page_link, source_digest,
};
use baton_core::store::Store;
use baton_formats::pages::{Link, Node, Target, rewrite};
use tokio::sync::mpsc;

use super::archive::{self, Archive, ReadPage, Refused, attachments};
use crate::http::ApiError;

/// Pages in one write, and bytes of them.
const PIECE: usize = 50;
const PIECE_BYTES: usize = 1024 * 1024;

/// Where pages are brought, and by whom.
pub struct Import<'a> {
    pub store: &'a dyn Store,
    pub workspace: WorkspaceId,
    pub by: ProfileId,
    /// The page below which they come.
    pub root: Option<PageId>,
}

/// What came of it, or would come of it.
pub struct Imported {
    pub id: Option<PageImportId>,
    pub counts: ImportCounts,
    pub refused: Vec<Refused>,
}

impl Import<'_> {
    /// With a file's name it is carried out; without, only counted.
    pub async fn run(&self, zip: Bytes, filename: Option<&str>) -> Result<Imported, ApiError> {
        let read = zip.clone();
        let archive = tokio::task::spawn_blocking(move || Archive::read(&read)).await;
        let mut archive = archive.map_err(ApiError::internal)??;
        let nodes = self.accepted(&mut archive).await?;
        let (mut plan, owners) = self.plan(&archive, &nodes).await?;
        let pages = self.pages(&mut archive, &nodes, &mut plan).await?;
        let mut counts = ImportCounts::default();
        for page in &pages {
            counts.count(page.as_);
        }
        let new_files: HashMap<String, (PageFileId, PageId)> = owners
            .into_iter()
            .filter(|(_, (_, page))| pages.iter().any(|one| one.id == *page && is_written(one.as_)))
            .collect();
        (counts.files, counts.refused) = (new_files.len() as u64, archive.refused_count);
        let mut imported = Imported { id: None, counts, refused: archive.refused };
        let Some(filename) = filename else { return Ok(imported) };
        let id = self.store.begin_page_import(self.workspace, self.by, filename).await?;
        imported.id = Some(id);
        self.write_pages(id, pages).await?;
        self.write_files(id, zip, new_files).await?;
        self.store.end_page_import(id, counts).await?;
        Ok(imported)
    }

    /// The pages that are taken, each with the path of the nearest one above it that is.
    async fn accepted(&self, archive: &mut Archive) -> Result<Vec<(Node, Option<String>)>, ApiError> {
        let mut level = match self.root {
            Some(root) => {
                let root = PageRef::Id(root);
                let page = self.store.page(self.workspace, &root, Sight::All, None).await?;
                if page.node.deleted_at.is_some() {
                    return Err(ApiError::not_found("page"));
                }
                page.above.len() + 1
            }
            None => 0,
        };
        level += 1;
        let mut levels: HashMap<String, usize> = HashMap::new();
        let mut parents: HashMap<String, Option<String>> = HashMap::new();
        let mut accepted = Vec::new();
        for node in std::mem::take(&mut archive.nodes) {
            let mut parent = node.parent.clone();
            // A page that was refused: what lies below it goes to the next one above.
            while let Some(path) = &parent
                && !levels.contains_key(path)
            {
                parent = parents.get(path).cloned().flatten();
            }
            parents.insert(node.path.clone(), parent.clone());
            let own = parent.as_ref().and_then(|path| levels.get(path)).map_or(level, |above| above + 1);
            if own > MAX_DEPTH {
                archive.refuse(&node.path, "its folders are too deep");
                archive.pages.remove(&node.path);
            } else if !node.has_file || archive.pages.contains_key(&node.path) {
                levels.insert(node.path.clone(), own);
                accepted.push((node, parent));
            }
        }
        // Those above first, then in the order of an export: of two pages with one title, the first has the plain slug.
        let place = |node: &Node| archive.pages.get(&node.path).and_then(|page| page.position);
        accepted.sort_by_key(|(node, _)| (levels.get(&node.path).copied(), place(node).unwrap_or(i64::MAX)));
        Ok(accepted)
    }

    /// Which page and which file gets which id, and, of files that are new, to which page they belong.
    async fn plan(
        &self,
        archive: &Archive,
        nodes: &[(Node, Option<String>)],
    ) -> Result<(ImportPlan, HashMap<String, (PageFileId, PageId)>), ApiError> {
        let sources: Vec<PageSource> =
            nodes.iter().map(|(node, parent)| source(node, parent.clone(), archive)).collect();
        let found = self.store.find_imported(self.workspace, self.root, &sources).await?;
        let mut plan = ImportPlan::default();
        for (source, found) in sources.iter().zip(&found) {
            let above = source.parent.as_ref().and_then(|path| plan.pages.get(path));
            let as_ = match found {
                _ if above.is_some_and(|above| above.as_ == ImportedAs::Deleted) => ImportedAs::Deleted,
                None => ImportedAs::New,
                Some(FoundPage { is_deleted: true, .. }) => ImportedAs::Deleted,
                Some(page) if page.digest.as_ref() == Some(&source.digest) => ImportedAs::Same,
                Some(_) => ImportedAs::Changed,
            };
            let id = found.as_ref().map_or_else(PageId::new, |page| page.id);
            plan.pages.insert(source.path.clone(), PlannedPage { id, as_ });
        }
        let mut owners = HashMap::new();
        for source in &sources {
            let Some(planned) = plan.pages.get(&source.path).cloned() else { continue };
            if !is_written(planned.as_) {
                continue;
            }
            let there = match planned.as_ {
                ImportedAs::Changed => self.store.page_files(planned.id).await?,
                _ => Vec::new(),
            };
            for (path, digest) in &source.files {
                if plan.files.contains_key(path) {
                    continue;
                }
                let known = there.iter().find(|file| file.digest == *digest).map(|file| file.id);
                let id = known.unwrap_or_else(PageFileId::new);
                plan.files.insert(path.clone(), id);
                if known.is_none() {
                    owners.insert(path.clone(), (id, planned.id));
                }
            }
        }
        Ok((plan, owners))
    }

    /// The pages with ids in their links. One that turns out as it is already is the same, whatever came before.
    async fn pages(
        &self,
        archive: &mut Archive,
        nodes: &[(Node, Option<String>)],
        plan: &mut ImportPlan,
    ) -> Result<Vec<ImportPage>, ApiError> {
        let mut pages = Vec::with_capacity(nodes.len());
        for (node, parent) in nodes {
            let Some(planned) = plan.pages.get(&node.path).cloned() else { continue };
            let source = source(node, parent.clone(), archive);
            let read = archive.pages.remove(&node.path).unwrap_or_else(|| folder(node));
            let body = rewrite(&read.body, &read.links, |link| destination(&read.body, link, plan));
            let body = match checked_body(&body) {
                Ok(body) => body,
                Err(invalid) => {
                    archive.refuse(&node.path, &format!("its text, with its links, {}", invalid.message));
                    continue;
                }
            };
            let above = parent.as_ref().and_then(|path| plan.pages.get(path)).map(|above| above.id);
            let mut page = ImportPage {
                id: planned.id,
                as_: planned.as_,
                parent: above.or(self.root),
                source_path: node.path.clone(),
                digest: source.digest,
                title: read.title,
                body,
                properties: read.properties,
                is_public: read.is_public,
                position: read.position,
            };
            if page.as_ == ImportedAs::Changed {
                let named = PageRef::Id(page.id);
                let now = self.store.page(self.workspace, &named, Sight::All, None).await?;
                let is_public = page.is_public.unwrap_or(now.node.is_public);
                // A folder without a file of its own says nothing about a page that is there.
                let is_same = !node.has_file
                    || (now.body == page.body
                        && now.node.title == page.title
                        && now.properties == page.properties
                        && now.node.is_public == is_public);
                if is_same {
                    page.as_ = ImportedAs::Same;
                }
            }
            pages.push(page);
        }
        Ok(pages)
    }

    async fn write_pages(&self, import: PageImportId, pages: Vec<ImportPage>) -> Result<(), ApiError> {
        let mut piece: Vec<ImportPage> = Vec::new();
        let mut bytes = 0;
        for page in pages.into_iter().filter(|page| is_written(page.as_)) {
            bytes += page.body.len();
            piece.push(page);
            if piece.len() >= PIECE || bytes >= PIECE_BYTES {
                self.write(import, std::mem::take(&mut piece), Vec::new()).await?;
                bytes = 0;
            }
        }
        self.write(import, piece, Vec::new()).await
    }

    async fn write_files(
        &self,
        import: PageImportId,
        zip: Bytes,
        new: HashMap<String, (PageFileId, PageId)>,
    ) -> Result<(), ApiError> {
        if new.is_empty() {
            return Ok(());
        }
        let (send, mut receive) = mpsc::channel(1);
        let unpacking = tokio::task::spawn_blocking(move || -> Result<(), ApiError> {
            for (path, bytes) in archive::files(zip)? {
                let Some((id, page_id)) = new.get(&path).copied() else { continue };
                if send.blocking_send(file(id, page_id, &path, bytes)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        while let Some(file) = receive.recv().await {
            self.write(import, Vec::new(), vec![file]).await?;
        }
        unpacking.await.map_err(ApiError::internal)?
    }

    async fn write(
        &self,
        import: PageImportId,
        pages: Vec<ImportPage>,
        files: Vec<ImportFile>,
    ) -> Result<(), ApiError> {
        if pages.is_empty() && files.is_empty() {
            return Ok(());
        }
        Ok(self.store.import_pages(self.workspace, import, self.by, self.root, pages, files).await?)
    }
}

fn is_written(as_: ImportedAs) -> bool {
    matches!(as_, ImportedAs::New | ImportedAs::Changed)
}

fn file(id: PageFileId, page_id: PageId, path: &str, bytes: Vec<u8>) -> ImportFile {
    let name: String = path.rsplit('/').next().unwrap_or(path).chars().take(MAX_FILE_NAME).collect();
    let kind = media_type(&name, &bytes).unwrap_or("application/octet-stream").to_owned();
    ImportFile { id, page_id, media_type: kind, digest: baton_core::pages::file_digest(&bytes), name, bytes }
}

/// A folder without a file of its own.
fn folder(node: &Node) -> ReadPage {
    ReadPage {
        title: node.title.chars().take(baton_core::pages::MAX_TITLE).collect(),
        body: String::new(),
        properties: Vec::new(),
        links: Vec::new(),
        id: None,
        is_public: None,
        position: None,
    }
}

fn source(node: &Node, parent: Option<String>, archive: &Archive) -> PageSource {
    let made;
    let page = match archive.pages.get(&node.path) {
        Some(page) => page,
        None => {
            made = folder(node);
            &made
        }
    };
    let files =
        attachments(page).filter_map(|path| Some((path.to_owned(), archive.files.get(path)?.clone())));
    PageSource {
        path: node.path.clone(),
        parent,
        title: page.title.clone(),
        digest: source_digest(&page.title, &page.properties, &page.body),
        id: page.id,
        files: files.collect(),
    }
}

/// What a link is written as; as it was if what it leads to is not there.
fn destination(body: &str, link: &Link, plan: &ImportPlan) -> Option<String> {
    let to = match &link.target {
        Target::Page(path) => {
            let page = plan.pages.get(path).filter(|page| page.as_ != ImportedAs::Deleted)?;
            let fragment = link.fragment.as_ref().map(|fragment| format!("#{fragment}")).unwrap_or_default();
            format!("{}{fragment}", page_link(page.id))
        }
        Target::Attachment(path) => file_link(*plan.files.get(path)?),
        Target::Missing(_) => return None,
    };
    if !link.wiki {
        return Some(to);
    }
    let written = body.get(link.at.clone())?.trim_start_matches("[[").trim_end_matches("]]");
    let words = written.split_once('|').map_or(written, |(_, words)| words).trim();
    Some(format!("[{words}]({to})"))
}
