//! Whether the process lives, and whether it can do its work.

use axum::extract::State;
use axum::http::StatusCode;

use crate::app::SharedApp;

pub async fn healthz() -> &'static str {
    "ok"
}

pub async fn readyz(State(app): State<SharedApp>) -> (StatusCode, &'static str) {
    match app.database.ping().await {
        Ok(()) => (StatusCode::OK, "ready"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer"),
    }
}
