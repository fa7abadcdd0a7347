//! The tree of an import, from its paths alone: which files are pages, and which page is above which. A folder is a
//! page too: the `index.md` or `README.md` in it, the file of its name beside it, or one without text.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::path::{checked, folder, is_markdown, stem};
use super::{File, Page, front_matter, links};

/// A page's place. Pages come after the page above them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The page's file; for a folder without one, the folder.
    pub path: String,
    pub parent: Option<String>,
    pub title: String,
    /// Whether there is a file for it.
    pub has_file: bool,
}

#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    files: HashSet<String>,
    /// By its path in small letters, as links often differ in case only.
    by_lower: HashMap<String, String>,
    /// Of several files of one name, the one highest up.
    by_name: HashMap<String, String>,
    /// The page of each folder: a file, or the folder itself.
    folders: HashMap<String, String>,
    refused: Vec<RefusedFile>,
}

/// A file that is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedFile {
    pub path: String,
    pub reason: String,
}

impl RefusedFile {
    pub(super) fn new(path: &str, reason: impl Into<String>) -> Self {
        Self { path: path.chars().take(200).collect(), reason: reason.into() }
    }
}

impl Tree {
    /// From the paths of all files.
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let mut tree = Self::default();
        for raw in paths {
            match checked(raw) {
                Ok(Some(path)) if !tree.files.insert(path.clone()) => tree.refuse(raw, "it is there twice"),
                Ok(Some(path)) => drop(tree.by_lower.insert(path.to_lowercase(), path)),
                Ok(None) => {}
                Err(reason) => tree.refuse(raw, reason),
            }
        }
        let folders = folders(&tree.files);
        tree.nodes = nodes(&tree.files, &folders);
        tree.folders = folders.into_iter().map(|(path, page)| (path.clone(), page.unwrap_or(path))).collect();
        let mut files: Vec<&String> = tree.files.iter().collect();
        files.sort_by_key(|path| (path.matches('/').count(), *path));
        for path in files {
            let name = path.rsplit('/').next().unwrap_or(path);
            let name = if is_markdown(path) { stem(path) } else { name };
            tree.by_name.entry(name.to_lowercase()).or_insert_with(|| path.clone());
        }
        tree
    }

    /// Whether a file of this path is taken.
    pub(super) fn takes(&self, raw: &str) -> bool {
        checked(raw).is_ok_and(|path| path.is_some_and(|path| self.files.contains(&path)))
    }

    pub(super) fn add_refused(&mut self, refused: Vec<RefusedFile>) {
        self.refused.extend(refused);
    }

    fn refuse(&mut self, path: &str, reason: &str) {
        self.refused.push(RefusedFile::new(path, reason));
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Files that are not taken, each with the reason.
    pub fn refused(&self) -> &[RefusedFile] {
        &self.refused
    }

    /// The path of a file of the import that a link names, whatever the case.
    pub(super) fn find(&self, path: &str) -> Option<&str> {
        match self.files.get(path) {
            Some(path) => Some(path),
            None => self.by_lower.get(&path.to_lowercase()).map(String::as_str),
        }
    }

    /// The page of a folder, if the path is one's.
    pub(super) fn page_of_folder(&self, path: &str) -> Option<&str> {
        self.folders.get(path).map(String::as_str)
    }

    /// A page by its name without the ending, or another file by its name.
    pub(super) fn by_name(&self, name: &str) -> Option<&str> {
        self.by_name.get(&name.to_lowercase()).map(String::as_str)
    }

    /// One file of the import. `raw` is its path as the paths of [`Tree::new`] have it; none if it is not taken.
    pub fn file(&self, raw: &str, bytes: Vec<u8>) -> Option<File> {
        let path = checked(raw).ok()??;
        self.files.get(&path)?;
        if !is_markdown(&path) {
            return Some(File::Attachment { path, bytes });
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => encoding_rs::WINDOWS_1252.decode(error.as_bytes()).0.into_owned(),
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace('\0', "");
        let (mut properties, body) = front_matter::split(&text);
        let body = body.to_owned();
        let links = links::find(&body, &path, self);
        let given = properties.iter().position(|(name, _)| name.eq_ignore_ascii_case("title"));
        let given = given.map(|at| properties.remove(at).1).filter(|title| !title.is_empty());
        let title = given.unwrap_or_else(|| title_of(&path, Some(&body)));
        Some(File::Page(Page { path, title, properties, body, links }))
    }
}

/// The first heading, or else the file's name.
fn title_of(path: &str, body: Option<&str>) -> String {
    let heading = body.and_then(|body| {
        let first = body.lines().find(|line| !line.trim().is_empty())?;
        let title = first.strip_prefix("# ")?.trim().trim_end_matches('#').trim();
        (!title.is_empty()).then(|| title.to_owned())
    });
    let name = match is_page_of_folder(path) {
        true => folder(path).map_or("Home", |folder| folder.rsplit('/').next().unwrap_or(folder)),
        false if is_markdown(path) => stem(path),
        false => path.rsplit('/').next().unwrap_or(path),
    };
    heading.unwrap_or_else(|| name.to_owned())
}

fn is_page_of_folder(path: &str) -> bool {
    is_markdown(path) && matches!(stem(path).to_lowercase().as_str(), "index" | "readme")
}

/// Each folder that has pages below it, with the file that is its own page, if there is one.
fn folders(files: &HashSet<String>) -> BTreeMap<String, Option<String>> {
    let mut pages: Vec<&String> = files.iter().filter(|path| is_markdown(path)).collect();
    // `index.md` before `README.md`.
    pages.sort_by_key(|path| (stem(path).to_lowercase() != "index", *path));
    let mut folders: BTreeMap<String, Option<String>> = BTreeMap::new();
    for page in &pages {
        let mut above = folder(page);
        while let Some(path) = above {
            folders.entry(path.to_owned()).or_default();
            above = folder(path);
        }
    }
    for page in &pages {
        if is_page_of_folder(page)
            && let Some(entry @ None) = folder(page).and_then(|path| folders.get_mut(path))
        {
            *entry = Some((*page).clone());
        }
    }
    for page in &pages {
        let beside = page.rsplit_once('.').map_or(page.as_str(), |(path, _)| path);
        if let Some(entry @ None) = folders.get_mut(beside) {
            *entry = Some((*page).clone());
        }
    }
    folders
}

fn nodes(files: &HashSet<String>, folders: &BTreeMap<String, Option<String>>) -> Vec<Node> {
    let page_of = |path: &str| folders.get(path).and_then(Clone::clone).unwrap_or_else(|| path.to_owned());
    let mut nodes: Vec<Node> = Vec::new();
    // Folders are sorted, so those above come first.
    for (path, page) in folders {
        nodes.push(Node {
            path: page_of(path),
            parent: folder(path).map(page_of),
            title: page.as_deref().map_or_else(|| title_of(path, None), |page| title_of(page, None)),
            has_file: page.is_some(),
        });
    }
    let taken: HashSet<String> = nodes.iter().map(|node| node.path.clone()).collect();
    let mut pages: Vec<&String> =
        files.iter().filter(|path| is_markdown(path) && !taken.contains(*path)).collect();
    pages.sort();
    for page in pages {
        nodes.push(Node {
            path: page.clone(),
            parent: folder(page).map(page_of),
            title: title_of(page, None),
            has_file: true,
        });
    }
    nodes
}
