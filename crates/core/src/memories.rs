//! Memories: notes that an agent keeps between conversations, each under a path. A person's own memories lie under
//! `people/{profileId}/`, and only that person's turns touch them. All other memories are the agent's and are shared
//! by the workspace.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::ids::{AgentId, MemoryId, ProfileId, WorkspaceId};
use crate::listing::Window;
use crate::text::{self, Invalid};
use crate::words;

pub const MAX_PATH: usize = 200;
/// The longest path within its scope; it is still a valid path with a person's folder before it.
pub const MAX_PATH_WITHIN: usize = 150;
pub const MAX_CONTENT: usize = 20_000;
/// The most memories per agent: of the agent's own, and of each person's.
pub const MAX_MEMORIES: u64 = 2_000;
/// How many words of a search count.
const MAX_WORDS: usize = 16;
/// The folder that holds a folder per person.
pub const PEOPLE: &str = "people/";

words! {
    /// Whose memories they are.
    Scope {
        /// One person's.
        Own => "own",
        /// The agent's, for everyone in the workspace.
        Agent => "agent",
    }
}

impl Scope {
    /// The scope as models name it.
    pub fn for_models(self) -> &'static str {
        match self {
            Self::Own => "person",
            Self::Agent => "agent",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    pub id: MemoryId,
    pub agent_id: AgentId,
    pub path: String,
    pub content: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Memory {
    pub fn scope(&self) -> Scope {
        within_scope(&self.path).0
    }

    /// The path within its scope: what people and models see.
    pub fn path_within(&self) -> &str {
        within_scope(&self.path).1
    }
}

#[derive(Debug, Clone)]
pub struct MemoryQuery {
    pub agent_id: AgentId,
    /// Who looks: they see the agent's memories and their own.
    pub person: Option<ProfileId>,
    /// `None` for both.
    pub scope: Option<Scope>,
    pub search: Option<String>,
    pub window: Window,
}

#[derive(Debug, Clone)]
pub struct NewMemory {
    pub workspace_id: WorkspaceId,
    pub agent_id: AgentId,
    pub scope: Scope,
    /// Within the scope.
    pub path: String,
    pub content: String,
}

impl NewMemory {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        self.content = checked_content(&self.content)?;
        self.path = checked_path_within(&self.path)?;
        Ok(self)
    }
}

/// A change by a person; `None` leaves a field alone. A memory never moves to another scope.
#[derive(Debug, Clone, Default)]
pub struct MemoryChanges {
    /// Within the scope.
    pub path: Option<String>,
    pub content: Option<String>,
}

impl MemoryChanges {
    pub fn checked(self) -> Result<Self, Invalid> {
        Ok(Self {
            path: self.path.map(|path| checked_path_within(&path)).transpose()?,
            content: self.content.map(|content| checked_content(&content)).transpose()?,
        })
    }
}

/// What an agent does to its memories in a turn.
#[derive(Debug, Clone)]
pub struct MemoryWrite {
    pub workspace_id: WorkspaceId,
    pub agent_id: AgentId,
    /// For whom it works.
    pub person: ProfileId,
    pub scope: Scope,
    pub change: MemoryChange,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryChange {
    /// New, or over what was there. Without a path (within the scope) one is made from the content.
    Save {
        path: Option<String>,
        content: String,
    },
    Delete {
        path: String,
    },
}

impl MemoryWrite {
    /// What the model is told once it is done.
    pub fn outcome(&self, path_within: &str, replaced: bool) -> Value {
        let done = match &self.change {
            MemoryChange::Save { .. } if replaced => "replaced",
            MemoryChange::Save { .. } => "saved",
            MemoryChange::Delete { .. } => "deleted",
        };
        json!({"done": done, "path": path_within, "scope": self.scope.for_models()})
    }
}

/// What a model is told that names a note which isn't there.
pub fn nothing_at(scope: Scope, path_within: &str) -> String {
    let scope = scope.for_models();
    format!("There is no note at {path_within:?} in scope {scope}. Use list or search to find its path.")
}

/// Where a person's own memories of an agent lie.
pub fn own_folder(person: ProfileId) -> String {
    format!("{PEOPLE}{person}/")
}

/// Whether a turn, or the pages, of this person may touch a path: the agent's own memories and theirs, nobody else's.
pub fn may_touch(path: &str, person: Option<ProfileId>) -> bool {
    match path.strip_prefix(PEOPLE) {
        None => true,
        Some(_) => person.is_some_and(|person| path.starts_with(&own_folder(person))),
    }
}

/// A path as it is kept: words between single slashes, none of them `.` or `..`.
pub fn checked_path(path: &str) -> Result<String, Invalid> {
    let path = text::line("path", path.trim_matches('/'), MAX_PATH)?;
    let fine = |part: &str| !part.is_empty() && part != "." && part != ".." && part.trim() == part;
    if path.split('/').all(fine) {
        Ok(path)
    } else {
        Err(Invalid::new("path", "must be names between single slashes, such as reviews/budget"))
    }
}

/// A path as people and models name it, without the person's folder.
pub fn checked_path_within(path: &str) -> Result<String, Invalid> {
    let path = checked_path(path)?;
    if path.chars().count() > MAX_PATH_WITHIN {
        return Err(Invalid::new("path", format!("must be at most {MAX_PATH_WITHIN} characters")));
    }
    if path.starts_with(PEOPLE) {
        return Err(Invalid::new("path", "must not begin with people/: choose the scope instead"));
    }
    Ok(path)
}

pub fn checked_content(content: &str) -> Result<String, Invalid> {
    text::prose("content", content, MAX_CONTENT)
}

/// Where a memory lies, from its scope and its path within it.
pub fn full_path(scope: Scope, path_within: &str, person: ProfileId) -> String {
    match scope {
        Scope::Own => format!("{}{path_within}", own_folder(person)),
        Scope::Agent => path_within.to_owned(),
    }
}

/// The scope of a path, and the path within it.
pub fn within_scope(path: &str) -> (Scope, &str) {
    match path.strip_prefix(PEOPLE) {
        None => (Scope::Agent, path),
        Some(rest) => (Scope::Own, rest.split_once('/').map_or(rest, |(_, within)| within)),
    }
}

/// Paths for a memory that came without one, the shortest first: its first line, and a digest of the whole. So memories that
/// are written at the same moment never meet at one path, and the same memory again keeps its place.
pub fn paths_for(content: &str) -> impl Iterator<Item = String> {
    let slug = text::slugify(&text::title_from(content).unwrap_or_default(), "note");
    let digest: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    [8, 16, 32, 64].into_iter().map(move |length| format!("{slug}-{}", &digest[..length]))
}

/// What searches look in: the path without the person's folder, and the content.
pub fn search_text(path: &str, content: &str) -> String {
    text::fold(&format!("{}\n{content}", within_scope(path).1))
}

/// The words of a search, folded, each once.
pub fn search_words(query: &str) -> Vec<String> {
    let folded = text::fold(query);
    let mut words: Vec<String> = Vec::new();
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if words.len() < MAX_WORDS && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// How well a memory fits a search, from 0. Each word counts by how rare it is among `total` memories; one in the path
/// counts for more than one in the content, a whole word for more than a part of one.
pub fn fit(memory: &Memory, words: &[Rarity], total: u64) -> f64 {
    let path = text::fold(memory.path_within());
    let content = text::fold(&memory.content);
    let in_text = |text: &str, word: &str| -> f64 {
        let is_whole = text.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
        // A short word is part of many others by chance, where words have spaces between them.
        let part = if word.is_ascii() && word.len() < 4 { 0.1 } else { 0.5 };
        match text.contains(word) {
            true if is_whole => 1.0,
            true => part,
            false => 0.0,
        }
    };
    let of_word = |rarity: &Rarity| {
        let place = (2.0 * in_text(&path, &rarity.word)).max(in_text(&content, &rarity.word));
        // A word that every memory has still counts a little.
        let rare = (1.0 + (total as f64 + 1.0) / (rarity.memories as f64 + 0.5)).ln();
        place * rare
    };
    words.iter().map(of_word).sum()
}

/// A word of a search, and in how many memories it occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rarity {
    pub word: String,
    pub memories: u64,
}

#[cfg(test)]
mod tests;
