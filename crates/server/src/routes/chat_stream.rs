//! The stream of a conversation's events: whoever follows it is a cursor, and its right to read is asked for again while it
//! stays open.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use baton_core::events::Cursor;
use baton_core::ids::ConversationId;
use baton_core::visitors::Person;
use baton_engine::{Departure, Reader, public_frames};
use serde::Deserialize;
use utoipa::IntoParams;

use super::conversations::own_here;
use super::stream_events::StreamEvent;
use crate::app::{App, SharedApp};
use crate::crowd::Stay;
use crate::http::sse::{self, Allowed, Frames, Rights};
use crate::http::{ApiError, Errors, Id, Params, Present, Someone};
use crate::readers::Credential;
use crate::streams::Place;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// The cursor to go on from; `Last-Event-ID` wins over it. Without either, what comes from now on.
    after: Option<String>,
}

/// Follow a conversation from a cursor on
///
/// Stays open across turns. A cursor that names no step of the conversation is answered with `reset`.
#[utoipa::path(get, path = "/api/agent-chat/{conversationId}/stream", tag = "chat", params(("conversationId" = Uuid, Path), StreamQuery),
    responses((status = 200, description = "Events", body = StreamEvent, content_type = "text/event-stream"), Errors))]
pub async fn stream(
    State(app): State<SharedApp>,
    someone: Someone,
    headers: HeaderMap,
    Id(id): Id,
    Params(query): Params<StreamQuery>,
) -> Result<Response, ApiError> {
    let (conversation, present) = own_here(&app, &someone, id).await?;
    let place = match app.engine.departure(conversation.id).is_driven() {
        true => any_place(&app, someone.person())?,
        false => place(&app, someone.person())?,
    };
    let place = place.with(stay(&app, &present)?);
    let given =
        headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned).or(query.after);
    let cursor = match given {
        None => Cursor::at(conversation.last_seq),
        // A text that is no cursor names no step either.
        Some(text) => text.parse().unwrap_or(Cursor { seq: i64::MAX, off: 0 }),
    };
    let reader = app.engine.read(conversation.id, cursor);
    Ok(respond(&app, present, conversation.id, None, reader, place))
}

/// A place for a stream, unless the server is ending.
pub fn place(app: &App, person: Person) -> Result<Place, ApiError> {
    if app.engine.is_ending() {
        return Err(ApiError::server_ending());
    }
    any_place(app, person)
}

/// What a guest's or a visitor's stream takes of their address.
pub fn stay(app: &App, present: &Present) -> Result<Option<Stay>, ApiError> {
    if present.is_public() { app.public_limits.stream(present.someone.from) } else { Ok(None) }
}

pub fn any_place(app: &App, person: Person) -> Result<Place, ApiError> {
    app.streams.take(person.id()).ok_or_else(ApiError::too_many_streams)
}

struct TurnFrames {
    reader: Reader,
    departure: Departure,
    is_public: bool,
}

impl Frames for TurnFrames {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let frames = self.read().await?;
            if !self.is_public {
                return Some(frames);
            }
            // Frames are made once for all readers; these few get their own.
            let shown = public_frames(&frames);
            if !shown.is_empty() {
                return Some(shown);
            }
        }
    }
}

impl TurnFrames {
    async fn read(&mut self) -> Option<Bytes> {
        let next = tokio::select! {
            biased;
            next = self.reader.next() => next,
            // The server ends: the client comes back with its cursor, to another or to the next. It is sent what is there,
            // which may be the end of its turn.
            () = self.departure.due() => self.reader.rest().await,
        };
        next.unwrap_or_else(|error| {
            // The client comes back with its cursor.
            tracing::warn!(%error, "a stream could not be read on");
            None
        })
    }
}

pub fn respond(
    app: &SharedApp,
    present: Present,
    id: ConversationId,
    first: Option<Bytes>,
    reader: Reader,
    place: Place,
) -> Response {
    let is_public = present.is_public();
    let frames = TurnFrames { reader, departure: app.engine.departure(id), is_public };
    let app = app.clone();
    note_reader(&app, &present.someone, id);
    let rights = Arc::new(Rights::of(&app, &present.someone));
    let may_read = move |must_ask| {
        let (app, someone, rights) = (app.clone(), present.someone.clone(), rights.clone());
        async move {
            let check = async {
                // A former member may be a guest now, who is sent less.
                let (_, now) = own_here(&app, &someone, id.0).await?;
                Ok(now.is_public() == is_public && app.is_still_in(&someone).await?)
            };
            let allowed = rights.hold(must_ask, check).await;
            if allowed == Allowed::Yes {
                note_reader(&app, &someone, id);
            }
            allowed
        }
    };
    sse::stream(first, frames, may_read, place)
}

fn note_reader(app: &App, someone: &Someone, id: ConversationId) {
    app.readers.saw(Credential::of(someone), id.0);
}
