//! Takes a person's message, or a retry: one commit stores it, and a driver goes on from there.

use baton_core::access::{AccessRefusal, Viewer};
use baton_core::attachments::AttachmentRef;
use baton_core::events::Cursor;
use baton_core::ids::{AgentId, ConversationId, TaskId, TeamId, TokenId, WorkspaceId};
use baton_core::log::LoggedStep;
use baton_core::notices::Happened;
use baton_core::store::Error;
use baton_core::turns::{Claimed, Loaded, Refused, RequestKey};
use baton_core::visitors::Person;

use crate::accept::commit::{AcceptCommit, can_retry};
use crate::accept::holder::Holder;
use crate::clock::{backoff, now};
use crate::driver::Driver;
use crate::node::engine::{Engine, Seat, whole};
use crate::node::kept_logs::KeptLog;
use crate::node::running::Begins;
use crate::node::running::FIRST;
use crate::node::turn_permits::{NotNow, Origin, TurnPermit};
use crate::node::unanswered::Patience;
use crate::prompt::context::turn_context;
use crate::stream::reader::{Reader, Until};

#[derive(Clone)]
pub struct Send {
    pub workspace_id: WorkspaceId,
    pub person: Person,
    /// What people call them.
    pub person_name: String,
    pub viewer: Viewer,
    /// At the workspace's public address.
    pub is_public: bool,
    pub token_id: Option<TokenId>,
    /// Who they are and what they may was looked up at this number of changes; none if it is as it is now.
    pub known: Option<u64>,
    pub to: To,
    pub body: SendBody,
    pub key: Option<RequestKey>,
    pub on_waiting: OnWaiting,
}

/// What becomes of a call that waits for a person in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnWaiting {
    /// The message refuses it, and is the reason.
    Refuses,
    /// It goes on waiting, and the message is not taken: whoever sends it may not decide.
    Waits,
}

#[derive(Clone, Copy)]
pub enum To {
    /// A new conversation with this agent.
    Agent(AgentId),
    /// A new conversation with this team.
    Team(TeamId),
    Conversation(ConversationId),
}

#[derive(Clone)]
pub enum SendBody {
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
    pub notice: Option<String>,
    pub reader: Reader,
}

