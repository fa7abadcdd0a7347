//! Taking a person's message, or trying again: what is stored in one commit, and the driver that goes on from there.

use std::sync::Arc;

use baton_core::access::{Gate, Refusal, Use, Viewer, may_use};
use baton_core::attachments::AttachmentRef;
use baton_core::fold::Spoken;
use baton_core::ids::{ActivationId, AgentId, ConversationId, MessageId, TaskId, TokenId, WorkspaceId};
use baton_core::log::{LoggedStep, NewStep, Start, Step};
use baton_core::store::Error;
use baton_core::text;
use baton_core::turns::{Accept, Claimed, Loaded, MessageWrite, Place, Refused, RequestKey};
use baton_core::visitors::Person;
use serde_json::json;

use crate::cast::Cast;
use crate::driver::{Begins, Driver};
use crate::ending::{Cause, close_waiting};
use crate::notices::{Happened, Notice};
use crate::reader::{Reader, Until};
use crate::service::{Engine, FIRST, Seat, whole};
use crate::time::now;

pub struct Send {
    pub workspace_id: WorkspaceId,
    pub person: Person,
    /// What people call them.
    pub person_name: String,
    pub viewer: Viewer,
    pub token_id: Option<TokenId>,
    pub to: To,
    pub said: Said,
    pub key: Option<RequestKey>,
}

pub enum To {
    /// A new conversation with this agent.
    Agent(AgentId),
    Conversation(ConversationId),
}

pub enum Said {
    Message {
        content: String,
        attachments: Vec<AttachmentRef>,
        web_search: bool,
    },
    /// Nothing new: the last turn is tried again.
    Retry,
}

/// A turn that has begun, or the one that the same request began before.
pub struct Started {
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
    /// Whether the conversation existed.
    pub is_resumed: bool,
    pub notice: Option<&'static str>,
    pub reader: Reader,
}

#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("the agent of this conversation is gone")]
    NoAgent,
    #[error("the agent is not for this person")]
    NotAllowed(Refusal),
    #[error("an answer is under way")]
    TurnInProgress,
    #[error("there is nothing to try again")]
    NothingToRetry,
    #[error("this idempotency key was used for another request")]
    KeyReused,
    #[error(transparent)]
    Store(#[from] Error),
}

const MOVED_TRIES: usize = 5;
const NO_WEB_SEARCH: &str = "Web search isn't available on this server yet, so the agent answers without it.";
const NO_WEB_SEARCH_CONTEXT: &str = "The person asked for a web search. This server has none yet: say so in a few \
    words, then answer from what you know.";

impl Engine {
    pub async fn send(&self, send: Send) -> Result<Started, SendError> {
        let engine = self.clone();
        whole(async move { engine.send_now(send).await }).await
    }

    async fn send_now(&self, send: Send) -> Result<Started, SendError> {
        for _ in 0..MOVED_TRIES {
            match self.try_send(&send).await {
                Err(Attempt::Moved) => {}
                Err(Attempt::Failed(error)) => return Err(error),
                Ok(started) => return Ok(started),
            }
        }
        Err(SendError::TurnInProgress)
    }

    async fn try_send(&self, send: &Send) -> Result<Started, Attempt> {
        let loaded = match send.to {
            To::Agent(_) => None,
            To::Conversation(id) => Some(self.0.store.load(id).await?),
        };
        let is_theirs = |loaded: &Loaded| {
            let conversation = &loaded.conversation;
            conversation.person == send.person && conversation.workspace_id == send.workspace_id
        };
        if !loaded.as_ref().is_none_or(is_theirs) {
            return Err(Error::NotFound("conversation").into());
        }
        let agent_id = match (&send.to, &loaded) {
            (_, Some(loaded)) => loaded.holder,
            (To::Agent(id), None) => *id,
            (To::Conversation(_), None) => return Err(SendError::NoAgent.into()),
        };
        let cast = self.0.casting.cast(agent_id).await?;
        if cast.agent.workspace_id != send.workspace_id || (loaded.is_none() && !cast.agent.is_active) {
            return Err(Error::NotFound("agent").into());
        }
        if !cast.agent.is_active {
            return Err(SendError::NoAgent.into());
        }
        may_use(send.viewer, Gate::from(&cast.agent.definition), Use::Begin)
            .map_err(SendError::NotAllowed)?;
        if let (Said::Retry, Some(loaded)) = (&send.said, &loaded) {
            // What waits for a decision is neither over nor failed.
            if loaded.turn.is_some_and(|turn| turn.owner.is_none()) {
                return Err(SendError::TurnInProgress.into());
            }
            if !can_retry(loaded) {
                return Err(SendError::NothingToRetry.into());
            }
        }
        let opening = Opening::new(send, loaded.as_ref(), &cast);
        let node = self.0.node();
        let accept = Accept { node, ..opening.accept };
        let id = accept.place.id();
        let (task_id, at, base) = (accept.task_id, accept.at, accept.place.last_seq());
        let steps: Vec<LoggedStep> =
            (base + 1..).zip(accept.steps.clone()).map(|(seq, new)| new.at(seq, at)).collect();
        // A reader that is there before the first step misses none.
        let live = self.live(id);
        let reader =
            Reader::at_step(live.clone(), self.steps(), base + opening.before, Until::TurnEnds(task_id));
        let Some(stop) = self.0.enters(task_id, FIRST) else { return Err(Attempt::Moved) };
        let committed = match self.0.store.accept(accept).await {
            Ok(committed) => committed,
            Err(refused) => {
                self.0.has_left(task_id, FIRST);
                if let Refused::Store(_) = refused {
                    // It may have been stored all the same.
                    self.0.leave(Claimed { conversation_id: id, task_id }, Begins::Accepted);
                }
                return self.refused(refused);
            }
        };
        let seat = Seat { id, workspace_id: send.workspace_id, person: send.person };
        self.0.tell(&seat, &steps);
        self.0.notify(Notice::for_person(
            &seat,
            Happened::TurnStarted { conversation_id: id, session_id: task_id, agent_id },
        ));
        live.publish_steps(steps.clone());
        let is_resumed = loaded.is_some();
        let (mut log, log_is_cut, allowed) = match loaded {
            Some(loaded) => (loaded.steps, loaded.is_cut, loaded.allowed),
            None => (Vec::new(), false, Vec::new()),
        };
        log.extend(steps);
        let driver = Driver {
            engine: self.0.clone(),
            live,
            seat,
            node,
            task_id,
            attempt: FIRST,
            tries: 0,
            last_seq: committed.last_seq,
            context: turn_context(&log, task_id),
            log,
            log_is_cut,
            allowed,
            checkpoint: None,
            begins: Begins::Accepted,
            stop,
            stop_seen: false,
            cast,
        };
        tokio::spawn(driver.drive());
        let wants_search = matches!(send.said, Said::Message { web_search: true, .. });
        Ok(Started {
            conversation_id: id,
            task_id,
            is_resumed,
            notice: wants_search.then_some(NO_WEB_SEARCH),
            reader,
        })
    }

