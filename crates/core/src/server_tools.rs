//! Tools of other people's MCP servers: what a server says of them, what of that is believed, and the trait by which they
//! are listed and called.
//!
//! A server may say something else tomorrow. So what an admin allowed is kept (pinned), and a tool whose definition is
//! another one by now is held back. Everything is keyed by the server's row and the tool's own (raw) name, never by
//! the name that models see.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::approvals::canonical;
use crate::ids::{AgentId, ToolId, WorkspaceId};
use crate::secrets::SecretText;
use crate::tools::{Nature, ToolContext};
use crate::visitors::Person;
use crate::words;

/// One tool, as its server describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// The raw name: what the server is called with.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default)]
    pub description: String,
    pub input_schema: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    #[serde(default)]
    pub annotations: Annotations,
}

/// What a server says its tool does. Believed only of a server that an admin trusts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotations {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl Definition {
    /// What a permission is bound to: all that tells a model what the tool is and does, in any order of keys. Title and
    /// output schema are for people and for reading results.
    pub fn hash(&self) -> String {
        let Self { name, description, input_schema, annotations, .. } = self;
        hex(&canonical(&json!([name, description, input_schema, annotations])))
    }

    /// What people call it.
    pub fn display_name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }
}

impl Annotations {
    /// What a call of such a tool does. What a trusted server leaves open is as the protocol says: it writes, reaches
    /// outside and may not be repeated.
    pub fn nature(self, trust: Trust) -> Nature {
        if trust == Trust::Untrusted {
            return Nature::UNKNOWN;
        }
        let reads = self.read_only == Some(true);
        Nature {
            writes: !reads,
            outside: self.open_world.unwrap_or(true),
            repeatable: reads || self.idempotent == Some(true),
        }
    }
}

words! {
    /// Whether an admin believes what a server says its tools do.
    Trust { Untrusted => "untrusted", Trusted => "trusted" }
}

/// The most characters of a name that every vendor takes.
const MAX_NAME: usize = 64;
/// How many digits of a hash tell names apart that were altered.
const TOLD_APART_BY: usize = 10;

/// The name that models call a server's tool by: the server's slug, `__`, and the raw name. If anything of it had to be
/// altered, a hash of what it stands for follows, so that two tools never share a name.
pub fn model_name(server: ToolId, slug: &str, raw_name: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let plain = format!("{slug}__{raw_name}");
    // Otherwise a server `a` with the tool `b__c` would be taken for a server `a__b` with the tool `c`.
    let splits_once = !slug.contains("__") && !slug.ends_with('_') && !raw_name.starts_with('_');
    let is_whole = !slug.is_empty() && !raw_name.is_empty() && plain.len() <= MAX_NAME;
    if is_whole && splits_once && plain.chars().all(is_safe) {
        return plain;
    }
    let readable = plain.chars().map(|c| if is_safe(c) { c } else { '_' });
    let readable: String = readable.take(MAX_NAME - TOLD_APART_BY - 1).collect();
    format!("{readable}-{}", &hex(&format!("{server}\0{raw_name}"))[..TOLD_APART_BY])
}

/// One tool of a server: what an admin allowed, and what the server says now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pin {
    /// As it was allowed.
    pub pinned: Option<Definition>,
    /// As the server describes it now.
    pub newest: Option<Definition>,
}

words! {
    PinState {
        /// Offered to agents as it was allowed.
        Allowed => "allowed",
        /// Nobody has allowed it yet.
        New => "new",
        /// It is no longer what was allowed, and held back until it is allowed again.
        Changed => "changed",
        /// It was allowed; the server doesn't have it any more.
        Gone => "gone",
    }
}

impl Pin {
    /// `None`: there is nothing to tell.
    pub fn state(&self) -> Option<PinState> {
        match (&self.pinned, &self.newest) {
            (None, None) => None,
            (None, Some(_)) => Some(PinState::New),
            (Some(_), None) => Some(PinState::Gone),
            (Some(pinned), Some(newest)) if pinned.hash() == newest.hash() => Some(PinState::Allowed),
            (Some(_), Some(_)) => Some(PinState::Changed),
        }
    }

    /// What agents are offered, if anything: never more than what was allowed.
    pub fn offered(&self) -> Option<&Definition> {
        self.pinned.as_ref().filter(|_| self.state() == Some(PinState::Allowed))
    }

    /// What is different now; empty unless it has changed.
    pub fn differences(&self) -> Vec<Difference> {
        let (Some(pinned), Some(newest)) = (&self.pinned, &self.newest) else { return Vec::new() };
        let told = |one: &Definition| json!({"description": one.description, "input_schema": one.input_schema, "annotations": one.annotations});
        let mut found = Vec::new();
        differ("", Some(&told(pinned)), Some(&told(newest)), &mut found);
        found
    }
}

