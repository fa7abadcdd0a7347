//! What is due, as a calendar at a secret address: each person can have one in each workspace. Whoever has the address reads
//! it without signing in, and sees what its person may see at that moment.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use baton_core::data::areas::AreaAccess;
use baton_core::data::check;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::projects::{Assignee, Due, MOST_OPEN, OpenTasks};
use baton_core::data::rows::{DataScope, Filter, MAX_PAGE, Row, RowQuery, Test};
use baton_core::days;
use baton_core::ids::WorkspaceId;
use baton_core::people::Profile;
use baton_core::store::Error;
use baton_formats::calendar::{self, Event};
use chrono::{DateTime, Days, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use super::attachments::FileBytes;
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Caller, Errors, Id, Params, PathText, download_as};
use crate::secret::{self, Secret};

/// What is late for longer is not told any more.
const LATE: u64 = 366;
/// How much of a description is told.
const TOLD: usize = 1_000;

/// Whether the caller has a calendar address.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarAddress {
    /// Null: there is none.
    #[schema(required)]
    created_at: Option<DateTime<Utc>>,
}

/// A calendar address, shown for the only time.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewCalendarAddress {
    /// To be read from this server, without signing in: `/api/calendar/….ics`. With `?mine=true` only what its person does or
    /// leads.
    path: String,
    created_at: DateTime<Utc>,
}

/// Whether one has a calendar address in a workspace
#[utoipa::path(get, path = "/api/workspaces/{id}/calendar-address", tag = "data", params(("id" = Uuid, Path)), responses((status = 200, body = CalendarAddress), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<CalendarAddress>, ApiError> {
    app.role(&caller, WorkspaceId(id)).await?;
    let created_at = app.store.calendar_feed(WorkspaceId(id), caller.profile.id).await?;
    Ok(Json(CalendarAddress { created_at }))
}

/// Make one's calendar address; it is shown once
///
/// An earlier one stops working.
#[utoipa::path(post, path = "/api/workspaces/{id}/calendar-address", tag = "data", params(("id" = Uuid, Path)), responses((status = 201, body = NewCalendarAddress), Errors))]
pub async fn make(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<(StatusCode, Json<NewCalendarAddress>), ApiError> {
    caller.session()?;
    app.role(&caller, WorkspaceId(id)).await?;
    let areas = app.store.areas(WorkspaceId(id), caller.profile.id).await?;
    areas.check(PROJECTS.area, AreaAccess::Read).map_err(Error::from)?;
    let secret = Secret::new("bcal_")?;
    let created_at = app.store.make_calendar_feed(WorkspaceId(id), caller.profile.id, secret.hash).await?;
    let path = format!("/api/calendar/{}.ics", secret.text);
    Ok((StatusCode::CREATED, Json(NewCalendarAddress { path, created_at })))
}

/// Take one's calendar address back; it stops working at once
#[utoipa::path(delete, path = "/api/workspaces/{id}/calendar-address", tag = "data", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    caller.session()?;
    app.role(&caller, WorkspaceId(id)).await?;
    app.store.delete_calendar_feed(WorkspaceId(id), caller.profile.id).await?;
    Ok(done())
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only tasks that the address's person does, and projects that they lead.
    #[serde(default)]
    mine: bool,
}