#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("the agent of this conversation is gone")]
    NoAgent,
    #[error("the agent is not for this person")]
    NotAllowed(AccessRefusal),
    /// Look up anew who they are and what they may.
    #[error("something changed meanwhile")]
    Stale,
    #[error("an answer is under way")]
    TurnInProgress,
    #[error("a call waits for a person")]
    WaitsForPerson,
    #[error("there is nothing to try again")]
    NothingToRetry,
    #[error("this idempotency key was used for another request")]
    KeyReused,
    #[error(transparent)]
    NotNow(#[from] NotNow),
    #[error(transparent)]
    Store(#[from] Error),
}

const MOVED_TRIES: u32 = 5;
pub const NO_WEB_SEARCH: &str = "Web search isn't available to this agent, so it answers without it.";

impl Engine {
    pub async fn send(&self, send: Send) -> Result<Started, SendError> {
        let engine = self.clone();
        whole(async move { engine.send_now(send).await }).await
    }

    async fn send_now(&self, send: Send) -> Result<Started, SendError> {
        let patience = self.patience();
        let mut permit = match self.0.admit(send.person, send.workspace_id, Origin::of(send.is_public)) {
            Ok(permit) => Some(permit),
            Err(refused) => return self.replayed(&send, patience, refused.into()).await,
        };
        for tries in 0..MOVED_TRIES {
            match self.try_send(&send, patience, &mut permit).await {
                Err(Attempt::Moved) => backoff(self.0.pace.backoff / 20, tries).await,
                Err(Attempt::Failed(error)) => return self.replayed(&send, patience, error).await,
                Ok(started) => return Ok(started),
            }
        }
        self.replayed(&send, patience, SendError::TurnInProgress).await
    }

    /// What can't be begun now may have been begun before, by the same request.
    async fn replayed(
        &self,
        send: &Send,
        patience: Patience,
        error: SendError,
    ) -> Result<Started, SendError> {
        let Some(key) = &send.key else { return Err(error) };
        let find = || self.0.store.find_request(send.person, &key.key, now());
        match self.until_answered(patience, find).await {
            Ok(Some(kept)) if kept.body_hash != key.body_hash => Err(SendError::KeyReused),
            Ok(Some(kept)) => self.replay(patience, kept.conversation_id, kept.task_id, kept.first_seq).await,
            Ok(None) | Err(_) => Err(error),
        }
    }

    async fn replay(
        &self,
        patience: Patience,
        conversation_id: ConversationId,
        task_id: TaskId,
        first_seq: i64,
    ) -> Result<Started, SendError> {
        // It may have been deleted since.
        self.until_answered(patience, || self.0.store.turn(conversation_id)).await?;
        let (cursor, until) = (Cursor::at(first_seq - 1), Until::TurnEnds(task_id));
        let reader = Reader::new(self.live(conversation_id), self.steps(), cursor, until);
        Ok(Started { conversation_id, task_id, is_resumed: first_seq > 1, notice: None, reader })
    }

    async fn try_send(
        &self,
        send: &Send,
        patience: Patience,
        permit: &mut Option<TurnPermit>,
    ) -> Result<Started, Attempt> {
        let (loaded, known) = match send.to {
            To::Agent(_) | To::Team(_) => (None, None),
            To::Conversation(id) => {
                let (loaded, known) = self.load(id).await?;
                (Some(loaded), known)
            }
        };
        let is_theirs = |loaded: &Loaded| {
            let conversation = &loaded.conversation;
            conversation.person == send.person && conversation.workspace_id == send.workspace_id
        };
        if let Some(loaded) = loaded.as_ref().filter(|loaded| !is_theirs(loaded)) {
            self.0.kept.give_back(loaded.conversation.id, KeptLog::of(loaded.clone(), known));
            return Err(Error::NotFound("conversation").into());
        }
        let waits = |loaded: &Loaded| loaded.turn.is_some_and(|turn| turn.owner.is_none());
        if send.on_waiting == OnWaiting::Waits && loaded.as_ref().is_some_and(waits) {
            return Err(SendError::WaitsForPerson.into());
        }
        let Holder { ready, assignment, fallback } = self.holder(send, loaded.as_ref()).await?;
        if let (SendBody::Retry, Some(loaded)) = (&send.body, &loaded) {
            // A turn that waits for a decision is neither over nor failed.
            if waits(loaded) {
                return Err(SendError::TurnInProgress.into());
            }
            if !can_retry(loaded) {
                return Err(SendError::NothingToRetry.into());
            }
        }
        let snapshots = match &loaded {
            Some(loaded) => self.snapshots(&ready, loaded.conversation.id, known).await?,
            None => Vec::new(),
        };
        let node = self.0.node();
        let fell_back = fallback.as_ref().map(|gone| gone.notice(&ready));
        let wants_search = matches!(send.body, SendBody::Message { web_search: true, .. });
        let lacks_search = wants_search && !ready.can_search_web();
        let router = ready.router.as_ref().and_then(|router| router.model.clone().ok());
        let accepted = AcceptCommit::new(
            send,
            loaded.as_ref(),
            &ready,
            assignment.team,
            node,
            fallback,
            router.as_ref(),
        );
        let AcceptCommit { commit, task_id, before, opens_call } = accepted;
        let (id, base, at) = (commit.conversation_id, commit.last_seq, commit.at);
        // A reader that is there before the first step misses none.
        let live = self.live(id);
        let reader = Reader::at_step(live.clone(), self.steps(), base + before, Until::TurnEnds(task_id));
        let Some(stop) = self.0.enters(id, task_id, FIRST) else { return Err(Attempt::Moved) };
        let committed = match self.commit_until_answered(&commit, patience).await {
            Ok(committed) => committed,
            Err(refused) => {
                self.0.has_left(task_id, FIRST);
                if let Refused::Store(_) = refused {
                    // It may have been stored all the same.
                    self.0.leave(Claimed { conversation_id: id, task_id }, Begins::Accepted);
                }
                return self.refused(refused, patience).await;
            }
        };
        self.0.spending.count((id, send.workspace_id), commit.usage.iter(), at);
        let (agent_id, first) = (ready.agent.id, commit.first_activation());
        let steps: Vec<LoggedStep> =
            (base + 1..).zip(commit.steps).map(|(seq, new)| new.at(seq, at)).collect();
        let seat = Seat { id, workspace_id: send.workspace_id, person: send.person, is_subtask: false };
        self.0.tell(&seat, &steps);
        self.0.notify(seat.notice(Happened::TurnStarted {
            conversation_id: id,
            session_id: task_id,
            agent_id,
        }));
        live.publish_steps(steps.clone());
        let is_resumed = loaded.is_some();
        let epoch = loaded.as_ref().map_or(1, |loaded| loaded.conversation.epoch);
        let (mut log, log_is_cut, mut activations) = match loaded {
            Some(loaded) => (loaded.steps, loaded.is_cut, loaded.activations),
            None => (Vec::new(), false, Vec::from_iter(first)),
        };
        let epoch = epoch + i64::from(commit.handoff.is_some());
        if let Some(handoff) = commit.handoff {
            handoff.take_effect(&mut activations, base, at);
        }
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
            subtask: None,
            log,
            log_is_cut,
            holder_changed: false,
            activations,
            epoch,
            snapshots,
            assignment,
            checkpoint: None,
            reserved: commit.usage,
            begins: if opens_call { Begins::Accepted } else { Begins::Unopened },
            stop,
            stop_seen: false,
            ready,
        };
        let permit = permit
            .take()
            .unwrap_or_else(|| self.0.turn_permits.take_anyway(&seat, Origin::of(send.is_public)));
        tokio::spawn(driver.drive(permit));
        Ok(Started {
            conversation_id: id,
            task_id,
            is_resumed,
            notice: fell_back.or(lacks_search.then(|| NO_WEB_SEARCH.to_owned())),
            reader,
        })
    }

    async fn refused(&self, refused: Refused, patience: Patience) -> Result<Started, Attempt> {
        Err(match refused {
            Refused::Moved | Refused::Fenced => Attempt::Moved,
            Refused::Stale => SendError::Stale.into(),
            Refused::TurnInProgress => SendError::TurnInProgress.into(),
            Refused::KeyReused => SendError::KeyReused.into(),
            Refused::Repeated { conversation_id, task_id, first_seq } => {
                return Ok(self.replay(patience, conversation_id, task_id, first_seq).await?);
            }
            Refused::StaleEpoch | Refused::TargetGone | Refused::NotAllowed(_) | Refused::Stopped => {
                Attempt::Moved
            }
            Refused::AlreadyDecided(_) | Refused::TooLate | Refused::OtherArguments => {
                SendError::TurnInProgress.into()
            }
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
