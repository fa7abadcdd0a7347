//! Pages: what a workspace knows, written down in Markdown and arranged in a tree. Every change makes a version that says
//! who made it; a change names the version that it saw.

mod body;
mod imports;
mod links;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

pub use body::{BodyChange, headings};
pub use imports::{
    FoundPage, ImportCounts, ImportFile, ImportPage, ImportPlan, ImportedAs, PageImport, PageSource,
    PlannedPage, Undone, file_digest, source_digest,
};
pub use links::{Destination, destinations, file_link, page_link, rewrite};

use crate::data::rows::Author;
use crate::ids::{ConversationId, PageFileId, PageId, PageImportId, ProfileId, WorkspaceId};
use crate::search::{Part, Searchable, Snippet};
use crate::text::{self, Invalid};
use crate::words;

pub const MAX_TITLE: usize = 200;
/// Characters of one page.
pub const MAX_BODY: usize = 200_000;
/// Pages of a workspace, deleted ones too.
pub const MAX_PAGES: u64 = 200_000;
/// How many pages lie above each other.
pub const MAX_DEPTH: usize = 20;
/// Pages that are deleted, restored or moved with one above them.
pub const MAX_AT_ONCE: usize = 2_000;
pub const MAX_PROPERTIES: usize = 50;
const MAX_PROPERTY_NAME: usize = 100;
const MAX_PROPERTY: usize = 2_000;
/// Versions that are kept of one page; the oldest go first.
pub const MAX_VERSIONS: i64 = 500;
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// Of one page.
pub const MAX_FILES: u64 = 200;
pub const MAX_FILE_NAME: usize = 200;
/// How long a deleted page can be restored.
pub const KEPT_DAYS: i64 = 30;

words! {
    /// What a version came from.
    Made {
        Created => "created",
        Changed => "changed",
        Moved => "moved",
        Deleted => "deleted",
        Restored => "restored",
        Imported => "imported",
    }
}

/// Which pages someone may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    All,
    /// Only those marked as public, and nothing that tells of others.
    Public,
}

/// Names and values in their order, as front matter has them.
pub type Properties = Vec<(String, String)>;

/// A page without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct PageNode {
    pub id: PageId,
    pub parent_id: Option<PageId>,
    /// Among the pages below the same one.
    pub position: i64,
    pub slug: String,
    pub title: String,
    pub is_public: bool,
    pub version: i64,
    /// How many pages lie right below it.
    pub children: u64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub deleted_at: Option<DateTime<Utc>>,
}

/// One page as a reader sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub node: PageNode,
    pub workspace_id: WorkspaceId,
    /// Markdown. Links to pages are `page:ID`, files are `file:ID`.
    pub body: String,
    pub properties: Properties,
    /// The pages above it, the highest first.
    pub above: Vec<PageName>,
    pub last: Option<VersionInfo>,
}

impl Page {
    /// The slugs from the top to this page.
    pub fn path(&self) -> String {
        path_of(&self.above, &self.node.slug)
    }
}

pub fn path_of(above: &[PageName], slug: &str) -> String {
    let mut path: Vec<&str> = above.iter().map(|page| page.slug.as_str()).collect();
    path.push(slug);
    path.join("/")
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageName {
    pub id: PageId,
    pub slug: String,
    pub title: String,
}

/// Which pages are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// Right below one, or at the top.
    Below(Option<PageId>),
    /// All, the latest changed first.
    Latest,
    /// Deleted pages that can be restored, the latest first.
    Deleted,
}

/// What a model or a person names a page by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PageRef {
    Id(PageId),
    /// A path of slugs, or a title.
    Named(String),
}

