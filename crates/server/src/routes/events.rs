//! Notices of what changes outside the open chat, as a stream. Notices are not repeated: after a reconnect, the client
//! reads its data again.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use baton_core::data::areas::AreaAccess;
use baton_core::ids::{ProfileId, WorkspaceId};
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
use crate::http::sse::{self, Frames, Rights};
use crate::http::{ApiError, Caller, Errors, Params, Someone};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

/// Follow what happens in a workspace, as far as it concerns the caller; for members
#[utoipa::path(get, path = "/api/events", tag = "chat", params(EventsQuery),
    responses((status = 200, description = "Events; `reset` means that some were missed", body = NoticeEvent, content_type = "text/event-stream"), Errors))]
pub async fn events(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<EventsQuery>,
) -> Result<Response, ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace_id).await?;
    let person = Person::Profile(caller.profile.id);
    let place = super::chat_stream::place(&app, person)?;
    let news = app.engine.news(workspace_id);
    let own = (app.clone(), workspace_id, caller.profile.id);
    let frames = NoticeFrames { news, person, own, ending: app.ending() };
    let someone = Someone::from(caller.clone());
    let rights = Arc::new(Rights::of(&app, &someone));
    let may_read = move |must_ask| {
        let (app, caller, someone, rights) = (app.clone(), caller.clone(), someone.clone(), rights.clone());
        async move {
            let check = async {
                app.role(&caller, workspace_id).await?;
                app.is_still_in(&someone).await
            };
            rights.hold(must_ask, check).await
        }
    };
    // Something at once, so that a client knows it is connected.
    Ok(sse::stream(Some(Bytes::from_static(b": \n\n")), frames, may_read, place))
}

struct NoticeFrames {
    news: Receiver<News>,
    person: Person,
    /// Whose areas are asked for, when a notice is about one.
    own: (SharedApp, WorkspaceId, ProfileId),
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
                Ok(News::Notice(notice)) => {
                    if self.concerns(&notice).await {
                        return wire(&notice);
                    }
                }
                Ok(News::Missed) | Err(RecvError::Lagged(_)) => {
                    return Some(Bytes::from_static(b"event: reset\ndata: {\"type\":\"reset\"}\n\n"));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl NoticeFrames {
    async fn concerns(&self, notice: &Notice) -> bool {
        match notice.audience {
            Audience::Person(person) => person == self.person,
            Audience::Members => true,
            Audience::Channel(channel) => {
                let (app, _, profile) = &self.own;
                app.store.reads_channel(*profile, channel).await.unwrap_or(false)
            }
            Audience::Area(area) => {
                let (app, workspace, profile) = &self.own;
                // If nobody can say, they are not told: they hear of nothing that they may not see.
                let areas = app.store.areas(*workspace, *profile).await;
                areas.is_ok_and(|areas| areas.check(area, AreaAccess::Read).is_ok())
            }
        }
    }
}

fn wire(notice: &Notice) -> Option<Bytes> {
    let data = serde_json::to_string(&notice.happened).ok()?;
    Some(Bytes::from(format!("event: {}\ndata: {data}\n\n", notice.happened.name())))
}
