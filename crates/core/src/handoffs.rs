//! The handoff: what ends, what begins, and the rules that need no I/O. The engine plans with them; the store applies
//! the same ones to fresh rows inside its transaction.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::access::Use;
use crate::ids::{
    ActivationId, AgentId, ConversationId, MessageId, SnapshotId, TaskId, TransitionId, WorkspaceId,
};
use crate::words;

words! {
    /// Who asked for a handoff.
    Trigger {
        User => "user",
        Model => "model",
        Router => "router",
        Completion => "completion",
        /// The holder is gone: Baton chose another.
        Fallback => "fallback",
        /// The next agent failed before it said anything.
        Rollback => "rollback",
    }
}

impl Trigger {
    /// How the person's access to the next agent is looked at. What a model chooses by itself is held to less than what
    /// a team's own order brings about.
    pub fn needs(self) -> Use {
        match self {
            Self::Model => Use::ModelSwitch,
            Self::User | Self::Router | Self::Completion => Use::Select,
            Self::Fallback | Self::Rollback => Use::Begin,
        }
    }
}

words! {
    ActivationStatus {
        Active => "active",
        Paused => "paused",
        Completed => "completed",
        Cancelled => "cancelled",
    }
}

/// The time one agent holds a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Activation {
    pub id: ActivationId,
    pub agent_id: AgentId,
    pub status: ActivationStatus,
    pub trigger: Trigger,
    pub reason: Option<String>,
    /// Why it began, for the agent itself.
    pub summary: Option<String>,
    /// The message that began it.
    pub message_id: Option<MessageId>,
    /// What was passed along with the handoff that began it.
    pub context: Map<String, Value>,
    /// The agent's own working state.
    pub context_data: Map<String, Value>,
    /// The earlier interval of the same agent that it goes on with.
    pub resumes: Option<ActivationId>,
    /// A person chose it: routers leave it alone.
    pub is_pinned: bool,
    /// The number of the step that began it; 0 for the first.
    pub began_seq: i64,
    pub began_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// The activation that holds the conversation.
pub fn active(activations: &[Activation]) -> Option<&Activation> {
    activations.iter().rfind(|one| one.status == ActivationStatus::Active)
}

/// What an agent may keep as its working state.
pub const MAX_CONTEXT_DATA: usize = 64 * 1024;
/// What may be passed along with a handoff, and what a model is shown of it.
pub const MAX_CONTEXT: usize = 16 * 1024;
pub const MAX_SUMMARY: usize = 4_000;
pub const MAX_REASON: usize = 1_000;

/// One activation ends and another begins, with all that belongs to it: one transaction, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Handover {
    /// The epoch whoever asks has seen.
    pub epoch: i64,
    pub ends: ActivationId,
    pub ends_as: ActivationStatus,
    pub begins: NewActivation,
    /// How the target is used; its gate and the person's tier are looked at as they are now. `None`: Baton's own doing.
    pub access: Option<Use>,
    /// The work under this turn that goes on from here; the task before it is completed.
    pub task: Option<NewTask>,
}

