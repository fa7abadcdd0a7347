//! Pages that are brought in from files: what is planned for each, what came of it, and what taking it back leaves.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Properties;
use crate::ids::{PageFileId, PageId, PageImportId};

/// A file's place among those that came with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSource {
    /// The file's path. It tells when the same file comes again.
    pub path: String,
    /// The path of the parent page, which comes earlier.
    pub parent: Option<String>,
    pub title: String,
    /// The digest of the text that came: see [`source_digest`].
    pub digest: String,
    /// From an export: the page that it was.
    pub id: Option<PageId>,
    /// Files that it links to, with their digests.
    pub files: Vec<(String, String)>,
}

/// What is there already of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPage {
    pub id: PageId,
    pub version: i64,
    pub is_deleted: bool,
    /// What came the last time.
    pub digest: Option<String>,
}

/// What becomes of a file of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportedAs {
    New,
    /// It differs from what came the last time: the page gets a new version.
    Changed,
    /// Nothing came that was not there: what people wrote since stays.
    Same,
    /// A person deleted the page: it stays deleted.
    Deleted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPage {
    pub id: PageId,
    pub as_: ImportedAs,
}

/// What is planned for every page and file of an import, by their paths.
#[derive(Debug, Clone, Default)]
pub struct ImportPlan {
    pub pages: HashMap<String, PlannedPage>,
    pub files: HashMap<String, PageFileId>,
}

/// A page to be written, with the ids of the plan in its links.
#[derive(Debug, Clone)]
pub struct ImportPage {
    pub id: PageId,
    pub as_: ImportedAs,
    pub parent: Option<PageId>,
    pub source_path: String,
    pub digest: String,
    pub title: String,
    pub body: String,
    pub properties: Properties,
    /// Left out: as it is, and not for a new one.
    pub is_public: Option<bool>,
    pub position: Option<i64>,
}

#[derive(Debug, Clone)]
pub struct ImportFile {
    pub id: PageFileId,
    pub page_id: PageId,
    pub name: String,
    pub media_type: String,
    pub digest: String,
    pub bytes: Vec<u8>,
}

/// What came of an import, or would come of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportCounts {
    pub read: u64,
    pub created: u64,
    pub changed: u64,
    pub same: u64,
    /// Pages that a person deleted and that stay deleted.
    pub deleted: u64,
    pub refused: u64,
    pub files: u64,
}

impl ImportCounts {
    pub fn count(&mut self, as_: ImportedAs) {
        self.read += 1;
        *match as_ {
            ImportedAs::New => &mut self.created,
            ImportedAs::Changed => &mut self.changed,
            ImportedAs::Same => &mut self.same,
            ImportedAs::Deleted => &mut self.deleted,
        } += 1;
    }
}

/// An import that took place.
#[derive(Debug, Clone, PartialEq)]
pub struct PageImport {
    pub id: PageImportId,
    pub filename: String,
    pub counts: ImportCounts,
    pub by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub undone_at: Option<DateTime<Utc>>,
}

/// What taking an import back did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Undone {
    pub removed: u64,
    pub reset: u64,
    /// Changed since, or with pages below that did not come with it.
    pub kept: u64,
}

/// By which it is seen whether the same came again.
pub fn source_digest(title: &str, properties: &Properties, body: &str) -> String {
    let mut sha = Sha256::new();
    let mut add = |text: &str| {
        sha.update((text.len() as u64).to_le_bytes());
        sha.update(text);
    };
    add(title);
    add(body);
    for (name, value) in properties {
        add(name);
        add(value);
    }
    hex(sha)
}

pub fn file_digest(bytes: &[u8]) -> String {
    let mut sha = Sha256::new();
    sha.update(bytes);
    hex(sha)
}

fn hex(sha: Sha256) -> String {
    sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
