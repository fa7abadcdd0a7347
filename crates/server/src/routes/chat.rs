//! Talking to an agent: a message begins a turn, and its events stream back. The turn belongs to the server; closing
//! the connection stops nothing.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use baton_core::attachments::MAX_PER_MESSAGE;
use baton_core::conversations::{MAX_CONTENT, MAX_PUBLIC_CONTENT};
use baton_core::events::Event;
use baton_core::ids::{AgentId, ConversationId, FileId, TeamId, WorkspaceId};
use baton_core::text;
use baton_core::turns::RequestKey;
use baton_core::visitors::Person;
use baton_engine::{NotNow, OnWaiting, Send, SendBody, SendError, Started, To, frame};
use chrono::Utc;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::ToSchema;
use uuid::Uuid;

use super::chat_stream::{any_place, respond, stay};
use super::conversations::own_here;
use super::stream_events::StreamEvent;
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Present, Sender, Someone, Via};
use crate::readers::Credential;
use crate::secret;
use crate::space::Adds;

/// How many seconds those are told to wait who have too many turns.
const TURNS_AGAIN: u64 = 5;

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ChatBody {
    /// Of guests and visitors at most 4,000 characters.
    #[schema(min_length = 1, max_length = 200_000)]
    message: String,
    /// The agent of a new conversation. In one that exists, the agent that holds it answers.
    agent_id: Option<Uuid>,
    /// The team of a new conversation, instead of an agent.
    team_id: Option<Uuid>,
    workspace_id: Uuid,
    /// Left out, a new conversation begins.
    conversation_id: Option<Uuid>,
    /// Ids of uploaded attachments.
    #[schema(max_items = 10)]
    attachments: Option<Vec<Uuid>>,
    web_search: Option<bool>,
}

/// Send a message and read the turn that answers it
///
/// The answer is a stream of server-sent events. It ends with `done`, or after `approval_required` when nothing else can
/// run. With an `Idempotency-Key` the same request again, within a day, gives the same turn.
#[utoipa::path(post, path = "/api/agent-chat", tag = "chat", request_body = ChatBody,
    params(("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters; new for every message")),
    responses((status = 200, description = "The turn's events", body = StreamEvent, content_type = "text/event-stream"), Errors))]
pub async fn send(
    State(app): State<SharedApp>,
    sender: Sender,
    headers: HeaderMap,
    Body(body): Body<ChatBody>,
) -> Result<Response, ApiError> {
    let workspace_id = WorkspaceId(body.workspace_id);
    let present = app.present_at(sender.known, &sender.someone, workspace_id).await?;
    let key = request_key(&headers, &body)?;
    let to = match (body.conversation_id, body.agent_id, body.team_id) {
        // That it is theirs, the engine sees when it reads the conversation anyway.
        (Some(id), ..) => To::Conversation(ConversationId(id)),
        (None, Some(_), Some(_)) => return Err(ApiError::invalid("teamId", "can't be given beside agentId")),
        (None, Some(id), None) => To::Agent(AgentId(id)),
        (None, None, Some(id)) => To::Team(TeamId(id)),
        (None, None, None) => {
            return Err(ApiError::invalid("agentId", "or teamId is needed to begin a conversation"));
        }
    };
    let most = if present.is_public() { MAX_PUBLIC_CONTENT } else { MAX_CONTENT };
    let content = text::prose("message", &body.message, most)?;
    let files = body.attachments.unwrap_or_default();
    if files.len() > MAX_PER_MESSAGE {
        return Err(ApiError::invalid("attachments", &format!("must be at most {MAX_PER_MESSAGE}")));
    }
    let ids: Vec<FileId> = files.into_iter().map(FileId).collect();
    let attachments = match ids.is_empty() {
        true => Vec::new(),
        false => app.store.attachment_refs(&ids, workspace_id, sender.someone.person()).await?,
    };
    let said = SendBody::Message { content, attachments, web_search: body.web_search.unwrap_or(false) };
    Beginning { workspace_id, to, said, key }.begin(&app, present, Some(sender)).await
}

/// Try the last turn of a conversation again
///
/// Runs a turn that failed or was stopped again, without another message.
#[utoipa::path(post, path = "/api/agent-chat/{conversationId}/retry", tag = "chat", params(("conversationId" = Uuid, Path)),
    responses((status = 200, description = "The turn's events", body = StreamEvent, content_type = "text/event-stream"), Errors))]
