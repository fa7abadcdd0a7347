//! `manageKnowledge`: the workspace's pages. What a call asks for is read in `action.rs`; here it is done, and shown in a form
//! that fits a model.
//!
//! At the public address the tool is another one: it only reads, and only pages that are marked as public.

mod action;

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::listing::Window;
use baton_core::pages::{
    Destination, Listed, Page, PageChange, PageNode, PageRef, Sight, VersionInfo, no_such_page, rewrite,
};
use baton_core::search::Query;
use baton_core::store::{Error, Pages};
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value, json};

use crate::arguments::store_failure;
use crate::outage::{once, patiently};
use action::Action;

pub const NAME: &str = "manageKnowledge";
/// Characters of one page's text that are given at once.
const SHOWN: usize = 30_000;
/// Pages below a page that are named when it is read.
const NAMED: u64 = 50;

pub struct KnowledgeTool {
    pages: Arc<dyn Pages>,
    sight: Sight,
}

impl KnowledgeTool {
    pub fn new(pages: Arc<dyn Pages>) -> Self {
        Self { pages, sight: Sight::All }
    }

    /// For visitors and guests.
    pub fn public(pages: Arc<dyn Pages>) -> Self {
        Self { pages, sight: Sight::Public }
    }
}

#[async_trait]
impl Tool for KnowledgeTool {
    fn spec(&self) -> ToolSpec {
        let (description, parameters) = match self.sight {
            Sight::All => (action::DESCRIPTION, action::parameters()),
            Sight::Public => (action::PUBLIC_DESCRIPTION, action::public_parameters()),
        };
        ToolSpec { name: NAME.to_owned(), description: description.to_owned(), parameters }
    }

    fn display_name(&self) -> String {
        "Knowledge".to_owned()
    }

    fn nature(&self, arguments: &Map<String, Value>) -> Nature {
        match Action::writes(arguments) {
            true => Nature::WRITES,
            false => Nature::READS,
        }
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Action::read(arguments, self.sight).map(drop)
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let action = Action::read(&arguments, self.sight)?;
        let least = if Action::writes(&arguments) { AreaAccess::Write } else { AreaAccess::Read };
        if self.sight == Sight::All {
            let may = context.areas.check(Area::Knowledge, least);
            may.map_err(|refused| ToolFailure(format!("{refused}.")))?;
        }
        let call = Call { pages: &*self.pages, context, sight: self.sight };
        match action {
            Action::Search { query, limit } => call.search(&query, limit).await,
            Action::List { parent, limit } => call.list(parent, limit).await,
            Action::Read { page, from } => call.read(&page, from).await,
            Action::History { page, version, limit } => call.history(&page, version, limit).await,
            Action::Links { page } => call.links(&page).await,
            Action::Write(change) => call.write(change).await,
        }
    }
}

struct Call<'a> {
    pages: &'a dyn Pages,
    context: &'a ToolContext,
    sight: Sight,
}

