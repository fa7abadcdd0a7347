//! The commit of an accepted message: the end of a turn that was waiting, the person's message, and the step that
//! opens the first model call.

use std::sync::Arc;

use baton_core::approvals::MAX_REASON;
use baton_core::fold::Spoken;
use baton_core::handoffs::{Held, NewHandoff};
use baton_core::ids::{ActivationId, ConversationId, MessageId, NodeId, TaskId, TeamId};
use baton_core::log::{NewStep, Step};
use baton_core::models::Resolved;
use baton_core::spending::{CallRef, UsageRow};
use baton_core::teams::TeamKind;
use baton_core::text;
use baton_core::turns::{Accept, Commit, Guard, Loaded, MessageWrite, NewConversation};
use serde_json::json;

use crate::accept::holder::Fallback;
use crate::accept::send::{NO_WEB_SEARCH, Send, SendBody};
use crate::agent::ready::ReadyAgent;
use crate::clock::now;
use crate::handoff::plan::stuck_stage;
use crate::node::running::FIRST;
use crate::node::spending::CallFor;
use crate::prompt::request::{request_size, step_size};
use crate::prompt::router::likely_tokens;
use crate::prompt::scope::scope;
use crate::sizes::tokens_in;
use crate::turn::ending::{Cause, close_waiting};

/// Whether the last turn left something to try: it failed or was stopped, or nobody answered.
pub fn can_retry(loaded: &Loaded) -> bool {
    use baton_core::log::TurnStatus::Completed;
    if loaded.turn.is_some() {
        return true;
    }
    let last = loaded.steps.iter().rev().find_map(|logged| match &logged.step {
        Step::Done { status, .. } => Some(*status != Completed),
        Step::User { .. } => Some(true),
        Step::Imported { role, .. } => Some(*role == baton_core::conversations::MessageRole::User),
        _ => None,
    });
    last.unwrap_or(false)
}

/// What an accepted message stores.
pub struct AcceptCommit {
    pub commit: Commit,
    pub task_id: TaskId,
    /// How many of its steps end the turn before.
    pub before: i64,
    /// Whether the first call is opened with it; where a router decides, it isn't.
    pub opens_call: bool,
}

impl AcceptCommit {
    pub fn new(
        send: &Send,
        loaded: Option<&Loaded>,
        ready: &Arc<ReadyAgent>,
        team_id: Option<TeamId>,
        node: NodeId,
        fallback: Option<Fallback>,
        router: Option<&Resolved>,
    ) -> Self {
        let (task_id, at) = (TaskId::new(), now());
        let agent_id = ready.agent.id;
        let waiting =
            loaded.and_then(|loaded| Some((loaded, loaded.turn.filter(|turn| turn.owner.is_none())?)));
        let mut steps = Vec::new();
        let mut messages = Vec::new();
        let mut resolved = Vec::new();
        if let Some((loaded, turn)) = waiting {
            let closed = close_waiting(loaded, turn.task_id, &wrote_on(send), at);
            steps.extend(closed.steps);
            messages.extend(closed.message);
            resolved.extend(closed.resolved);
        }
        let before = steps.len();
        let mut transitions = Vec::new();
        let handoff = loaded.zip(fallback).map(|(loaded, fallback)| {
            let (by, epoch) = (&fallback.held, loaded.conversation.epoch);
            let held = Held { by, slug: fallback.slug(), activations: &loaded.activations, epoch };
            let mut handoff = NewHandoff::fell_back(held, agent_id);
            handoff.begins.step = steps.len();
            transitions.push(handoff.transition(by.agent_id));
            let step = Step::Switched(handoff.switch_step(by.agent_id, &ready.agent.definition.name));
            steps.push(NewStep { task_id: Some(task_id), agent_id, message_id: None, step });
            handoff
        });
        let mut title = None;
        let mut input = json!({});
        if let SendBody::Message { content, attachments, web_search } = &send.body {
            let id = MessageId::new();
            let mut metadata = json!({});
            if !attachments.is_empty() {
                metadata["attachments"] = json!(attachments);
            }
            if *web_search {
                metadata["webSearch"] = json!(true);
                if !ready.can_search_web() {
                    metadata["notice"] = json!(NO_WEB_SEARCH);
                }
            }
            title = text::title_from(content);
            input = json!({"message": content});
            messages.push(MessageWrite::User {
                id,
                agent_id,
                content: content.clone(),
                metadata,
                step: steps.len(),
            });
            steps.push(NewStep {
                task_id: Some(task_id),
                agent_id,
                message_id: Some(id),
                step: Step::User {
                    content: content.clone(),
                    attachments: attachments.clone(),
                    web_search: *web_search,
                    synthetic: false,
                },
            });
        }
        let active = loaded.and_then(Loaded::active);
        let is_pinned = active.is_some_and(|active| active.is_pinned) && handoff.is_none();
        let is_routed = ready.team_kind() == Some(TeamKind::Router)
            && !is_pinned
            && matches!(send.body, SendBody::Message { .. });
        let begins_stage = matches!(send.body, SendBody::Retry)
            && handoff.is_none()
            && loaded.is_some_and(|loaded| {
                stuck_stage(ready.team_kind(), &loaded.steps, loaded.active()).is_some()
            });
        let opens_call = !is_routed && !begins_stage;
        if opens_call {
            open_call(ready, task_id, &mut steps, &mut messages);
        }
        let usage = first_usage(send, loaded, ready, &steps, (task_id, before), router.filter(|_| is_routed));
        let context = match &handoff {
            Some(handoff) => handoff.begins.context.clone(),
            None => active.map(|active| active.context.clone()).unwrap_or_default(),
        };
        let (id, last_seq) = match loaded {
            None => (ConversationId::new(), 0),
            Some(loaded) => (loaded.conversation.id, loaded.conversation.last_seq),
        };
        let begins = loaded.is_none();
        let accept = Accept {
            begins: begins.then(|| NewConversation { activation_id: ActivationId::new(), team_id }),
            ends: waiting.map(|(_, turn)| turn.task_id),
            title,
            person: send.person,
            agent_id,
            node,
            task_id,
            token_id: send.token_id,
            key: send.key.clone(),
            input,
            context,
        };
        let commit = Commit {
            steps,
            messages,
            resolved,
            handoff,
            transitions,
            usage,
            known: send.known,
            ..Commit::new((id, send.workspace_id), last_seq, Guard::Accept(Box::new(accept)), at)
        };
        Self { commit, task_id, before: before as i64, opens_call }
    }
}

