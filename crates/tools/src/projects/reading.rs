//! What the tool tells of tasks, projects and members: a sentence that needs no arithmetic, and the rows behind it.

use baton_core::data::check;
use baton_core::data::kind::Direction;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::projects::{Assignee, Due, OpenTasks, Progress, TasksBy};
use baton_core::data::rows::{Filter, Row, RowPage, RowQuery, Test};
use baton_core::tools::ToolFailure;
use chrono::{Datelike, Days, NaiveDate};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::asked::Asked;
use super::desk::{Desk, title};
use crate::arguments::store_failure;
use crate::outage::patiently;

/// How many rows the sentence itself names.
const NAMED: usize = 5;
/// How much of a description is told.
const TOLD: usize = 500;

pub async fn tasks(desk: &Desk<'_>, asked: Asked) -> Result<Value, ToolFailure> {
    let page = find(desk, &asked).await?;
    let today = desk.call.today;
    let late = page.rows.iter().filter(|row| days_late(row, today) > 0).count();
    let blocked = page.rows.iter().filter(|row| word(row, "status") == Some("blocked")).count();
    let what = sentence_of(&asked);
    let named: Vec<String> = page.rows.iter().take(NAMED).map(|row| in_words(desk, row)).collect();
    let number = counted(&page);
    let mut answer = match page.rows.len() {
        0 => format!("There is no {what}."),
        _ => format!("{number} {what}{}: {}", if page.total == 1 { "" } else { "s" }, named.join("; ")),
    };
    if !page.rows.is_empty() {
        let more = page.rows.len().saturating_sub(NAMED);
        answer.push_str(if more > 0 { "; and others." } else { "." });
    }
    let mut told = json!({
        "answer": answer, "today": today.to_string(), "matching": page.total,
        "tasks": page.rows.iter().map(|row| task(desk, row)).collect::<Vec<_>>(),
    });
    if late > 0 && asked.due.as_deref() != Some("overdue") {
        told["overdue"] = late.into();
    }
    if blocked > 0 && asked.status != "blocked" {
        told["blocked"] = blocked.into();
    }
    note_more(&mut told, &page, "project, assignee, due or status");
    Ok(told)
}

fn counted(page: &RowPage) -> String {
    if page.is_counted { page.total.to_string() } else { format!("More than {}", page.total) }
}

fn note_more(told: &mut Value, page: &RowPage, by: &str) {
    let more = page.total.saturating_sub(page.rows.len() as u64);
    if more > 0 {
        let number = if page.is_counted { more.to_string() } else { format!("More than {more}") };
        told["more"] = format!("{number} more: narrow by {by}, or raise limit.").into();
    }
}

/// `blocked task`, `open task that is due this week`.
fn sentence_of(asked: &Asked) -> String {
    let status = match asked.status.as_str() {
        "any" => String::new(),
        "in_progress" => "started ".to_owned(),
        "todo" => "unstarted ".to_owned(),
        other => format!("{other} "),
    };
    let due = match asked.due.as_deref() {
        Some("overdue") => {
            return format!("overdue {}task", if asked.status == "open" { "" } else { &status });
        }
        Some("today") => " due today",
        Some("this_week") => " due this week",
        Some("next_week") => " due next week",
        Some("soon") => " due within 7 days",
        Some("no_date") => " without a date",
        _ => "",
    };
    format!("{status}task{due}")
}

async fn find(desk: &Desk<'_>, asked: &Asked) -> Result<RowPage, ToolFailure> {
    let project = asked.project.as_deref().map(|wanted| desk.project(wanted)).transpose()?.map(|row| row.id);
    let parent = match &asked.parent {
        Some(wanted) => Some(desk.named_task(wanted, project).await?.id),
        None => None,
    };
    let assignee = asked.assignee.as_deref().map(|wanted| desk.assignee(wanted)).transpose()?;
    let due = due(asked, desk.call.today);
    let limit = asked.limit as u64;
    if !["done", "any"].contains(&asked.status.as_str()) {
        let statuses = if asked.status == "open" { Vec::new() } else { vec![asked.status.clone()] };
        let asked = OpenTasks {
            project,
            parent,
            assignee,
            statuses,
            priority: asked.priority.clone(),
            due,
            search: asked.search.clone(),
            limit,
        };
        let found = patiently(|| desk.store.projects.open_tasks(desk.call.scope, asked.clone()));
        return found.await.map_err(store_failure);
    }
    let id = |field, id: Option<Uuid>| id.map(|id| Filter { field, test: Test::Is(json!(id)) });
    let mut filters: Vec<Filter> =
        [id("project_id", project), id("parent_id", parent)].into_iter().flatten().collect();
    let mut add = |field, test| filters.push(Filter { field, test });
    match assignee {
        Some(Assignee::Person(id)) => add("assignee_id", Test::Is(json!(id))),
        Some(Assignee::Nobody) => add("assignee_id", Test::IsNull),
        None => {}
    }
    if asked.status == "done" {
        add("status", Test::Is(json!("done")));
    }
    match due {
        Due::Whenever => {}
        Due::Never => add("due_on", Test::IsNull),
        Due::Within(from, to) => {
            from.into_iter().for_each(|day| add("due_on", Test::AtLeast(json!(day))));
            to.into_iter().for_each(|day| add("due_on", Test::AtMost(json!(day))));
        }
    }
    if let Some(priority) = &asked.priority {
        add("priority", Test::Is(json!(priority)));
    }
    let latest = ("completed_on".to_owned(), Direction::Falling);
    let order = (asked.status == "done").then_some(latest);
    desk.rows(&PROJECT_TASKS, RowQuery { filters, search: asked.search.clone(), order, limit, cursor: None })
        .await
}

