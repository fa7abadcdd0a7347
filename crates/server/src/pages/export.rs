//! All pages of a workspace as a zip of Markdown that comes back as the same pages: folders are the tree, links and files are
//! relative, and front matter has what Markdown can't say.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom};

use baton_core::ids::{PageFileId, PageId, WorkspaceId};
use baton_core::pages::{Destination, Page, PageNode, Properties, reserved, rewrite};
use baton_core::store::Store;
use baton_formats::pages::{Writer, relative};

use crate::http::ApiError;

/// Pages read at a time.
const ROWS: u64 = 50;

/// The zip, in a file that is gone once it is closed.
pub async fn export(store: &dyn Store, workspace: WorkspaceId) -> Result<File, ApiError> {
    let mut nodes: HashMap<PageId, PageNode> = HashMap::new();
    let mut last = None;
    loop {
        let pages = store.all_pages(workspace, last, ROWS).await?;
        let Some(newest) = pages.last() else { break };
        last = Some(newest.node.id);
        nodes.extend(pages.into_iter().map(|page| (page.node.id, page.node)));
    }
    let places = Places::new(&nodes);
    // A page may show a file of another one.
    let mut files: HashMap<PageFileId, String> = HashMap::new();
    for (id, (path, _)) in &places.0 {
        let own = store.page_files(*id).await?;
        files.extend(own.into_iter().map(|info| (info.id, file_path(path, &info.name, info.id))));
    }
    let mut zip = Writer::new(tempfile::tempfile().map_err(ApiError::internal)?);
    let mut last = None;
    loop {
        let pages = store.all_pages(workspace, last, ROWS).await?;
        let Some(newest) = pages.last() else { break };
        last = Some(newest.node.id);
        for page in pages {
            add(&mut zip, store, (&places, &files), &page).await?;
        }
    }
    let mut file = zip.finish().map_err(ApiError::internal)?;
    file.seek(SeekFrom::Start(0)).map_err(ApiError::internal)?;
    Ok(file)
}

async fn add(
    zip: &mut Writer<File>,
    store: &dyn Store,
    (places, files): (&Places, &HashMap<PageFileId, String>),
    page: &Page,
) -> Result<(), ApiError> {
    // Written since: it comes with the next export.
    let Some((path, place)) = places.of(page.node.id) else { return Ok(()) };
    for info in store.page_files(page.node.id).await? {
        let Some(at) = files.get(&info.id) else { continue };
        let file = store.page_file(info.id).await?;
        zip.attachment(at, &file.bytes).map_err(ApiError::internal)?;
    }
    let body = rewrite(&page.body, |link| match link {
        Destination::Page { id, fragment, .. } => {
            let (to, _) = places.of(*id)?;
            Some(format!("{}{fragment}", relative(path, to)))
        }
        Destination::File { id, .. } => Some(relative(path, files.get(id)?)),
        Destination::Named { .. } => None,
    });
    zip.page(path, &page.node.title, &front_matter(page, place), &body).map_err(ApiError::internal)
}

fn front_matter(page: &Page, place: usize) -> Properties {
    let mut properties = page.properties.clone();
    properties.push((reserved::ID.to_owned(), page.node.id.to_string()));
    properties.push((reserved::POSITION.to_owned(), place.to_string()));
    if page.node.is_public {
        properties.push((reserved::PUBLIC.to_owned(), "true".to_owned()));
    }
    properties
}

/// The file of each page, and its place among the pages beside it.
struct Places(HashMap<PageId, (String, usize)>);

impl Places {
    fn new(nodes: &HashMap<PageId, PageNode>) -> Self {
        let mut below: HashMap<Option<PageId>, Vec<&PageNode>> = HashMap::new();
        for node in nodes.values() {
            // What lies below a page that was written since is at the top.
            let parent = node.parent_id.filter(|parent| nodes.contains_key(parent));
            below.entry(parent).or_default().push(node);
        }
        let mut places = HashMap::new();
        let mut open = vec![(None, String::new())];
        while let Some((parent, folder)) = open.pop() {
            let mut beside = below.remove(&parent).unwrap_or_default();
            beside.sort_by_key(|node| (node.position, node.id));
            let mut taken: Vec<String> = Vec::new();
            for (place, node) in beside.into_iter().enumerate() {
                let name = free_name(&node.slug, &mut taken);
                let is_folder = below.contains_key(&Some(node.id));
                let path = match is_folder {
                    true => format!("{folder}{name}/index.md"),
                    false => format!("{folder}{name}.md"),
                };
                open.push((Some(node.id), format!("{folder}{name}/")));
                places.insert(node.id, (path, place));
            }
        }
        Self(places)
    }

    fn of(&self, id: PageId) -> Option<(&str, usize)> {
        self.0.get(&id).map(|(path, place)| (path.as_str(), *place))
    }
}

/// A file's name that no other has, and that is not the one of a folder's own page.
fn free_name(slug: &str, taken: &mut Vec<String>) -> String {
    let slug = if matches!(slug, "index" | "readme") { format!("{slug}-page") } else { slug.to_owned() };
    let name = baton_core::text::free_slug(&slug, |name| taken.iter().any(|other| other == name));
    taken.push(name.clone());
    name
}

/// Beside the page, under a name that no page has.
fn file_path(page: &str, name: &str, id: PageFileId) -> String {
    let folder = page.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let plain = plain.trim_start_matches('.');
    // Markdown would come back as a page.
    let is_markdown =
        [".md", ".markdown", ".mdown", ".mdx"].iter().any(|end| plain.to_lowercase().ends_with(end));
    let ending = if is_markdown { ".txt" } else { "" };
    format!("{folder}files/{}-{plain}{ending}", &id.0.simple().to_string()[20..])
}