/// One value of a definition that is another one now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// A JSON pointer, such as `/input_schema/properties/path/type`.
    pub at: String,
    /// `None`: it wasn't there.
    pub was: Option<Value>,
    /// `None`: it isn't there any more.
    pub is: Option<Value>,
}

/// The most differences that are told apart; what lies deeper or comes later is told as a whole.
const MAX_DIFFERENCES: usize = 100;

fn differ(at: &str, was: Option<&Value>, is: Option<&Value>, found: &mut Vec<Difference>) {
    if was.map(canonical) == is.map(canonical) || found.len() >= MAX_DIFFERENCES {
        return;
    }
    if let (Some(Value::Object(was)), Some(Value::Object(is))) = (was, is) {
        let added = is.keys().filter(|key| !was.contains_key(*key));
        for key in was.keys().chain(added) {
            let step = key.replace('~', "~0").replace('/', "~1");
            differ(&format!("{at}/{step}"), was.get(key), is.get(key), found);
        }
        return;
    }
    found.push(Difference { at: at.to_owned(), was: was.cloned(), is: is.cloned() });
}

words! {
    /// Whether an agent may call a tool without a person being asked.
    Level {
        Always => "always",
        Ask => "ask",
        Never => "never",
    }
}

/// What an admin decided for one agent and one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permission {
    pub agent_id: AgentId,
    pub tool_id: ToolId,
    /// `None`: of a row that is one tool itself.
    pub raw_name: Option<String>,
    pub level: Level,
    /// The hash of the definition that was pinned when it was decided.
    pub definition_hash: Option<String>,
}

impl Permission {
    /// What holds for a call now. "Always" for a tool that reaches outside ends when its definition becomes another.
    pub fn level_now(&self, nature: Nature, definition_hash: Option<&str>) -> Level {
        let is_same = self.definition_hash.as_deref() == definition_hash;
        match self.level {
            Level::Always if nature.outside && !is_same => Level::Ask,
            level => level,
        }
    }
}

/// A server as it is to be connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub id: ToolId,
    pub workspace_id: WorkspaceId,
    pub slug: String,
    pub endpoint: Endpoint,
    pub trust: Trust,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// Streamable HTTP.
    Url { url: String, headers: Vec<(String, SecretText)> },
    /// A child process that speaks over its standard input and output.
    Command { program: String, arguments: Vec<String>, environment: Vec<(String, SecretText)> },
}

/// What a server has, as far as is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// As last heard: a server that is down keeps what it said. Shared, as every call looks at it.
    pub tools: Arc<Vec<Definition>>,
    pub trouble: Option<Trouble>,
}

/// Why a server can't be used now, in words for people and models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// A sentence that names the server.
    Down(String),
    /// This person has to sign in there first.
    NeedsSignIn,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The tool says that it failed: a result like any other, which the model is given.
    pub is_error: bool,
    pub said: Said,
    pub files: Vec<OutcomeFile>,
    /// The whole answer as the server sent it, for the person.
    pub whole: Value,
}

/// What the model is given: one of the two, never both.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    Text(String),
    Structured(Value),
}

/// A picture, a sound or a resource in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeFile {
    pub name: String,
    pub media_type: String,
    pub bytes: Vec<u8>,
}

/// Why a call has no outcome, in words that the model can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallFailure {
    /// It was not carried out: nothing was sent, or the server refused it.
    #[error("{0}")]
    NotDone(String),
    /// It was sent, and nobody knows what became of it.
    #[error("{0}")]
    Unknown(String),
    #[error("This person has to sign in to the server first.")]
    NeedsSignIn,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    pub done: f64,
    pub total: Option<f64>,
    pub message: Option<String>,
}

/// One call of a server's tool.
pub struct ServerCall<'a> {
    pub server: &'a Server,
    pub raw_name: &'a str,
    pub arguments: Map<String, Value>,
    /// For whom it is, who is told how far it is, and when nobody waits for it any more.
    pub context: &'a ToolContext,
}

/// The servers' tools, listed and called. What is sent is sent once.
#[async_trait]
pub trait ServerTools: Send + Sync {
    /// What a server has, as this person (`None`: nobody in particular) sees it. Quick once it has been heard: that answers,
    /// and is refreshed meanwhile. The first time, the server is waited for.
    async fn list(&self, server: &Server, person: Option<Person>) -> Listing;
    /// What is wrong with a server as this person sees it, as far as is known: it isn't asked.
    fn trouble(&self, server: ToolId, person: Option<Person>) -> Option<Trouble>;
    /// The same as `list`, asked anew.
    async fn refresh(&self, server: &Server, person: Option<Person>) -> Listing;
    async fn call(&self, call: ServerCall<'_>) -> Result<Outcome, CallFailure>;
}

fn hex(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
