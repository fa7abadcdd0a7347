//! What a call would change, for the person who is asked: a sentence, and old and new values.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{Field, FieldType, Kind};
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::rows::{Filter, Row, RowQuery, Test};
use baton_core::tools::{Preview, PreviewChange, ToolFailure};
use serde_json::{Value, json};
use uuid::Uuid;

use super::asked::Action;
use super::changing::{Plan, number, one, plan};
use super::desk::{Desk, title};

pub async fn preview(desk: &Desk<'_>, action: Action) -> Result<Option<Preview>, ToolFailure> {
    Ok(match plan(desk, action).await? {
        Plan::New(rows) => Some(new(desk, &rows)),
        Plan::Set(rows) => {
            let sentence = match rows.as_slice() {
                [(kind, row, _)] => format!("Change the {} {}.", one(kind), place(kind, row)),
                _ => format!("Change {}.", number(rows.len())),
            };
            let mut changes = Vec::new();
            for (kind, row, fields) in &rows {
                changes.extend(differences(desk, kind, &place(kind, row), &row.fields, fields).await);
            }
            let seen = rows.iter().map(|(kind, row, _)| row.seen(kind)).collect();
            Some(Preview { sentence, changes, more: 0, seen })
        }
        Plan::Delete(rows) => Some(deleted(desk, &rows).await?),
    })
}

/// A task with its project.
fn place(kind: &Kind, row: &Row) -> String {
    match row.titles.get("project").and_then(Value::as_str) {
        Some(project) if kind == &PROJECT_TASKS => format!("{} ({project})", title(kind, row)),
        _ => title(kind, row).to_owned(),
    }
}

fn new(desk: &Desk<'_>, rows: &[(&'static Kind, Uuid, Fields)]) -> Preview {
    let text = |fields: &Fields, name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let project = rows.iter().find(|(kind, ..)| *kind == &PROJECTS);
    let tasks: Vec<&Fields> =
        rows.iter().filter(|(kind, ..)| *kind == &PROJECT_TASKS).map(|(_, _, fields)| fields).collect();
    let name = project.and_then(|(_, _, fields)| text(fields, "name"));
    let into = tasks.first().and_then(|task| desk.project_name(task.get("project_id")?));
    let sentence = match (&name, tasks.as_slice()) {
        (Some(name), []) => format!("Make the project {name}."),
        (Some(name), _) => format!("Make the project {name}, with {}.", number(tasks.len())),
        (None, [task]) => {
            format!(
                "Make the task {} in {}.",
                text(task, "title").unwrap_or_default(),
                into.unwrap_or("a project")
            )
        }
        (None, _) => format!("Make {} in {}.", number(tasks.len()), into.unwrap_or("a project")),
    };
    let mut changes = Vec::new();
    if let Some((_, _, fields)) = project {
        for field in PROJECTS.fields.iter() {
            let new = fields.get(field.name).and_then(|value| shown(desk, field, value));
            let what = "New project".to_owned();
            changes.extend(new.map(|new| PreviewChange {
                what,
                field: field.label.to_owned(),
                old: None,
                new: Some(new),
            }));
        }
    }
    for fields in tasks {
        let about = ["assignee_id", "due_on", "priority", "status"].into_iter().filter_map(|name| {
            let field = PROJECT_TASKS.field(name)?;
            shown(desk, field, fields.get(name)?)
        });
        let about: Vec<String> = about.collect();
        let title = text(fields, "title").unwrap_or_default();
        let new = if about.is_empty() { title } else { format!("{title} ({})", about.join(", ")) };
        let what = "New task".to_owned();
        changes.push(PreviewChange { what, field: "Title".to_owned(), old: None, new: Some(new) });
    }
    Preview { sentence, changes, more: 0, seen: Vec::new() }
}

async fn differences(
    desk: &Desk<'_>,
    kind: &'static Kind,
    what: &str,
    old: &Fields,
    set: &Fields,
) -> Vec<PreviewChange> {
    let mut changes = Vec::new();
    for field in kind.fields.iter() {
        let Some(new) = set.get(field.name).filter(|new| old.get(field.name) != Some(*new)) else { continue };
        let mut values = [None, None];
        for (value, at) in [old.get(field.name), Some(new)].into_iter().zip(&mut values) {
            *at = match (field.of, value.and_then(check::id)) {
                (FieldType::Reference("project_tasks"), Some(id)) => {
                    desk.task(id).await.ok().map(|row| title(&PROJECT_TASKS, &row).to_owned())
                }
                _ => value.and_then(|value| shown(desk, field, value)),
            };
        }
        let [old, new] = values;
        if old != new {
            changes.push(PreviewChange { what: what.to_owned(), field: field.label.to_owned(), old, new });
        }
    }
    changes
}

async fn deleted(desk: &Desk<'_>, rows: &[(&'static Kind, Row)]) -> Result<Preview, ToolFailure> {
    let mut along = 0;
    for (kind, row) in rows {
        let field = if *kind == &PROJECTS { "project_id" } else { "parent_id" };
        let filters = vec![Filter { field, test: Test::Is(json!(row.id)) }];
        along +=
            desk.rows(&PROJECT_TASKS, RowQuery { filters, limit: 1, ..RowQuery::default() }).await?.total;
    }
    let hanging = match (along, rows) {
        (0, _) => String::new(),
        (_, [(kind, _)]) if *kind == &PROJECTS => {
            format!(" with its {}", number(usize::try_from(along).unwrap_or(usize::MAX)))
        }
        (1, _) => " with 1 subtask".to_owned(),
        _ => format!(" with {along} subtasks, and what hangs on those"),
    };
    let sentence = match rows {
        [(kind, row)] => format!("Delete the {} {}{hanging}.", one(kind), place(kind, row)),
        _ => format!("Delete {}{hanging}.", number(rows.len())),
    };
    let gone = |(kind, row): &(&'static Kind, Row)| {
        let field = kind.field(kind.title).map_or("Title", |field| field.label).to_owned();
        PreviewChange { what: place(kind, row), field, old: Some(title(kind, row).to_owned()), new: None }
    };
    let seen = rows.iter().map(|(kind, row)| row.seen(kind)).collect();
    Ok(Preview { sentence, changes: rows.iter().map(gone).collect(), more: 0, seen })
}

/// A value for people; none for null.
fn shown(desk: &Desk<'_>, field: &Field, value: &Value) -> Option<String> {
    if value.is_null() {
        return None;
    }
    Some(match field.of {
        FieldType::Member => desk.person_name(value).unwrap_or("somebody who left").to_owned(),
        FieldType::Reference(_) => desk.project_name(value).unwrap_or("another one").to_owned(),
        _ => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    })
}
