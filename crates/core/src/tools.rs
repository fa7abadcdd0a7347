//! Tools: what a model sees of a tool, what Baton must know about it, and what a run of it returns.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::Shared;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agents::{Agent, PermissionMode};
use crate::data::areas::Areas;
use crate::data::rows::{Author, ByAgent, Once};
use crate::effects::SeenRow;
use crate::ids::{ProfileId, WorkspaceId};
use crate::server_tools::{Level, Progress};
use crate::store::Error;
use crate::visitors::Person;

/// What a model sees of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Letters, digits, `_` and `-`, at most 64: what every vendor takes.
    pub name: String,
    pub description: String,
    /// A JSON Schema of an object.
    pub parameters: Value,
}

/// What a call would do, seen from outside. It may depend on the arguments: one tool can read and write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Nature {
    pub writes: bool,
    /// Reaches outside the workspace.
    pub outside: bool,
    /// May be sent again when nobody knows whether it was carried out. Baton's own tools always may: what they change is
    /// recorded with it (see [`effects`](crate::effects)), so a second time changes nothing.
    pub repeatable: bool,
}

impl Nature {
    pub const READS: Self = Self { writes: false, outside: false, repeatable: true };
    pub const WRITES: Self = Self { writes: true, outside: false, repeatable: true };
    /// What is assumed of a tool that Baton did not write.
    pub const UNKNOWN: Self = Self { writes: true, outside: true, repeatable: false };

    /// Whether a person is asked before such a call.
    pub fn needs_approval(self, mode: PermissionMode) -> bool {
        match mode {
            PermissionMode::Default => self.writes,
            PermissionMode::AcceptEdits => self.writes && self.outside,
            PermissionMode::BypassPermissions => false,
        }
    }
}

/// For whom and where a call runs.
#[derive(Debug, Clone)]
pub struct ToolContext {
    /// What makes a write of this call one that is done once; in a turn also by when the call has to be over.
    pub once: Once,
    /// Cancelled when nobody waits for the call any more. Whatever is to be told to others then listens for it in a task of
    /// its own: the call's future is dropped.
    pub cancelled: Cancelled,
    pub workspace_id: WorkspaceId,
    /// The agent that calls it, and where. None: a program of the person calls it, outside of any turn.
    pub agent: Option<ByAgent>,
    pub person: Person,
    /// Whether they may change the agent, and so what it knows for everyone.
    pub may_change_agent: bool,
    /// What they may do with the workspace's data, as it is now.
    pub areas: Areas,
    /// The person's, else the workspace's.
    pub time_zone: String,
    /// The agent's working state in this conversation.
    pub context_data: Map<String, Value>,
    /// What its teammates have noted there, by their slugs.
    pub teammates: Vec<(String, Map<String, Value>)>,
    pub progress: TellProgress,
}

/// Who is told how far a call is. Nobody may be.
#[derive(Clone, Default)]
pub struct TellProgress(Option<Arc<dyn Fn(Progress) + Send + Sync>>);

impl TellProgress {
    pub fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tell)))
    }

    pub fn tell(&self, progress: Progress) {
        if let Some(tell) = &self.0 {
            tell(progress);
        }
    }
}

impl fmt::Debug for TellProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TellProgress")
    }
}

impl ToolContext {
    /// Who is recorded for what the call changes.
    pub fn author(&self, profile_id: ProfileId) -> Author {
        Author { profile_id, agent: self.agent }
    }

    /// By when a call of a turn has to be over.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.once {
            Once::Call(effect) => Some(effect.deadline),
            Once::Request { .. } | Once::Unkeyed => None,
        }
    }

    /// For tools over what only an agent has.
    pub fn calling_agent(&self) -> Result<ByAgent, ToolFailure> {
        self.agent.ok_or_else(|| ToolFailure("Only an agent can do this, in a conversation.".to_owned()))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    pub value: Value,
    /// What is added to the working state of the agent that holds the conversation; a null removes the name. It is
    /// stored with the result, or not at all.
    pub notes: Option<Map<String, Value>>,
    /// The call made somebody else write something: a tool of a subtask wrote.
    pub wrote: bool,
    pub ended: Ended,
    /// What the person can open, and the model is not given.
    pub kept: Vec<Kept>,
}

/// A file of an answer: a picture, or the whole of what the model is given a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub name: String,
    /// As whoever made it says.
    pub media_type: String,
    pub bytes: Vec<u8>,
}

/// How a call ended, as whoever carried it out tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Well,
    /// It failed, and the value says what the model has to know of it.
    Badly,
    /// It was sent, and nobody knows what became of it.
    Unknown,
}

impl From<Value> for ToolAnswer {
    fn from(value: Value) -> Self {
        Self { value, notes: None, wrote: false, ended: Ended::Well, kept: Vec::new() }
    }
}

/// What a call would change, for the person who is asked to approve it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// What will be done, with its numbers.
    pub sentence: String,
    pub changes: Vec<PreviewChange>,
    /// How many changes are not told.
    pub more: u64,
    /// The rows that it is about: if one of them is changed before the call runs, the call is refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<SeenRow>,
}