/// What is due, as a calendar (iCalendar): tasks that are not done, and projects
///
/// No session is needed: the secret in the address says whose it is. 404 once they left the workspace or may not see its
/// projects any more. With `ETag` and `If-None-Match`.
#[utoipa::path(get, path = "/api/calendar/{address}", tag = "data", security(()), params(("address" = String, Path, description = "The secret, with `.ics` behind it"), Which), responses((status = 200, body = FileBytes, content_type = "text/calendar"), Errors))]
pub async fn feed(
    State(app): State<SharedApp>,
    PathText(address): PathText,
    Params(which): Params<Which>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let gone = || ApiError::not_found("calendar");
    let secret = address.strip_suffix(".ics").unwrap_or(&address);
    let owner = app.store.calendar_feed_owner(&secret::hash(secret)).await?;
    let (workspace_id, person) = owner.ok_or_else(gone)?;
    let person = match app.store.profile(person).await {
        Ok(person) => person,
        Err(Error::NotFound(_)) => return Err(gone()),
        Err(error) => return Err(error.into()),
    };
    let memberships = app.store.memberships(person.id).await?;
    let membership = memberships.into_iter().find(|one| one.workspace_id == workspace_id).ok_or_else(gone)?;
    let scope = DataScope { workspace_id, areas: app.store.areas(workspace_id, person.id).await? };
    scope.check(&PROJECTS, AreaAccess::Read).map_err(|_| gone())?;
    let events = events(&app, scope, &person, which.mine).await?;
    let text = calendar::write(&format!("{}: what is due", membership.name), &events);
    let tag: String =
        Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = HeaderValue::from_str(&format!("\"{tag}\"")).map_err(ApiError::internal)?;
    let about = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static("text/calendar; charset=utf-8")),
        (header::CONTENT_DISPOSITION, download_as("baton.ics")?),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (header::ETAG, tag.clone()),
    ]);
    match headers.get(header::IF_NONE_MATCH).is_some_and(|seen| *seen == tag) {
        true => Ok((StatusCode::NOT_MODIFIED, about).into_response()),
        false => Ok((about, text).into_response()),
    }
}

async fn events(app: &App, scope: DataScope, person: &Profile, mine: bool) -> Result<Vec<Event>, ApiError> {
    let first = days::today(Utc::now(), &person.time_zone) - Days::new(LATE);
    let asked = OpenTasks {
        assignee: mine.then_some(Assignee::Person(person.id.0)),
        due: Due::Within(Some(first), None),
        limit: MOST_OPEN,
        ..OpenTasks::default()
    };
    let tasks = app.store.open_tasks(scope, asked).await?.rows;
    let open = ["planned", "active", "paused"].map(Value::from).to_vec();
    let mut filters = vec![
        Filter { field: "status", test: Test::OneOf(open) },
        Filter { field: "due_on", test: Test::AtLeast(json!(first)) },
    ];
    if mine {
        filters.push(Filter { field: "lead_id", test: Test::Is(json!(person.id)) });
    }
    let projects =
        app.store.rows(scope, &PROJECTS, RowQuery { filters, limit: MAX_PAGE, ..RowQuery::default() });
    let mut events: Vec<Event> = projects.await?.rows.iter().filter_map(project).collect();
    events.extend(tasks.iter().filter_map(task));
    events.sort_by(|one, other| (one.day, &one.uid).cmp(&(other.day, &other.uid)));
    Ok(events)
}

fn text(row: &Row, name: &str) -> Option<String> {
    let text = row.fields.get(name).or_else(|| row.titles.get(name)).and_then(Value::as_str)?;
    Some(text.chars().take(TOLD).collect())
}

fn event(row: &Row, summary: String) -> Option<Event> {
    let day: NaiveDate = row.fields.get("due_on").and_then(Value::as_str).and_then(check::day)?;
    Some(Event {
        uid: format!("{}@projects.baton", row.id),
        day,
        summary,
        description: text(row, "description"),
        category: None,
        priority: None,
        changed_at: row.updated_at,
        sequence: row.version,
    })
}

fn project(row: &Row) -> Option<Event> {
    let name = text(row, PROJECTS.title)?;
    Some(Event { category: Some(name.clone()), ..event(row, format!("Project due: {name}"))? })
}

fn task(row: &Row) -> Option<Event> {
    let title = text(row, PROJECT_TASKS.title)?;
    let about = [
        text(row, "project").map(|project| format!("Project: {project}")),
        text(row, "assignee").map(|name| format!("Assignee: {name}")),
        text(row, "blocked_reason").map(|reason| format!("Blocked by: {reason}")),
        text(row, "description"),
    ];
    let about: Vec<String> = about.into_iter().flatten().collect();
    let blocked = if text(row, "status").as_deref() == Some("blocked") { " (blocked)" } else { "" };
    let priority = match text(row, "priority").as_deref() {
        Some("urgent") => 1,
        Some("high") => 3,
        Some("low") => 9,
        _ => 5,
    };
    Some(Event {
        description: Some(about.join("\n")).filter(|about| !about.is_empty()),
        category: text(row, "project"),
        priority: Some(priority),
        ..event(row, format!("{title}{blocked}"))?
    })
}