    fn refused(&self, refused: Refused) -> Result<Started, Attempt> {
        Err(match refused {
            Refused::Moved | Refused::Fenced => Attempt::Moved,
            Refused::TurnInProgress => SendError::TurnInProgress.into(),
            Refused::KeyReused => SendError::KeyReused.into(),
            Refused::Repeated { conversation_id, task_id, first_seq } => {
                let cursor = baton_core::events::Cursor::at(first_seq - 1);
                let until = Until::TurnEnds(task_id);
                let reader = Reader::new(self.live(conversation_id), self.steps(), cursor, until);
                return Ok(Started { conversation_id, task_id, is_resumed: true, notice: None, reader });
            }
            Refused::AlreadyDecided(_) | Refused::TooLate => SendError::TurnInProgress.into(),
            Refused::Store(error) => error.into(),
        })
    }
}

enum Attempt {
    /// The conversation changed meanwhile: look again.
    Moved,
    Failed(SendError),
}

impl<E: Into<SendError>> From<E> for Attempt {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Whether the last turn left something to try: it failed or was stopped, or nobody answered.
fn can_retry(loaded: &Loaded) -> bool {
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
struct Opening {
    accept: Accept,
    /// How many of its steps end the turn before.
    before: i64,
}

impl Opening {
    fn new(send: &Send, loaded: Option<&Loaded>, cast: &Arc<Cast>) -> Self {
        let (task_id, at) = (TaskId::new(), now());
        let agent_id = cast.agent.id;
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
        let mut title = None;
        let mut input = json!({});
        if let Said::Message { content, attachments, web_search } = &send.said {
            let id = MessageId::new();
            let mut metadata = json!({});
            if !attachments.is_empty() {
                metadata["attachments"] = json!(attachments);
            }
            if *web_search {
                metadata["webSearch"] = json!(true);
                metadata["notice"] = json!(NO_WEB_SEARCH);
            }
            title = text::title_from(content);
            input = json!({"message": content});
            messages.push(MessageWrite::User {
                id,
                agent_id,
                content: content.clone(),
                metadata,
                step: before,
            });
            steps.push(NewStep {
                task_id: Some(task_id),
                agent_id,
                message_id: Some(id),
                step: Step::User {
                    content: content.clone(),
                    attachments: attachments.clone(),
                    web_search: *web_search,
                },
            });
        }
        let message_id = MessageId::new();
        let definition = &cast.agent.definition;
        let start = Start {
            agent_name: definition.name.clone(),
            avatar_url: definition.avatar_url.clone(),
            parts: Vec::new(),
        };
        messages.push(MessageWrite::Begin { spoken: Spoken::new(message_id, agent_id), step: steps.len() });
        steps.push(NewStep {
            task_id: Some(task_id),
            agent_id,
            message_id: Some(message_id),
            step: Step::Call { attempt: 1, start: Some(start), lost: None },
        });
        let place = match loaded {
            None => Place::New { id: ConversationId::new(), activation_id: ActivationId::new(), title },
            Some(loaded) => Place::Existing {
                id: loaded.conversation.id,
                last_seq: loaded.conversation.last_seq,
                ends: waiting.map(|(_, turn)| turn),
                title,
            },
        };
        let accept = Accept {
            place,
            workspace_id: send.workspace_id,
            person: send.person,
            agent_id,
            // Filled in by who sends it.
            node: baton_core::ids::NodeId(uuid::Uuid::nil()),
            task_id,
            token_id: send.token_id,
            key: send.key.clone(),
            input,
            steps,
            messages,
            resolved,
            at,
        };
        Self { accept, before: before as i64 }
    }
}

/// Why the turn that waits for a person ends: they wrote on instead.
fn wrote_on(send: &Send) -> Cause {
    let by = send.person_name.clone();
    match &send.said {
        Said::Message { content, .. } => Cause::WroteOn { by, words: content.clone() },
        // Refused before it comes to this.
        Said::Retry => Cause::Stopped { by },
    }
}

/// What this turn's model calls are told besides.
pub fn turn_context(log: &[LoggedStep], task_id: TaskId) -> Option<String> {
    let wants_search = log.iter().rev().any(|logged| {
        logged.task_id == Some(task_id) && matches!(logged.step, Step::User { web_search: true, .. })
    });
    wants_search.then(|| NO_WEB_SEARCH_CONTEXT.to_owned())
}