fn due(asked: &Asked, today: NaiveDate) -> Due {
    let monday = today - Days::new(today.weekday().num_days_from_monday().into());
    let week = |from: NaiveDate| Due::Within(Some(from), Some(from + Days::new(6)));
    match asked.due.as_deref() {
        Some("overdue") => Due::Within(None, today.pred_opt()),
        Some("today") => Due::Within(Some(today), Some(today)),
        Some("this_week") => week(monday),
        Some("next_week") => week(monday + Days::new(7)),
        Some("soon") => Due::Within(Some(today), Some(today + Days::new(7))),
        Some("no_date") => Due::Never,
        _ if asked.from.is_some() || asked.to.is_some() => Due::Within(asked.from, asked.to),
        _ => Due::Whenever,
    }
}

fn word<'a>(row: &'a Row, field: &str) -> Option<&'a str> {
    row.fields.get(field).and_then(Value::as_str)
}

fn days_late(row: &Row, today: NaiveDate) -> i64 {
    let is_done = word(row, "status") == Some("done");
    let due = word(row, "due_on").and_then(check::day).filter(|_| !is_done);
    due.map_or(0, |due| (today - due).num_days())
}

/// `"Order the signs" (Office move, Sam, due 2026-11-12, 6 days late)`.
pub fn in_words(desk: &Desk<'_>, row: &Row) -> String {
    let late = match days_late(row, desk.call.today) {
        days @ 2.. => Some(format!("{days} days late")),
        1 => Some("1 day late".to_owned()),
        _ => None,
    };
    let about = [
        row.titles.get("project").and_then(Value::as_str).map(str::to_owned),
        row.titles.get("assignee").and_then(Value::as_str).map(str::to_owned),
        word(row, "due_on").map(|day| format!("due {day}")),
        late,
        word(row, "blocked_reason").map(|reason| format!("blocked by: {reason}")),
    ];
    let about: Vec<String> = about.into_iter().flatten().collect();
    format!("{:?} ({})", title(&PROJECT_TASKS, row), about.join(", "))
}

/// A task for a model: what is null is left out.
fn task(desk: &Desk<'_>, row: &Row) -> Value {
    let mut told = Map::new();
    told.insert("task".to_owned(), title(&PROJECT_TASKS, row).into());
    for name in ["project", "assignee", "parent"] {
        if let Some(title) = row.titles.get(name).filter(|title| !title.is_null()) {
            told.insert(name.to_owned(), title.clone());
        }
    }
    for field in PROJECT_TASKS.fields.iter() {
        let wanted = ["status", "due_on", "priority", "blocked_reason", "completed_on", "description"];
        let Some(text) = word(row, field.name).filter(|_| wanted.contains(&field.name)) else { continue };
        told.insert(field.camel_name(), text.chars().take(TOLD).collect::<String>().into());
    }
    let late = days_late(row, desk.call.today);
    if late > 0 {
        told.insert("daysLate".to_owned(), late.into());
    }
    told.insert("id".to_owned(), row.id.to_string().into());
    Value::Object(told)
}