/// What the first call is taken to use: that of the agent who answers, or of the router who decides who does.
fn first_usage(
    send: &Send,
    loaded: Option<&Loaded>,
    ready: &ReadyAgent,
    steps: &[NewStep],
    (task_id, before): (TaskId, usize),
    router: Option<&Resolved>,
) -> Vec<UsageRow> {
    let base = loaded.map_or(0, |loaded| loaded.conversation.last_seq);
    let whom = CallFor { task_id, agent_id: ready.agent.id, person: send.person, is_public: send.is_public };
    let said = steps.iter().map(|new| step_size(&new.step)).sum::<usize>();
    let row = match (router, &ready.model) {
        (Some(model), _) => {
            let call = CallRef::Router { seq: base + 1 + before as i64, attempt: FIRST };
            whom.reserved(call, model, likely_tokens(said))
        }
        (None, Ok(model)) if matches!(steps.last().map(|new| &new.step), Some(Step::Call { .. })) => {
            let shown = loaded.map_or(&[][..], |loaded| &loaded.steps);
            let scope = scope(ready.team_kind(), loaded.map_or(&[], |loaded| &loaded.activations));
            let size = request_size(ready.size, scope.of(shown, ready.agent.id).into_iter()) + said;
            whom.reserved(CallRef::Agent { seq: base + steps.len() as i64 }, model, tokens_in(size))
        }
        _ => return Vec::new(),
    };
    vec![row]
}

fn open_call(
    ready: &ReadyAgent,
    task_id: TaskId,
    steps: &mut Vec<NewStep>,
    messages: &mut Vec<MessageWrite>,
) {
    let (agent_id, message_id) = (ready.agent.id, MessageId::new());
    let start = ready.start(Vec::new());
    messages.push(MessageWrite::Begin { spoken: Spoken::new(message_id, agent_id), step: steps.len() });
    steps.push(NewStep {
        task_id: Some(task_id),
        agent_id,
        message_id: Some(message_id),
        step: Step::Call { attempt: 1, start: Some(start), lost: None },
    });
}

/// Why the turn that waits for a person ends: they wrote on instead.
fn wrote_on(send: &Send) -> Cause {
    let by = send.person_name.clone();
    match &send.body {
        SendBody::Message { content, .. } => {
            Cause::WroteOn { by, words: content.chars().take(MAX_REASON).collect() }
        }
        // Refused before it comes to this.
        SendBody::Retry => Cause::Stopped { by },
    }
}