impl Handover {
    /// Who held the conversation when, now that it is stored after the step `last_seq`.
    pub fn take_effect(self, activations: &mut Vec<Activation>, last_seq: i64, at: DateTime<Utc>) {
        for ended in activations.iter_mut().filter(|one| one.id == self.ends) {
            (ended.status, ended.ended_at) = (self.ends_as, Some(at));
        }
        activations.push(self.begins.begun(last_seq, at));
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewActivation {
    pub id: ActivationId,
    pub agent_id: AgentId,
    pub trigger: Trigger,
    pub reason: Option<String>,
    pub summary: Option<String>,
    pub message_id: Option<MessageId>,
    pub context: Map<String, Value>,
    pub context_data: Map<String, Value>,
    pub resumes: Option<ActivationId>,
    pub is_pinned: bool,
    /// The place among the commit's steps of the one that begins it.
    pub step: usize,
}

impl NewActivation {
    /// As it is once its step has a number.
    pub fn begun(self, last_seq: i64, at: DateTime<Utc>) -> Activation {
        let began_seq = last_seq + 1 + self.step as i64;
        Activation {
            id: self.id,
            agent_id: self.agent_id,
            status: ActivationStatus::Active,
            trigger: self.trigger,
            reason: self.reason,
            summary: self.summary,
            message_id: self.message_id,
            context: self.context,
            context_data: self.context_data,
            resumes: self.resumes,
            is_pinned: self.is_pinned,
            began_seq,
            began_at: at,
            ended_at: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewTask {
    pub id: TaskId,
    pub parent_id: TaskId,
    pub agent_id: AgentId,
    pub input: Value,
    pub context: Map<String, Value>,
}

/// A stage's validated result.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSnapshot {
    pub id: SnapshotId,
    pub agent_id: AgentId,
    pub task_id: TaskId,
    pub stage: String,
    pub data: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub id: SnapshotId,
    pub stage: String,
    /// Grows each time the stage is completed again.
    pub version: i32,
    pub agent_id: AgentId,
    pub data: Value,
    pub created_at: DateTime<Utc>,
}

words! {
    /// What became of an attempted handoff.
    Outcome {
        Completed => "completed",
        /// The target is gone, or isn't for this person, or what was passed along was wrong.
        Refused => "refused",
        /// Another handoff of the same reply won.
        Ignored => "ignored",
        RolledBack => "rolled_back",
    }
}

/// The record of one attempted handoff. Like usage, it refers to nothing and stays.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTransition {
    pub id: TransitionId,
    pub trigger: Trigger,
    pub from: AgentId,
    /// `None`: what was named is no agent.
    pub to: Option<AgentId>,
    pub reason: Option<String>,
    pub outcome: Outcome,
    /// Why it was refused, as a word.
    pub code: Option<String>,
    pub latency_ms: i64,
    /// About how long the next agent's request would be with the whole history, and how long it is.
    pub tokens_full: i64,
    pub tokens_sent: i64,
}

impl NewTransition {
    /// One that came through; nothing is known of what it took and saved.
    pub fn completed(trigger: Trigger, from: AgentId, to: AgentId) -> Self {
        Self {
            id: TransitionId::new(),
            trigger,
            from,
            to: Some(to),
            reason: None,
            outcome: Outcome::Completed,
            code: None,
            latency_ms: 0,
            tokens_full: 0,
            tokens_sent: 0,
        }
    }

    pub fn refused(trigger: Trigger, from: AgentId, to: Option<AgentId>, code: &str) -> Self {
        let code = Some(code.to_owned());
        Self { to, outcome: Outcome::Refused, code, ..Self::completed(trigger, from, from) }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    pub new: NewTransition,
    pub workspace_id: WorkspaceId,
    pub conversation_id: ConversationId,
    pub created_at: DateTime<Utc>,
}

/// Handoffs within one turn.
pub const MAX_HOPS: usize = 8;

/// Why a handoff can't be, in words for whoever asked; the code is for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: &'static str,
    pub words: String,
}

impl Refusal {
    pub fn new(code: &'static str, words: impl Into<String>) -> Self {
        Self { code, words: words.into() }
    }
}

/// The agents a turn went through, the last one speaking.
#[derive(Debug, Clone, Copy)]
pub struct Path<'a> {
    pub agents: &'a [AgentId],
    /// How often it went from one stage to the next: that isn't a hop.
    pub stages: usize,
}

/// Whether a turn that went this way may go on to another agent.
pub fn may_hop(path: Path<'_>, to: AgentId) -> Result<(), Refusal> {
    let chain = path.agents;
    if chain.last() == Some(&to) {
        return Err(Refusal::new("same_agent", "You are that agent: answer yourself."));
    }
    if chain.len().saturating_sub(path.stages) > MAX_HOPS {
        return Err(Refusal::new(
            "hop_limit",
            format!("There were {MAX_HOPS} handoffs in this turn already: answer yourself."),
        ));
    }
    // A to B, back to A, and now to B again: nothing new comes of it.
    if let [.., first, second, third] = chain
        && *second == to
        && first == third
    {
        return Err(Refusal::new(
            "loop",
            "The two of you have handed this back and forth already: answer yourself, or ask the person.",
        ));
    }
    Ok(())
}

/// The tool by which an agent notes what it learns.
pub const UPDATE_CONTEXT: &str = "update_context";

/// Adds to what an agent has noted; null takes a name away.
pub fn note(noted: &mut Map<String, Value>, data: &Map<String, Value>) {
    for (name, value) in data {
        if value.is_null() {
            noted.remove(name);
        } else {
            noted.insert(name.clone(), value.clone());
        }
    }
}

/// Whether it is little enough to be kept.
pub fn may_note(noted: &Map<String, Value>) -> Result<(), String> {
    let size = Value::Object(noted.clone()).to_string().len();
    if size <= MAX_CONTEXT_DATA {
        return Ok(());
    }
    let (size, most) = (size / 1024, MAX_CONTEXT_DATA / 1024);
    Err(format!("Your notes would have {size} KiB; at most {most} fit. Note less."))
}

/// What a handoff marks in the context it passes along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks<'a> {
    pub from: &'a str,
    /// The first handoff of its turn: the chain begins with it.
    pub is_first: bool,
    pub tool: Option<&'a str>,
    pub instructions: Option<&'a str>,
}

/// What was passed before, then what is passed now, then who passed it. Keys beginning with `_` are Baton's own.
pub fn merged(
    before: &Map<String, Value>,
    variables: &Map<String, Value>,
    marks: &Marks<'_>,
) -> Map<String, Value> {
    let earlier = before.get("_handoff_chain").and_then(Value::as_array).filter(|_| !marks.is_first);
    let mut chain = earlier.cloned().unwrap_or_default();
    chain.push(marks.from.into());
    let mut context: Map<String, Value> = own_keys(before).chain(own_keys(variables)).collect();
    context.insert("_handoff_from".to_owned(), marks.from.into());
    if let Some(tool) = marks.tool {
        context.insert("_handoff_tool".to_owned(), tool.into());
    }
    if let Some(instructions) = marks.instructions {
        context.insert("_handoff_instructions".to_owned(), instructions.into());
    }
    context.insert("_handoff_chain".to_owned(), chain.into());
    context
}

/// What people and models gave, without Baton's marks.
pub fn own_keys(context: &Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    let own = context.iter().filter(|(key, _)| !key.starts_with('_'));
    own.map(|(key, value)| (key.clone(), value.clone()))
}

/// Whether it is little enough to be passed along.
pub fn fits(context: &Map<String, Value>) -> Result<(), Refusal> {
    let size = Value::Object(own_keys(context).collect()).to_string().len();
    if size <= MAX_CONTEXT {
        return Ok(());
    }
    let words = format!("What you pass along has {size} bytes; at most {MAX_CONTEXT} fit. Pass less.");
    Err(Refusal::new("context_too_large", words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn agents() -> [AgentId; 3] {
        [AgentId::new(), AgentId::new(), AgentId::new()]
    }

    #[test]
    fn hops_are_counted_and_do_not_go_in_circles() {
        let [a, b, c] = agents();
        let code = |agents: &[AgentId], to| {
            may_hop(Path { agents, stages: 0 }, to).err().map(|refusal| refusal.code)
        };
        assert_eq!(code(&[a], b), None);
        assert_eq!(code(&[a, b], a), None, "one may give it back");
        assert_eq!(code(&[a, b, a], b), Some("loop"));
        assert_eq!(code(&[a, b, a], c), None);
        assert_eq!(code(&[a, b, c, a, b, c], a), None, "a round of three");
        assert_eq!(code(&[a], a), Some("same_agent"));
        let long: Vec<AgentId> = (0..9).map(|_| AgentId::new()).collect();
        assert_eq!(code(&long[..8], a), None);
        assert_eq!(code(&long, a), Some("hop_limit"));
        assert!(may_hop(Path { agents: &long, stages: 1 }, a).is_ok(), "a stage is none");
    }

    #[test]
    fn context_gathers_and_newer_values_win() {
        let map = |value: Value| value.as_object().cloned().unwrap_or_default();
        let first = merged(
            &Map::new(),
            &map(json!({"lead_id": "1", "_handoff_from": "forged"})),
            &Marks { from: "a", is_first: true, tool: Some("to_b"), instructions: Some("Be kind.") },
        );
        assert_eq!(first["_handoff_from"], "a");
        let second = merged(
            &first,
            &map(json!({"lead_id": "2", "sum": 3})),
            &Marks { from: "b", is_first: false, tool: Some("to_c"), instructions: None },
        );
        let marks = Marks { from: "c", is_first: true, tool: None, instructions: None };
        let next_turn = merged(&second, &Map::new(), &marks);
        assert_eq!((&next_turn["_handoff_chain"], &next_turn["sum"]), (&json!(["c"]), &json!(3)));
        assert_eq!(
            Value::Object(second),
            json!({
                "lead_id": "2", "sum": 3, "_handoff_from": "b", "_handoff_tool": "to_c",
                "_handoff_chain": ["a", "b"],
            }),
            "the instructions were for b alone"
        );
        assert_eq!(fits(&map(json!({"text": "x".repeat(1 << 20)}))).unwrap_err().code, "context_too_large");
    }
}
