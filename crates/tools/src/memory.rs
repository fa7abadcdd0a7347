//! `manageMemory`: what an agent keeps between conversations. A person's own memories lie under `people/{profileId}/`.
//! The model never sees that folder: it names a scope and a path within it.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::data::rows::Once;
use baton_core::ids::{AgentId, ProfileId};
use baton_core::listing::Window;
use baton_core::memories::{
    Memory, MemoryChange, MemoryQuery, MemoryWrite, Scope, checked_content, checked_path_within, full_path,
    nothing_at, search_words,
};
use baton_core::store::{Effects, Memories};
use baton_core::tools::{
    Nature, Preview, PreviewChange, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec,
};
use baton_core::words;
use serde_json::{Map, Value, json};

use crate::arguments::{action, required, store_failure, text};
use crate::outage::{once, patiently};

pub const NAME: &str = "manageMemory";
const FOUND: u64 = 10;
const LISTED: u64 = 100;
/// Of each memory that a search finds; `read` gives the whole.
const SHOWN: usize = 1_000;

pub struct MemoryTool {
    memories: Arc<dyn Memories>,
    effects: Arc<dyn Effects>,
}

impl MemoryTool {
    pub fn new(memories: Arc<dyn Memories>, effects: Arc<dyn Effects>) -> Self {
        Self { memories, effects }
    }
}

#[async_trait]
impl Tool for MemoryTool {
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: NAME.to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() }
    }

    fn display_name(&self) -> String {
        "Memory".to_owned()
    }

    fn nature(&self, arguments: &Map<String, Value>) -> Nature {
        match action::<Act>(arguments, Act::WORDS) {
            Ok(None | Some(Act::Search | Act::List | Act::Read)) => Nature::READS,
            Ok(Some(Act::Save | Act::Delete)) | Err(_) => Nature::WRITES,
        }
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Action::read(arguments).map(drop)
    }

    fn has_preview(&self) -> bool {
        true
    }

    async fn preview(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Option<Preview> {
        let person = context.person.profile_id()?;
        let agent = context.calling_agent().ok()?.agent_id;
        let call = Call { memories: &*self.memories, effects: &*self.effects, context, agent, person };
        let (scope, path, content) = match Action::read(arguments).ok()? {
            Action::Save { scope, path, content } => (scope, path, Some(content)),
            Action::Delete { scope, path } => (scope, Some(path), None),
            Action::Search { .. } | Action::List { .. } | Action::Read { .. } => return None,
        };
        let there = match &path {
            Some(path) => call.at(scope, path).await.ok()?.map(|memory| memory.content),
            None => None,
        };
        let whom = match scope {
            Scope::Own => "only when it works for you",
            Scope::Agent => "for everyone whom it works for",
        };
        let sentence = match (&there, &content) {
            (None, Some(_)) => format!("Remember this, {whom}."),
            (Some(_), Some(_)) => format!("Remember this in place of an earlier note, {whom}."),
            (Some(_), None) => format!("Forget this note, kept {whom}."),
            // There is nothing to forget; the call says so.
            (None, None) => return None,
        };
        let what = path.unwrap_or_else(|| "New note".to_owned());
        let change = PreviewChange { what, field: "Note".to_owned(), old: there, new: content };
        Some(Preview { sentence, changes: vec![change], more: 0, seen: Vec::new() })
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let Some(person) = context.person.profile_id() else {
            return Err(ToolFailure("There is no memory for people who are not signed in.".to_owned()));
        };
        let agent = context.calling_agent()?.agent_id;
        let call = Call { memories: &*self.memories, effects: &*self.effects, context, agent, person };
        match Action::read(&arguments)? {
            Action::Search { words, scope, limit } => call.search(&words, scope, limit).await,
            Action::List { scope, limit } => call.list(scope, limit).await,
            Action::Read { scope, path } => call.read(scope, &path).await,
            Action::Save { scope, path, content } => {
                call.write(scope, MemoryChange::Save { path, content }).await
            }
            Action::Delete { scope, path } => call.write(scope, MemoryChange::Delete { path }).await,
        }
    }
}