impl Call<'_> {
    async fn search(&self, query: &Query, limit: u64) -> Result<ToolAnswer, ToolFailure> {
        let workspace = self.context.workspace_id;
        let found = patiently(|| self.pages.search_pages(workspace, query, self.sight, limit)).await;
        let found = found.map_err(store_failure)?;
        let pages: Vec<Value> = found
            .found
            .iter()
            .map(|one| {
                let mut shown = self.node(&one.node, Some(&one.above));
                shown["snippet"] = one.snippet.marked("**", "**").into();
                shown
            })
            .collect();
        let left = found.total - found.found.len() as u64;
        let mut answer = json!({"pages": pages, "total": found.total});
        match (left, found.is_counted) {
            (0, _) => {}
            (left, true) => {
                answer["more"] = format!("{left} more: narrow by more words, or raise limit.").into()
            }
            (left, false) => {
                answer["more"] = format!("{left} more and others: narrow by more words.").into();
            }
        }
        if pages.is_empty() {
            answer["note"] =
                "No page has all of these words. Try fewer or other words, or list the pages.".into();
        }
        Ok(answer.into())
    }

    async fn list(&self, parent: Option<PageRef>, limit: u64) -> Result<ToolAnswer, ToolFailure> {
        let parent = match parent {
            Some(parent) => Some(self.find(&parent).await?),
            None => None,
        };
        // Public pages may lie below others: they are listed flat.
        let listed = match (&parent, self.sight) {
            (None, Sight::Public) => Listed::Latest,
            (parent, _) => Listed::Below(parent.as_ref().map(|page| page.node.id)),
        };
        let rows = self.below(listed, limit).await?;
        let above = parent.as_ref().map(|page| {
            let mut above = page.above.clone();
            let PageNode { id, slug, title, .. } = page.node.clone();
            above.push(baton_core::pages::PageName { id, slug, title });
            above
        });
        let shown: Vec<Value> = rows
            .rows
            .iter()
            .map(|node| self.node(node, Some(above.as_deref().unwrap_or_default())))
            .collect();
        let left = rows.total - rows.rows.len() as u64;
        let mut answer = json!({"pages": shown, "total": rows.total});
        if left > 0 {
            answer["more"] =
                format!("{left} more: search for words, list below one of the pages, or raise limit.").into();
        }
        Ok(answer.into())
    }

    async fn below(
        &self,
        listed: Listed,
        limit: u64,
    ) -> Result<baton_core::listing::Page<PageNode>, ToolFailure> {
        let (workspace, window) = (self.context.workspace_id, Window { limit, offset: 0 });
        patiently(|| self.pages.pages(workspace, listed, self.sight, window)).await.map_err(store_failure)
    }

    async fn read(&self, named: &PageRef, from: usize) -> Result<ToolAnswer, ToolFailure> {
        let mut page = self.find(named).await?;
        if self.sight == Sight::Public {
            page.body = self.without_hidden_links(&page).await?;
        }
        let mut shown = self.node(&page.node, Some(&page.above));
        let rest: String = page.body.chars().skip(from).take(SHOWN).collect();
        let length = page.body.chars().count();
        if from > length {
            return Err(ToolFailure(format!("from is beyond the page's end: it has {length} characters.")));
        }
        if from + SHOWN < length {
            let next = from + SHOWN;
            shown["more"] = format!("{} more characters: read it with from {next}.", length - next).into();
        }
        shown["body"] = rest.into();
        shown["version"] = page.node.version.into();
        if !page.properties.is_empty() {
            shown["properties"] = page
                .properties
                .iter()
                .map(|(name, value)| (name.clone(), value.clone().into()))
                .collect::<Map<_, _>>()
                .into();
        }
        if self.sight == Sight::All {
            shown["isPublic"] = page.node.is_public.into();
        }
        if let Some(last) = &page.last {
            shown["lastChange"] = changed(last);
        }
        if page.node.children > 0 {
            let below = self.below(Listed::Below(Some(page.node.id)), NAMED).await?;
            shown["pagesBelow"] =
                below.rows.iter().map(|node| node.title.clone().into()).collect::<Vec<Value>>().into();
        }
        Ok(shown.into())
    }

    /// Links to pages that are not public lead nowhere.
    async fn without_hidden_links(&self, page: &Page) -> Result<String, ToolFailure> {
        let (workspace, id) = (self.context.workspace_id, page.node.id);
        let links = patiently(|| self.pages.page_links(workspace, id, Sight::Public)).await;
        let links = links.map_err(store_failure)?.links;
        Ok(rewrite(&page.body, |link| match link {
            Destination::Page { id, .. } if links.iter().any(|seen| seen.id == *id) => None,
            Destination::Page { .. } => Some(String::new()),
            Destination::File { .. } | Destination::Named { .. } => None,
        }))
    }

    async fn history(
        &self,
        named: &PageRef,
        version: Option<i64>,
        limit: u64,
    ) -> Result<ToolAnswer, ToolFailure> {
        let page = self.find(named).await?;
        let (id, reader) = (page.node.id, self.context.person.profile_id());
        if let Some(version) = version {
            let old = patiently(|| self.pages.page_version(id, version, reader)).await;
            let old = old.map_err(|error| match error {
                Error::NotFound(_) => ToolFailure(format!("There is no version {version} of this page.")),
                other => store_failure(other),
            })?;
            let body: String = old.body.chars().take(SHOWN).collect();
            let mut shown = changed(&old.info);
            shown["title"] = old.info.title.into();
            shown["body"] = body.into();
            return Ok(shown.into());
        }
        let versions = patiently(|| self.pages.page_versions(id, None, limit, reader)).await;
        let versions: Vec<Value> = versions.map_err(store_failure)?.iter().map(changed).collect();
        let mut answer = self.node(&page.node, Some(&page.above));
        answer["version"] = page.node.version.into();
        let left = page.node.version - versions.len() as i64;
        if left > 0 {
            answer["more"] = format!("{left} older: raise limit, or name a version.").into();
        }
        answer["versions"] = versions.into();
        Ok(answer.into())
    }

    async fn links(&self, named: &PageRef) -> Result<ToolAnswer, ToolFailure> {
        let page = self.find(named).await?;
        let (workspace, id) = (self.context.workspace_id, page.node.id);
        let links = patiently(|| self.pages.page_links(workspace, id, self.sight)).await;
        let links = links.map_err(store_failure)?;
        let shown = |nodes: &[PageNode]| -> Vec<Value> {
            nodes.iter().take(100).map(|node| self.node(node, None)).collect()
        };
        Ok(json!({"title": page.node.title, "links": shown(&links.links), "backlinks": shown(&links.backlinks)})
            .into())
    }

    async fn write(&self, change: PageChange) -> Result<ToolAnswer, ToolFailure> {
        let context = self.context;
        let Some(profile_id) = context.person.profile_id() else {
            return Err(ToolFailure("Only people who are signed in can change pages.".to_owned()));
        };
        let author = context.author(profile_id);
        let workspace = context.workspace_id;
        let written =
            once(|| self.pages.change_page(&context.once, workspace, author, change.clone())).await?;
        Ok(written.into())
    }

    async fn find(&self, named: &PageRef) -> Result<Page, ToolFailure> {
        let (workspace, reader) = (self.context.workspace_id, self.context.person.profile_id());
        let page = patiently(|| self.pages.page(workspace, named, self.sight, reader)).await;
        match page {
            Ok(page) if page.node.deleted_at.is_none() => Ok(page),
            Ok(_) | Err(Error::NotFound(_)) => Err(ToolFailure(no_such_page(named))),
            Err(other) => Err(store_failure(other)),
        }
    }

    /// Paths tell of the pages above, so they are only for who sees all.
    fn node(&self, node: &PageNode, above: Option<&[baton_core::pages::PageName]>) -> Value {
        let mut shown =
            json!({"id": node.id, "title": node.title, "updatedAt": node.updated_at.to_rfc3339()});
        if let (Sight::All, Some(above)) = (self.sight, above) {
            shown["path"] = baton_core::pages::path_of(above, &node.slug).into();
        }
        if node.children > 0 {
            shown["pagesBelowCount"] = node.children.into();
        }
        shown
    }
}

fn changed(info: &VersionInfo) -> Value {
    let mut shown = json!({"version": info.version, "what": info.made, "at": info.created_at.to_rfc3339()});
    let told = [("by", &info.profile_name), ("agent", &info.agent_name), ("approvedBy", &info.approved_by)];
    for (name, value) in told {
        if let Some(value) = value {
            shown[name] = value.as_str().into();
        }
    }
    shown
}
