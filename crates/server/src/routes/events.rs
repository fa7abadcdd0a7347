//! What changes outside the open chat, as a stream. Nothing is repeated: after a reconnect, read again.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use baton_core::ids::WorkspaceId;
use baton_core::notices::{Audience, Notice};
use baton_core::visitors::Person;
use baton_engine::News;
use serde::Deserialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use utoipa::IntoParams;
use uuid::Uuid;

use super::stream_events::NoticeEvent;
use crate::app::SharedApp;
use crate::http::sse::{self, Frames};
use crate::http::{ApiError, Errors, Params, Present, Someone};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

/// Follow what happens in a workspace, as far as it concerns the caller
#[utoipa::path(get, path = "/api/events", tag = "chat", params(EventsQuery),
    responses((status = 200, description = "Events; `reset` means that some were missed", body = NoticeEvent, content_type = "text/event-stream"), Errors))]
pub async fn events(
    State(app): State<SharedApp>,
    someone: Someone,
    Params(query): Params<EventsQuery>,
) -> Result<Response, ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    let present = app.present(&someone, workspace_id).await?;
    let place = super::chat::place(&app, &someone)?;
    let frames = NoticeFrames {
        news: app.engine.news(),
        workspace_id,
        person: someone.person(),
        is_public: present.is_public(),
        ending: app.ending(),
    };
    let may_read = move || {
        let (app, before) = (app.clone(), present.clone());
        async move {
            let is_same = |now: Present| now.is_public() == before.is_public();
            app.is_still_in(&before.someone).await
                && app.present(&before.someone, workspace_id).await.is_ok_and(is_same)
        }
    };
    // Something at once, so that a client knows it is connected.
    Ok(sse::stream(Some(Bytes::from_static(b": \n\n")), frames, may_read, place))
}

struct NoticeFrames {
    news: Receiver<News>,
    workspace_id: WorkspaceId,
    person: Person,
    is_public: bool,
    ending: watch::Receiver<bool>,
}

impl Frames for NoticeFrames {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let received = tokio::select! {
                received = self.news.recv() => received,
                _ = self.ending.wait_for(|ending| *ending) => return None,
            };
            match received {
                Ok(News::Notice(notice)) if self.concerns(&notice) => return wire(&notice),
                Ok(News::Notice(_)) => {}
                Ok(News::Missed) | Err(RecvError::Lagged(_)) => {
                    return Some(Bytes::from_static(b"event: reset\ndata: {\"type\":\"reset\"}\n\n"));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl NoticeFrames {
    fn concerns(&self, notice: &Notice) -> bool {
        notice.workspace_id == self.workspace_id
            && match notice.audience {
                Audience::Person(person) => person == self.person,
                Audience::Members => !self.is_public,
            }
    }
}

fn wire(notice: &Notice) -> Option<Bytes> {
    let data = serde_json::to_string(&notice.happened).ok()?;
    Some(Bytes::from(format!("event: {}\ndata: {data}\n\n", notice.happened.name())))
}