/// At most 1,024 characters: vendors cut or refuse more.
const DESCRIPTION: &str = "\
Your notes between conversations; you remember nothing else. Search before you answer when the person refers to \
something earlier (\"as last time\", \"my usual\") or when their preferences, plans or facts would change the answer. \
Save what will still matter in another conversation: preferences, decisions, names, goals, corrections; not small \
talk, what can be looked up, or secrets such as passwords. Search before you save too, and change the note that is \
there (same path) instead of adding another. One subject per note, clear without this conversation. Scope person: \
about and for this person only. Scope agent: shared with everyone in the workspace, so only facts about the work.";

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "enum": Act::WORDS,
                "description": "search: find notes by words. list: paths of the latest notes. read: one whole note. \
                                save: remember something, new or over the note at that path. delete: forget a note. \
                                Left out: search if there is a query, read if a path is named, else list.",
            },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": LISTED,
                "description": format!("How many at most; for search {FOUND} if left out, for list {LISTED}."),
            },
            "query": {"type": "string", "description": "For search: the words to look for."},
            "path": {
                "type": "string",
                "description": "For read and delete: the note's path, such as preferences/travel. To save over a note, \
                                its path; left out when saving, one is made from the content.",
            },
            "content": {"type": "string", "description": "For save: the whole note. It replaces what was there."},
            "scope": {
                "type": "string",
                "enum": ["person", "agent"],
                "description": "Whose note. Left out: search and list look in both, the others mean person.",
            },
        },
        "additionalProperties": false,
    })
}

words! {
    /// What a call can do.
    Act { Search => "search", List => "list", Read => "read", Save => "save", Delete => "delete" }
}

/// What a call asks for, with all that this action needs.
enum Action {
    Search {
        words: Vec<String>,
        scope: Option<Scope>,
        limit: u64,
    },
    List {
        scope: Option<Scope>,
        limit: u64,
    },
    Read {
        scope: Scope,
        path: String,
    },
    /// Without a path, one is made from the content.
    Save {
        scope: Scope,
        path: Option<String>,
        content: String,
    },
    Delete {
        scope: Scope,
        path: String,
    },
}

impl Action {
    fn read(arguments: &Map<String, Value>) -> Result<Self, ToolFailure> {
        let scope = scope_in(arguments)?;
        let one_scope = scope.unwrap_or(Scope::Own);
        let path = || checked_path_within(required(arguments, "path")?).map_err(mend);
        let limit = limit_in(arguments)?;
        let act = match action(arguments, Act::WORDS)? {
            Some(act) => act,
            None => left_out(arguments)?,
        };
        match act {
            Act::Search => {
                let words = search_words(required(arguments, "query")?);
                if words.is_empty() {
                    return Err(ToolFailure("query must have words in it.".to_owned()));
                }
                Ok(Self::Search { words, scope, limit: limit.unwrap_or(FOUND) })
            }
            Act::List => Ok(Self::List { scope, limit: limit.unwrap_or(LISTED) }),
            Act::Read => Ok(Self::Read { scope: one_scope, path: path()? }),
            Act::Save => {
                let content = checked_content(required(arguments, "content")?).map_err(mend)?;
                let path = text(arguments, "path")?.map(checked_path_within).transpose().map_err(mend)?;
                Ok(Self::Save { scope: one_scope, path, content })
            }
            Act::Delete => Ok(Self::Delete { scope: one_scope, path: path()? }),
        }
    }
}

struct Call<'a> {
    memories: &'a dyn Memories,
    effects: &'a dyn Effects,
    context: &'a ToolContext,
    agent: AgentId,
    person: ProfileId,
}

