//! How far projects are.

use axum::Json;
use axum::extract::State;
use baton_core::data::projects::{Progress, TasksBy};
use baton_core::days;
use chrono::{NaiveDate, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::data_request::{Within, scope};
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Params};

#[derive(Serialize, ToSchema)]
pub struct ProjectsProgress {
    /// Of all projects that have tasks.
    projects: Vec<ProjectProgressView>,
}

/// How many tasks a project has, and how they stand.
#[derive(Serialize, ToSchema)]
pub struct ProjectProgressView {
    project_id: Uuid,
    todo: u64,
    in_progress: u64,
    blocked: u64,
    done: u64,
    all: u64,
    /// Of those that are not done, the ones whose day is past where the caller is.
    overdue: u64,
    /// The first day on which one of those that are not done is due.
    #[schema(required)]
    next_due_on: Option<NaiveDate>,
}

/// How far the projects of a workspace are
#[utoipa::path(get, path = "/api/data/projects/progress", tag = "data", params(Within), responses((status = 200, body = ProjectsProgress), Errors))]
pub async fn progress(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(within): Params<Within>,
) -> Result<Json<ProjectsProgress>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    let today = days::today(Utc::now(), &caller.profile.time_zone);
    let found = app.store.task_progress(scope, TasksBy::Project, today).await?;
    Ok(Json(ProjectsProgress { projects: found.into_iter().map(view).collect() }))
}

fn view((project_id, progress): (Uuid, Progress)) -> ProjectProgressView {
    ProjectProgressView {
        project_id,
        todo: progress.todo,
        in_progress: progress.in_progress,
        blocked: progress.blocked,
        done: progress.done,
        all: progress.all(),
        overdue: progress.overdue,
        next_due_on: progress.next_due_on,
    }
}