/// One value that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewChange {
    /// The thing that it belongs to, as people call it.
    pub what: String,
    pub field: String,
    /// None: there is nothing yet.
    pub old: Option<String>,
    /// None: there will be nothing any more.
    pub new: Option<String>,
}

/// The most changes that a preview tells, how many rows it holds fast, and how long its texts are.
const MAX_PREVIEWED: usize = 20;
const MAX_SEEN: usize = 200;
const MAX_PREVIEW_TEXT: usize = 200;

impl Preview {
    /// As people are told it.
    pub fn told(&self) -> Self {
        Self { seen: Vec::new(), ..self.clone() }
    }

    /// As much of it as is stored.
    pub fn capped(mut self) -> Self {
        let cut = |text: &mut String| {
            if let Some((at, _)) = text.char_indices().nth(MAX_PREVIEW_TEXT) {
                text.truncate(at);
                text.push('…');
            }
            // Postgres can't keep it.
            text.retain(|c| c != '\0');
        };
        self.more += self.changes.len().saturating_sub(MAX_PREVIEWED) as u64;
        self.changes.truncate(MAX_PREVIEWED);
        self.seen.truncate(MAX_SEEN);
        cut(&mut self.sentence);
        for change in &mut self.changes {
            cut(&mut change.what);
            cut(&mut change.field);
            change.old.iter_mut().chain(&mut change.new).for_each(cut);
        }
        self
    }
}

/// Words the model can act on; never an internal error's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolFailure(pub String);

/// Is done when nobody waits for a call any more.
#[derive(Debug, Clone)]
pub struct Cancelled(Shared<oneshot::Receiver<()>>);

/// Whoever waits for a call holds this.
pub struct CancelOnDrop(#[expect(dead_code, reason = "dropping it is what it is for")] oneshot::Sender<()>);

impl Cancelled {
    pub fn new() -> (CancelOnDrop, Self) {
        let (sender, receiver) = oneshot::channel();
        (CancelOnDrop(sender), Self(receiver.shared()))
    }

    pub async fn wait(&self) {
        // The other end is dropped and never sends.
        let _ = self.0.clone().await;
    }
}

/// How long a call may take, unless its tool says otherwise.
pub const TOOL_TIME: Duration = Duration::from_secs(120);

#[async_trait]
pub trait Tool: Send + Sync {
    fn spec(&self) -> ToolSpec;
    /// For people.
    fn display_name(&self) -> String;
    fn nature(&self, arguments: &Map<String, Value>) -> Nature;
    /// What an admin decided for this agent: it comes before permission modes and allow rules.
    fn level(&self) -> Option<Level> {
        None
    }
    /// Whether it is a tool of somebody's server. Its name stands for whatever server has that slug now, so no allow rule is
    /// made for it: what it may do unasked hangs on the server's row and its own name there (see [`server_tools`](crate::server_tools)).
    fn is_served(&self) -> bool {
        false
    }
    /// What is wrong with the arguments, as far as they alone tell and beyond what their schema says. Nobody is asked
    /// about such a call: the model is told, or the person who changed them.
    fn check(&self, _arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Ok(())
    }
    /// Whether this tool can tell what a call would change.
    fn has_preview(&self) -> bool {
        false
    }
    /// What a call would change, told to the person who is asked to approve it. It changes nothing itself.
    async fn preview(&self, _context: &ToolContext, _arguments: &Map<String, Value>) -> Option<Preview> {
        None
    }
    /// Whether no call of it ever writes. (Of one call, [`nature`](Self::nature) says it.)
    fn only_reads(&self) -> bool {
        false
    }
    /// How long one call may take.
    fn time(&self) -> Duration {
        TOOL_TIME
    }
    /// Whether people brought it: of such tools an agent may have very many.
    fn is_brought(&self) -> bool {
        false
    }
    /// Whether this tool loads a skill; such calls are logged as `skill_load`.
    fn loads_skill(&self) -> bool {
        false
    }
    /// Whether this tool searches the web; people can ask for a search with their message.
    fn searches_web(&self) -> bool {
        false
    }
    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure>;
}

/// Where an agent's tools come from.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools this agent has now, in a stable order, with what its prompt says about skills.
    async fn offered(&self, agent: &Agent, place: ToolPlace) -> Result<Offer, Error>;
    /// Whether a name in an agent's `tools` is none of these, and so may be one that people defined.
    fn is_unknown(&self, name: &str) -> bool;
}

/// Where an agent works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ToolPlace {
    pub in_team: bool,
    /// At the workspace's public address: only what the agent's `public_tools` names.
    pub is_public: bool,
}

#[derive(Clone, Default)]
pub struct Offer {
    pub tools: Vec<Arc<dyn Tool>>,
    /// A block for the fixed part of the prompt: the skills it can load, by name and description.
    pub skills: Option<String>,
    /// Tools that the agent lists and this server doesn't have yet, as people call them.
    pub missing: Vec<String>,
}

#[cfg(test)]
mod tests;