pub async fn projects(
    desk: &Desk<'_>,
    status: Option<String>,
    search: Option<String>,
    lead: Option<String>,
    limit: usize,
) -> Result<Value, ToolFailure> {
    let lead = lead.map(|wanted| desk.person(&wanted)).transpose()?;
    let progress = progress(desk, TasksBy::Project).await?;
    let search = search.map(|search| baton_core::text::fold(&search));
    let fits = |row: &&Row| {
        let is_meant = match &status {
            Some(status) => word(row, "status") == Some(status),
            None => true,
        };
        let is_led = lead.is_none_or(|lead| row.fields.get("lead_id").and_then(check::id) == Some(lead));
        let text = check::search_text(&PROJECTS, &row.fields);
        is_meant && is_led && search.as_ref().is_none_or(|search| text.contains(search))
    };
    let mut fitting: Vec<&Row> = desk.projects.iter().filter(fits).collect();
    let rank = |row: &&Row| match word(row, "status") {
        Some("active") => 0,
        Some("planned" | "paused") => 1,
        _ => 2,
    };
    fitting.sort_by_key(rank);
    let of = |row: &Row| progress.iter().find(|(id, _)| *id == row.id).map(|(_, it)| *it).unwrap_or_default();
    let named = fitting.iter().take(NAMED).map(|row| {
        let it = of(row);
        let mut about = vec![word(row, "status").unwrap_or_default().to_owned()];
        about.extend(it.percent().map(|percent| format!("{percent} % of {} done", tasks_of(it.all()))));
        about.extend((it.overdue > 0).then(|| format!("{} overdue", it.overdue)));
        about.extend((it.blocked > 0).then(|| format!("{} blocked", it.blocked)));
        about.extend(word(row, "due_on").map(|day| format!("due {day}")));
        format!("{} ({})", title(&PROJECTS, row), about.join(", "))
    });
    let named: Vec<String> = named.collect();
    let number = fitting.len();
    let kind = status.as_deref().map(|status| format!("{status} ")).unwrap_or_default();
    let answer = match number {
        0 => format!("There is no {kind}project."),
        1 => format!("1 {kind}project: {}.", named.join("; ")),
        _ if number > NAMED => format!("{number} {kind}projects: {}; and others.", named.join("; ")),
        _ => format!("{number} {kind}projects: {}.", named.join("; ")),
    };
    let shown: Vec<Value> = fitting.iter().take(limit).map(|row| project(desk, row, of(row))).collect();
    let mut told = json!({"answer": answer, "today": desk.call.today.to_string(), "projects": shown});
    if number > limit {
        told["more"] =
            format!("{} more: narrow by status, lead or search, or raise limit.", number - limit).into();
    }
    Ok(told)
}

fn tasks_of(number: u64) -> String {
    if number == 1 { "1 task".to_owned() } else { format!("{number} tasks") }
}

async fn progress(desk: &Desk<'_>, by: TasksBy) -> Result<Vec<(Uuid, Progress)>, ToolFailure> {
    let (scope, today) = (desk.call.scope, desk.call.today);
    patiently(|| desk.store.projects.task_progress(scope, by, today)).await.map_err(store_failure)
}

fn project(desk: &Desk<'_>, row: &Row, progress: Progress) -> Value {
    let mut told = json!({
        "project": title(&PROJECTS, row), "status": word(row, "status"), "openTasks": progress.open(),
        "doneTasks": progress.done, "blocked": progress.blocked, "overdue": progress.overdue, "id": row.id.to_string(),
    });
    if let Some(percent) = progress.percent() {
        told["percentDone"] = percent.into();
    }
    if let Some(day) = progress.next_due_on {
        told["nextDueOn"] = day.to_string().into();
    }
    if let Some(lead) = row.fields.get("lead_id").and_then(|id| desk.person_name(id)) {
        told["lead"] = lead.into();
    }
    for (field, name) in [("starts_on", "startsOn"), ("due_on", "dueOn"), ("description", "description")] {
        if let Some(text) = word(row, field) {
            told[name] = text.chars().take(TOLD).collect::<String>().into();
        }
    }
    let is_closed = matches!(word(row, "status"), Some("completed" | "cancelled"));
    let due = word(row, "due_on").and_then(check::day).filter(|_| !is_closed);
    if let Some(days) = due.map(|due| (desk.call.today - due).num_days()).filter(|days| *days > 0) {
        told["daysLate"] = days.into();
    }
    told
}

pub async fn members(desk: &Desk<'_>) -> Result<Value, ToolFailure> {
    let progress = progress(desk, TasksBy::Assignee).await?;
    let of = |id: Uuid| progress.iter().find(|(of, _)| *of == id).map(|(_, it)| *it).unwrap_or_default();
    let shown = desk.members.iter().map(|member| {
        let it = of(member.profile_id.0);
        let mut told = json!({
            "name": member.name, "email": member.email, "role": member.role, "openTasks": it.open(),
            "overdue": it.overdue, "blocked": it.blocked,
        });
        if member.profile_id == desk.call.person {
            told["isMe"] = true.into();
        }
        told
    });
    let shown: Vec<Value> = shown.take(crate::finance::arguments::MOST_LISTED).collect();
    let named = desk.members.iter().take(NAMED * 2).map(|member| {
        let it = of(member.profile_id.0);
        let late = if it.overdue > 0 { format!(", {} overdue", it.overdue) } else { String::new() };
        format!("{} ({} open{late})", member.name, tasks_of(it.open()))
    });
    let named: Vec<String> = named.collect();
    let number = desk.members.len();
    let mut told = json!({
        "answer": format!("{number} member{}: {}.", if number == 1 { "" } else { "s" }, named.join("; ")),
        "members": shown,
    });
    if number > shown_at_most() {
        told["more"] = format!("{} more: ask for one by name.", number - shown_at_most()).into();
    }
    Ok(told)
}

fn shown_at_most() -> usize {
    crate::finance::arguments::MOST_LISTED
}