impl Call<'_> {
    async fn search(
        &self,
        words: &[String],
        scope: Option<Scope>,
        limit: u64,
    ) -> Result<ToolAnswer, ToolFailure> {
        let agent = self.agent;
        let found = patiently(|| self.memories.recall(agent, Some(self.person), scope, words, limit)).await;
        let found: Vec<Value> = found.map_err(store_failure)?.iter().map(shortened).collect();
        let mut told = json!({"memories": found});
        if found.len() as u64 == limit {
            told["more"] = "There may be more: narrow by more words, or raise limit.".into();
        }
        Ok(told.into())
    }

    async fn list(&self, scope: Option<Scope>, limit: u64) -> Result<ToolAnswer, ToolFailure> {
        let query = MemoryQuery {
            agent_id: self.agent,
            person: Some(self.person),
            scope,
            search: None,
            window: Window { limit, offset: 0 },
        };
        let page = patiently(|| self.memories.memories(query.clone())).await.map_err(store_failure)?;
        let listed: Vec<Value> = page
            .rows
            .iter()
            .map(|memory| {
                json!({
                    "path": memory.path_within(), "scope": memory.scope().for_models(),
                    "updatedAt": memory.updated_at.to_rfc3339(),
                })
            })
            .collect();
        let more = page.total.saturating_sub(listed.len() as u64);
        let mut told = json!({"memories": listed, "total": page.total});
        if more > 0 {
            told["more"] = format!("{more} more: search for words, or raise limit.").into();
        }
        Ok(told.into())
    }

    async fn read(&self, scope: Scope, path: &str) -> Result<ToolAnswer, ToolFailure> {
        let memory = self.at(scope, path).await?.ok_or_else(|| ToolFailure(nothing_at(scope, path)))?;
        let updated_at = memory.updated_at.to_rfc3339();
        Ok(json!({"path": path, "scope": scope.for_models(), "content": memory.content, "updatedAt": updated_at})
            .into())
    }

    async fn write(&self, scope: Scope, change: MemoryChange) -> Result<ToolAnswer, ToolFailure> {
        self.may_write(scope)?;
        let context = self.context;
        let write = MemoryWrite {
            workspace_id: context.workspace_id,
            agent_id: self.agent,
            person: self.person,
            scope,
            change,
        };
        let Once::Call(effect) = &context.once else {
            return Err(ToolFailure("An agent changes its memories in a conversation only.".to_owned()));
        };
        let written = once(|| self.effects.write_memory(effect, write.clone())).await?;
        Ok(written.into())
    }

    /// Only people who may change the agent may write its own memories, because everyone gets them through the agent.
    fn may_write(&self, scope: Scope) -> Result<(), ToolFailure> {
        if scope == Scope::Own || self.context.may_change_agent {
            return Ok(());
        }
        Err(ToolFailure(
            "This person may not change what the agent knows for everyone. Use the scope person.".to_owned(),
        ))
    }

    async fn at(&self, scope: Scope, path: &str) -> Result<Option<Memory>, ToolFailure> {
        let path = full_path(scope, path, self.person);
        let agent = self.agent;
        let there = patiently(|| self.memories.memory_at(agent, &path, Some(self.person))).await;
        there.map_err(store_failure)
    }
}

/// The reading action that a call means which names none.
fn left_out(arguments: &Map<String, Value>) -> Result<Act, ToolFailure> {
    if text(arguments, "content")?.is_some() {
        return Err(ToolFailure("action must be save to remember content.".to_owned()));
    }
    Ok(match (text(arguments, "query")?, text(arguments, "path")?) {
        (Some(_), _) => Act::Search,
        (None, Some(_)) => Act::Read,
        (None, None) => Act::List,
    })
}

fn limit_in(arguments: &Map<String, Value>) -> Result<Option<u64>, ToolFailure> {
    match arguments.get("limit") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(limit @ 1..=LISTED) => Ok(Some(limit)),
            _ => Err(ToolFailure(format!("limit must be a whole number from 1 to {LISTED}."))),
        },
    }
}

fn scope_in(arguments: &Map<String, Value>) -> Result<Option<Scope>, ToolFailure> {
    match text(arguments, "scope")? {
        None => Ok(None),
        Some("person") => Ok(Some(Scope::Own)),
        Some("agent") => Ok(Some(Scope::Agent)),
        Some(_) => Err(ToolFailure("scope must be person or agent.".to_owned())),
    }
}

fn shortened(memory: &Memory) -> Value {
    let mut shown = json!({
        "path": memory.path_within(), "scope": memory.scope().for_models(), "content": memory.content,
        "updatedAt": memory.updated_at.to_rfc3339(),
    });
    if let Some((cut, _)) = memory.content.char_indices().nth(SHOWN) {
        shown["content"] = format!("{}…", &memory.content[..cut]).into();
        shown["isCut"] = true.into();
    }
    shown
}

fn mend(invalid: baton_core::Invalid) -> ToolFailure {
    ToolFailure(format!("{invalid}."))
}
