//! Pages as the API shows them.

use baton_core::pages::{
    FoundText, ImportCounts, Page, PageFileInfo, PageImport, PageName, PageNode, PageVersion, Properties,
    VersionInfo, path_of,
};
use baton_core::search::Snippet;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

#[derive(Serialize, ToSchema)]
#[schema(as = PageNode)]
pub struct NodeView {
    id: Uuid,
    #[schema(required)]
    parent_id: Option<Uuid>,
    slug: String,
    title: String,
    /// Whether visitors may read it, through an agent at the public address.
    is_public: bool,
    /// A change names the version it saw.
    version: i64,
    /// How many pages lie right below it.
    children: u64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    /// Until it is gone for good, a deleted page can be restored.
    #[schema(required)]
    deleted_at: Option<DateTime<Utc>>,
}

impl From<PageNode> for NodeView {
    fn from(node: PageNode) -> Self {
        Self {
            id: node.id.0,
            parent_id: node.parent_id.map(|id| id.0),
            slug: node.slug,
            title: node.title,
            is_public: node.is_public,
            version: node.version,
            children: node.children,
            created_at: node.created_at,
            updated_at: node.updated_at,
            deleted_at: node.deleted_at,
        }
    }
}

/// A property of a page, as front matter has them.
#[derive(Serialize, Deserialize, ToSchema, Clone)]
#[serde(deny_unknown_fields)]
pub struct PageProperty {
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    #[schema(max_length = 2_000)]
    pub value: String,
}

pub fn shown_properties(properties: Properties) -> Vec<PageProperty> {
    properties.into_iter().map(|(name, value)| PageProperty { name, value }).collect()
}

pub fn given_properties(properties: Vec<PageProperty>) -> Properties {
    properties.into_iter().map(|property| (property.name, property.value)).collect()
}

#[derive(Serialize, ToSchema)]
#[schema(as = PageName)]
pub struct NameView {
    id: Uuid,
    title: String,
}

impl From<PageName> for NameView {
    fn from(name: PageName) -> Self {
        Self { id: name.id.0, title: name.title }
    }
}

/// Who made a version, and how.
#[derive(Serialize, ToSchema)]
#[schema(as = PageVersionInfo)]
pub struct VersionView {
    version: i64,
    /// `created`, `changed`, `moved`, `deleted`, `restored` or `imported`.
    what: String,
    title: String,
    /// The person, or the one for whom the agent did it.
    #[schema(required)]
    profile_name: Option<String>,
    #[schema(required)]
    agent_id: Option<Uuid>,
    #[schema(required)]
    agent_name: Option<String>,
    /// Where the agent did it, if that is the caller's own conversation.
    #[schema(required)]
    conversation_id: Option<Uuid>,
    /// Who allowed the agent's call.
    #[schema(required)]
    approved_by: Option<String>,
    #[schema(required)]
    import_id: Option<Uuid>,
    created_at: DateTime<Utc>,
}

