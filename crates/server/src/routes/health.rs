//! Whether the process is alive, and whether it can do its work.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use baton_core::ids::{ConversationId, TaskId};
use baton_core::tape::Tape;
use baton_core::turns::{Checkpoint, Fence, Refused};
use uuid::Uuid;

use crate::app::{App, SharedApp};

/// What asks looks again soon; until then it must have an answer.
const LIMIT: Duration = Duration::from_secs(2);
const NO_ANSWER: &str = "the database does not answer";

pub async fn healthz() -> &'static str {
    "ok"
}

/// Ready means that turns can begin and be driven here.
pub async fn readyz(State(app): State<SharedApp>) -> (StatusCode, String) {
    match why_not(&app).await {
        None => (StatusCode::OK, "ready".to_owned()),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, why),
    }
}

async fn why_not(app: &App) -> Option<String> {
    if let Err(why) = app.engine.readiness() {
        return Some(why.to_string());
    }
    if !app.database.is_alive() {
        return Some("the thread that writes to the database has ended".to_owned());
    }
    let asked = async {
        if app.database.ping().await.is_err() {
            return Some(NO_ANSWER);
        }
        (!takes_commits(app).await).then_some("commits of turns are not taken")
    };
    tokio::time::timeout(LIMIT, asked).await.unwrap_or(Some(NO_ANSWER)).map(str::to_owned)
}

/// Whether a commit gets through to where turns are written: one that names no conversation is refused there.
async fn takes_commits(app: &App) -> bool {
    let nowhere = Checkpoint {
        conversation_id: ConversationId(Uuid::nil()),
        fence: Fence { task_id: TaskId(Uuid::nil()), attempt: 0 },
        last_seq: 0,
        tape: Tape::default(),
    };
    let refused = app.store.checkpoint(nowhere).await;
    matches!(refused, Err(Refused::Fenced))
}