impl PageRef {
    /// An id, also as links have it; else a path or a title.
    pub fn from_text(text: &str) -> Self {
        match Uuid::parse_str(text.strip_prefix("page:").unwrap_or(text)) {
            Ok(id) => Self::Id(PageId(id)),
            Err(_) => Self::Named(text.to_owned()),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct FoundText {
    pub node: PageNode,
    pub above: Vec<PageName>,
    pub title: Snippet,
    pub snippet: Snippet,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PageSearch {
    pub found: Vec<FoundText>,
    pub total: u64,
    /// Whether `total` is all of them; there are more otherwise.
    pub is_counted: bool,
}

/// Who made a version, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionInfo {
    pub version: i64,
    pub made: Made,
    pub title: String,
    pub profile_name: Option<String>,
    pub author: Option<Author>,
    pub agent_name: Option<String>,
    /// The agent's conversation, if it is the reader's own and still there.
    pub conversation_id: Option<ConversationId>,
    pub approved_by: Option<String>,
    pub import_id: Option<PageImportId>,
    pub created_at: DateTime<Utc>,
}

/// A version with all that the page held then.
#[derive(Debug, Clone, PartialEq)]
pub struct PageVersion {
    pub info: VersionInfo,
    pub body: String,
    pub properties: Properties,
    pub is_public: bool,
}

/// What a page links to and what links to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageLinks {
    pub links: Vec<PageNode>,
    pub backlinks: Vec<PageNode>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFileInfo {
    pub id: PageFileId,
    pub page_id: PageId,
    pub name: String,
    pub media_type: String,
    pub size: u64,
    pub digest: String,
}

#[derive(Debug, Clone)]
pub struct PageFile {
    pub info: PageFileInfo,
    pub workspace_id: WorkspaceId,
    /// Whether everyone may read it: its page is public.
    pub is_public: bool,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct NewPageFile {
    pub page_id: PageId,
    pub name: String,
    pub media_type: String,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewPage {
    pub parent: Option<PageRef>,
    pub title: String,
    pub body: String,
    pub properties: Properties,
    pub is_public: bool,
}

impl NewPage {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        self.title = checked_title(&self.title)?;
        self.body = checked_body(&self.body)?;
        check_properties(&self.properties)?;
        Ok(self)
    }
}

/// What is left out stays as it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageChanges {
    pub title: Option<String>,
    pub body: Option<BodyChange>,
    pub properties: Option<Properties>,
    pub is_public: Option<bool>,
}

impl PageChanges {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        self.title = self.title.map(|title| checked_title(&title)).transpose()?;
        self.body = self.body.map(BodyChange::checked).transpose()?;
        if let Some(properties) = &self.properties {
            check_properties(properties)?;
        }
        Ok(self)
    }

    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A page's place among the pages with the same parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Last,
    Before(PageId),
}

/// A change of pages. `seen` is the version that whoever asks has read; another one refuses.
#[derive(Debug, Clone, PartialEq)]
pub enum PageChange {
    Create {
        id: PageId,
        new: NewPage,
    },
    Set {
        page: PageRef,
        seen: Option<i64>,
        changes: PageChanges,
    },
    Move {
        page: PageRef,
        seen: Option<i64>,
        below: Option<PageRef>,
        place: Place,
    },
    /// With all below it.
    Delete {
        page: PageRef,
        seen: Option<i64>,
    },
    /// A deleted page with what was deleted with it.
    Restore {
        page: PageId,
    },
    RestoreVersion {
        page: PageId,
        seen: Option<i64>,
        version: i64,
    },
}

impl PageChange {
    /// What is told once it is done: to the model, and to a request that comes again.
    pub fn outcome(&self, id: PageId, path: &str, title: &str, version: i64, pages: usize) -> Value {
        let done = match self {
            Self::Create { .. } => "created",
            Self::Set { .. } => "updated",
            Self::Move { .. } => "moved",
            Self::Delete { .. } => "deleted",
            Self::Restore { .. } | Self::RestoreVersion { .. } => "restored",
        };
        let mut told = json!({"done": done, "id": id, "path": path, "title": title, "version": version});
        if pages > 1 {
            told["pages"] = pages.into();
        }
        told
    }
}

/// Words for whoever saw an older version.
pub fn changed_since(title: &str, seen: i64, version: i64) -> String {
    format!(
        "The page {title:?} was changed meanwhile: you saw version {seen}, it is at version {version}. Read it again, then make \
         your change."
    )
}

pub fn no_such_page(named: &PageRef) -> String {
    match named {
        PageRef::Id(id) => format!("There is no page with the id {id}. Use search or list to find it."),
        PageRef::Named(name) => {
            format!("There is no page at the path or with the title {name:?}. Use search or list to find it.")
        }
    }
}

pub fn checked_title(title: &str) -> Result<String, Invalid> {
    text::line("title", title, MAX_TITLE)
}

/// With plain line ends, and no empty lines at its beginning: so it comes back from a file as it went.
pub fn checked_body(body: &str) -> Result<String, Invalid> {
    if body.contains('\0') {
        return Err(Invalid::new("body", "must not contain a NUL character"));
    }
    if body.chars().count() > MAX_BODY {
        return Err(Invalid::new("body", format!("must be at most {MAX_BODY} characters")));
    }
    Ok(body.replace("\r\n", "\n").trim_start_matches('\n').to_owned())
}

pub fn check_properties(properties: &Properties) -> Result<(), Invalid> {
    if properties.len() > MAX_PROPERTIES {
        return Err(Invalid::new("properties", format!("must be at most {MAX_PROPERTIES}")));
    }
    for (at, (name, value)) in properties.iter().enumerate() {
        text::line("properties", name, MAX_PROPERTY_NAME)?;
        if name.eq_ignore_ascii_case("title") {
            return Err(Invalid::new("properties", "must not have a title: the page has one"));
        }
        if value.chars().count() > MAX_PROPERTY || value.contains('\0') {
            return Err(Invalid::new(
                "properties",
                format!("must have values of at most {MAX_PROPERTY} characters"),
            ));
        }
        if properties[..at].iter().any(|(other, _)| other == name) {
            return Err(Invalid::new("properties", "must have each name once"));
        }
    }
    Ok(())
}

/// A title as it is compared.
pub fn title_key(title: &str) -> String {
    text::fold(title.trim()).chars().take(MAX_TITLE).collect()
}

/// The words by which a page is found.
pub fn searchable(title: &str, body: &str, properties: &Properties) -> Searchable {
    let mut found = Searchable::default();
    found.add(Part::Title, title);
    for heading in headings(body) {
        found.add(Part::Heading, heading);
    }
    for (_, value) in properties {
        found.add(Part::Heading, value);
    }
    found.add(Part::Body, &plain(body));
    found
}

/// The text without the signs of Markdown and without the ids in its links, for searches and snippets.
pub fn plain(body: &str) -> String {
    let without_ids = rewrite(body, |link| match link {
        Destination::Page { .. } | Destination::File { .. } => Some(String::new()),
        Destination::Named { .. } => None,
    });
    let mut plain = without_ids.replace("]()", "").replace("![", "");
    plain.retain(|c| !matches!(c, '*' | '`' | '#' | '[' | ']' | '|' | '>'));
    plain
}

/// What an export's front matter says beside the page's properties; an import takes these as fields of the page.
pub mod reserved {
    pub const ID: &str = "baton_id";
    pub const PUBLIC: &str = "baton_public";
    pub const POSITION: &str = "baton_position";
}

/// For whom a page is read: what it says of others' conversations depends on it.
pub type Reader = Option<ProfileId>;

#[cfg(test)]
mod tests;