pub async fn retry(
    State(app): State<SharedApp>,
    someone: Someone,
    headers: HeaderMap,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let (conversation, present) = own_here(&app, &someone, id).await?;
    let key = request_key(&headers, &id)?;
    let to = To::Conversation(conversation.id);
    let workspace_id = conversation.workspace_id;
    Beginning { workspace_id, to, said: SendBody::Retry, key }.begin(&app, present, None).await
}

/// A turn that is to begin.
struct Beginning {
    workspace_id: WorkspaceId,
    to: To,
    said: SendBody,
    key: Option<RequestKey>,
}

impl Beginning {
    /// `sender`: where they were looked up in what is kept.
    async fn begin(
        self,
        app: &SharedApp,
        mut present: Present,
        sender: Option<Sender>,
    ) -> Result<Response, ApiError> {
        let person = present.someone.person();
        // A turn that began before is read to its end even while the server drains.
        let place = any_place(app, person)?;
        if let Err(refused) = self.check_limits(app, &present).await
            && !self.has_begun(app, person).await?
        {
            return Err(refused);
        }
        let place = place.with(stay(app, &present)?);
        let known = sender.as_ref().and_then(|sender| sender.known);
        let started = match (app.engine.send(self.send(&present, known)).await, sender) {
            (Err(SendError::Stale), Some(sender)) => {
                present = self.present_now(app, &present, sender).await?;
                app.engine.send(self.send(&present, None)).await
            }
            (started, _) => started,
        };
        let Started { conversation_id, task_id, is_resumed, notice, reader } = started.map_err(refused)?;
        let session = Event::Session { session_id: task_id, conversation_id, is_resumed, notice };
        Ok(respond(app, present, conversation_id, Some(frame(&session, None)), reader, place))
    }

    async fn check_limits(&self, app: &App, present: &Present) -> Result<(), ApiError> {
        if !present.is_public() {
            return app.space.check(self.workspace_id).await;
        }
        let Someone { from, .. } = present.someone;
        let person = present.someone.person();
        app.public_limits.message(person.id(), from)?;
        let adds = if matches!(self.to, To::Conversation(_)) { Adds::More } else { Adds::Conversation };
        if adds == Adds::Conversation {
            app.public_limits.conversation(person.id(), from)?;
        }
        app.space.check_public(self.workspace_id, adds).await
    }

    /// Whether it is stored already, and asked for again because its answer was lost: then it adds nothing.
    async fn has_begun(&self, app: &App, person: Person) -> Result<bool, ApiError> {
        let Some(RequestKey { key, .. }) = &self.key else { return Ok(false) };
        Ok(app.store.find_request(person, key, Utc::now()).await?.is_some())
    }

    /// Something has changed since it was kept, perhaps who they are or what they may: they are looked up anew.
    async fn present_now(&self, app: &App, before: &Present, sender: Sender) -> Result<Present, ApiError> {
        let sender = sender.again(app).await?;
        let now = app.present(&sender.someone, self.workspace_id).await?;
        // The request was checked for another person.
        let is_same =
            now.is_public() == before.is_public() && now.someone.person() == before.someone.person();
        if is_same { Ok(now) } else { Err(baton_core::store::Error::Unavailable.into()) }
    }

    fn send(&self, present: &Present, known: Option<u64>) -> Send {
        let someone = &present.someone;
        Send {
            workspace_id: self.workspace_id,
            person: someone.person(),
            person_name: someone.name().to_owned(),
            viewer: someone.viewer(),
            is_public: present.is_public(),
            token_id: someone.token_id(),
            known,
            to: self.to,
            body: self.said.clone(),
            key: self.key.clone(),
            on_waiting: OnWaiting::Refuses,
        }
    }
}

/// An idempotency key with what it was sent with.
fn request_key(headers: &HeaderMap, body: &impl Serialize) -> Result<Option<RequestKey>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let key = key.to_str().ok().filter(|key| (1..=200).contains(&key.len()));
    let key = key.ok_or_else(|| ApiError::invalid("idempotency-key", "must be 1 to 200 plain characters"))?;
    let body = serde_json::to_string(body).map_err(ApiError::internal)?;
    Ok(Some(RequestKey { key: key.to_owned(), body_hash: secret::hash(&body) }))
}