impl From<VersionInfo> for VersionView {
    fn from(info: VersionInfo) -> Self {
        Self {
            version: info.version,
            what: info.made.to_string(),
            title: info.title,
            profile_name: info.profile_name,
            agent_id: info.author.and_then(|author| author.agent).map(|agent| agent.agent_id.0),
            agent_name: info.agent_name,
            conversation_id: info.conversation_id.map(|id| id.0),
            approved_by: info.approved_by,
            import_id: info.import_id.map(|id| id.0),
            created_at: info.created_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Page)]
pub struct PageView {
    #[serde(flatten)]
    node: NodeView,
    workspace_id: Uuid,
    /// The slugs from the top to the page.
    path: String,
    /// Markdown. `page:ID` links to a page, `file:ID` to a file of `/api/knowledge/files/{id}`.
    body: String,
    properties: Vec<PageProperty>,
    /// The pages above it, the highest first.
    above: Vec<NameView>,
    #[schema(required)]
    last_change: Option<VersionView>,
}

impl From<Page> for PageView {
    fn from(page: Page) -> Self {
        Self {
            path: page.path(),
            workspace_id: page.workspace_id.0,
            body: page.body,
            properties: shown_properties(page.properties),
            above: page.above.into_iter().map(Into::into).collect(),
            last_change: page.last.map(Into::into),
            node: page.node.into(),
        }
    }
}

/// What a page held.
#[derive(Serialize, ToSchema)]
#[schema(as = PageVersion)]
pub struct WholeVersionView {
    #[serde(flatten)]
    info: VersionView,
    body: String,
    properties: Vec<PageProperty>,
    is_public: bool,
}

impl From<PageVersion> for WholeVersionView {
    fn from(version: PageVersion) -> Self {
        Self {
            info: version.info.into(),
            body: version.body,
            properties: shown_properties(version.properties),
            is_public: version.is_public,
        }
    }
}

/// A piece of text in parts, so that hits can be marked.
#[derive(Serialize, ToSchema)]
pub struct TextPart {
    text: String,
    is_hit: bool,
}

pub fn parts(snippet: Snippet) -> Vec<TextPart> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut add = |text: &str, is_hit| {
        if !text.is_empty() {
            parts.push(TextPart { text: text.to_owned(), is_hit });
        }
    };
    for (start, end) in snippet.hits {
        add(&snippet.text[from..start], false);
        add(&snippet.text[start..end], true);
        from = end;
    }
    add(&snippet.text[from..], false);
    parts
}

#[derive(Serialize, ToSchema)]
#[schema(as = FoundPage)]
pub struct FoundView {
    #[serde(flatten)]
    node: NodeView,
    path: String,
    above: Vec<NameView>,
    title_parts: Vec<TextPart>,
    snippet: Vec<TextPart>,
}

impl From<FoundText> for FoundView {
    fn from(found: FoundText) -> Self {
        Self {
            path: path_of(&found.above, &found.node.slug),
            above: found.above.into_iter().map(Into::into).collect(),
            title_parts: parts(found.title),
            snippet: parts(found.snippet),
            node: found.node.into(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = PageFile)]
pub struct PageFileView {
    pub id: Uuid,
    name: String,
    media_type: String,
    size: u64,
    /// What to write in a page: `![words](file:…)` shows an image, `[words](file:…)` links to a file.
    link: String,
}

impl From<PageFileInfo> for PageFileView {
    fn from(info: PageFileInfo) -> Self {
        let link = baton_core::pages::file_link(info.id);
        Self { id: info.id.0, name: info.name, media_type: info.media_type, size: info.size, link }
    }
}

/// What came of an import, or would come of it.
#[derive(Serialize, ToSchema)]
#[schema(as = PageImportCounts)]
pub struct CountsView {
    /// Pages that were read.
    read: u64,
    created: u64,
    changed: u64,
    /// Nothing new came: what people wrote since stays.
    same: u64,
    /// Pages that were deleted here, and stay so.
    deleted: u64,
    /// Files that were not taken.
    refused: u64,
    /// Images and other files of pages.
    files: u64,
}

impl From<ImportCounts> for CountsView {
    fn from(counts: ImportCounts) -> Self {
        let ImportCounts { read, created, changed, same, deleted, refused, files } = counts;
        Self { read, created, changed, same, deleted, refused, files }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = PageImport)]
pub struct ImportView {
    id: Uuid,
    filename: String,
    counts: CountsView,
    #[schema(required)]
    by: Option<String>,
    created_at: DateTime<Utc>,
    #[schema(required)]
    undone_at: Option<DateTime<Utc>>,
}

impl From<PageImport> for ImportView {
    fn from(import: PageImport) -> Self {
        Self {
            id: import.id.0,
            filename: import.filename,
            counts: import.counts.into(),
            by: import.by,
            created_at: import.created_at,
            undone_at: import.undone_at,
        }
    }
}