pub fn refused(error: SendError) -> ApiError {
    let conflict = |code, error| ApiError::new(StatusCode::CONFLICT, code, error);
    match error {
        SendError::NoAgent => conflict("no_agent", "The agent of this conversation is no longer here."),
        SendError::NotAllowed(refusal) => refusal.into(),
        // It was looked up anew, and that can't be out of date.
        SendError::Stale => baton_core::store::Error::Unavailable.into(),
        SendError::TurnInProgress => baton_core::store::Error::TurnInProgress.into(),
        SendError::WaitsForPerson => conflict(
            "waits_for_person",
            "A person has to decide about a tool call in this conversation first.",
        ),
        SendError::NothingToRetry => conflict("nothing_to_retry", "The last turn was completed."),
        SendError::KeyReused => ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "idempotency_key_reused",
            "This Idempotency-Key was used for another request.",
        ),
        SendError::NotNow(why) => not_now(why),
        SendError::Store(error) => error.into(),
    }
}

fn not_now(why: NotNow) -> ApiError {
    let busy = |error: String| {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_turns", error).again_after(TURNS_AGAIN)
    };
    match why {
        NotNow::Ending => ApiError::server_ending(),
        NotNow::NoLease => baton_core::store::Error::Unavailable.into(),
        NotNow::PersonBusy(most) => busy(format!(
            "You have {most} answers under way, the most at once. Please try again when one of them has ended."
        )),
        NotNow::WorkspaceBusy(most) => busy(format!(
            "This workspace has {most} answers under way, the most at once. Please try again in a few seconds."
        )),
        // Visitors and guests are not told how many there are.
        NotNow::PublicBusy(_) => {
            busy("Too many people are being answered here. Please try again in a few seconds.".into())
        }
        NotNow::NodeBusy(_) => busy(
            "This server has as many answers under way as it can. Please try again in a few seconds.".into(),
        ),
    }
}

/// Who wants a turn to stop waits no longer for the database.
const SILENCE: Duration = Duration::from_secs(2);

#[derive(Serialize, ToSchema)]
pub struct Stopped {
    success: bool,
    /// Whether there was a turn to stop.
    stopped: bool,
}

/// Stop the turn of a conversation
#[utoipa::path(post, path = "/api/agent-chat/{conversationId}/stop", tag = "chat", params(("conversationId" = Uuid, Path)), responses((status = 200, body = Stopped), Errors))]
pub async fn stop(State(app): State<SharedApp>, Id(id): Id, parts: Parts) -> Result<Json<Stopped>, ApiError> {
    let headers = parts.headers.clone();
    let house = app.clone();
    // In a task of its own: what was asked of a slow database takes place, also if nobody waits for it any longer.
    let mut stopping = tokio::spawn(async move {
        let mut parts = parts;
        let someone = Someone::from_request_parts(&mut parts, &house).await?;
        let (conversation, _) = own_here(&house, &someone, id).await?;
        Ok::<bool, ApiError>(house.engine.stop(conversation.id, someone.name()).await?)
    });
    // The database may not be there to say whose it is. Who was reading it until now may still stop it.
    let stop_here = || reads(&app, &headers, id) && app.engine.stop_here(ConversationId(id));
    let stopped = match timeout(SILENCE, &mut stopping).await {
        Ok(stopped) => stopped.map_err(ApiError::internal)?,
        Err(_) if stop_here() => Ok(true),
        Err(_) => stopping.await.map_err(ApiError::internal)?,
    };
    let stopped = match stopped {
        Err(error) if error.is_outage() && stop_here() => true,
        stopped => stopped?,
    };
    Ok(Json(Stopped { success: true, stopped }))
}

fn reads(app: &App, headers: &HeaderMap, conversation: Uuid) -> bool {
    let credentials = Credential::in_request(headers, &app.visitors);
    credentials.into_iter().any(|credential| app.readers.knows(credential, conversation))
}

impl Caller {
    pub fn token_id(&self) -> Option<baton_core::ids::TokenId> {
        match self.via {
            Via::Token { token_id, .. } => Some(token_id),
            Via::Session { .. } => None,
        }
    }
}
