//! What changed in projects and tasks since a day, in words, from the record of changes.

use std::collections::HashMap;

use baton_core::data::areas::Area;
use baton_core::data::check::Fields;
use baton_core::data::kind::{Field, FieldType, Kind};
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS, find};
use baton_core::data::rows::{ChangeAction, RecordedChange};
use baton_core::days;
use baton_core::store::ChangesOf;
use baton_core::tools::ToolFailure;
use chrono::{Days, NaiveDate};
use serde_json::{Value, json};
use uuid::Uuid;

use super::desk::{Desk, title};
use crate::arguments::store_failure;
use crate::outage::patiently;

/// How many changes are looked through, the latest.
const MOST: u64 = 1_000;
/// Days back, unless the call says since when.
const USUAL: u64 = 7;
/// How many the sentence itself names.
const NAMED: usize = 5;
/// How much of a text is told.
const TOLD: usize = 120;

/// What is known of a row by now: its title, and the project of a task.
type Names = HashMap<Uuid, (String, Option<Value>)>;

pub async fn changes(
    desk: &Desk<'_>,
    since: Option<NaiveDate>,
    project: Option<String>,
    limit: usize,
) -> Result<Value, ToolFailure> {
    let since = since.unwrap_or(desk.call.today - Days::new(USUAL));
    let project = project.map(|wanted| desk.project(&wanted)).transpose()?.map(|row| row.id);
    let of = ChangesOf::Area { area: Area::Projects, since: days::begin_of(since, desk.time_zone) };
    let found = patiently(|| desk.store.rows.changes(desk.call.scope, of, MOST)).await;
    let found = found.map_err(store_failure)?;
    let names = names(desk, &found).await;
    let is_asked = |change: &&RecordedChange| match project {
        None => true,
        Some(id) => {
            change.row_id == id
                || project_of(change, &names).and_then(baton_core::data::check::id) == Some(id)
        }
    };
    let told: Vec<Value> =
        found.iter().filter(is_asked).filter_map(|change| told(desk, change, &names)).collect();
    let number = told.len();
    let is_cut = found.len() as u64 == MOST;
    let some: Vec<&str> = told.iter().take(NAMED).filter_map(|change| change["what"].as_str()).collect();
    let answer = match number {
        0 => format!("Nothing changed since {since}."),
        _ => {
            let at_least = if is_cut { "At least " } else { "" };
            let s = if number == 1 { "" } else { "s" };
            format!("{at_least}{number} change{s} since {since}, the latest first: {}", some.join("; "))
        }
    };
    let end = if number > NAMED {
        "; and others."
    } else if number > 0 {
        "."
    } else {
        ""
    };
    let shown: Vec<Value> = told.into_iter().take(limit).collect();
    let mut result =
        json!({"answer": format!("{answer}{end}"), "since": since.to_string(), "changes": shown});
    if number > limit || is_cut {
        let more = number.saturating_sub(limit);
        let or_more = if is_cut { " or more" } else { "" };
        result["more"] =
            format!("{more}{or_more} more: narrow by project or a later startDate, or raise limit.").into();
    }
    Ok(result)
}

/// Titles of all rows that changed: as they are, or as they were when they were deleted.
async fn names(desk: &Desk<'_>, found: &[RecordedChange]) -> Names {
    let mut names = Names::new();
    for row in &desk.projects {
        names.insert(row.id, (title(&PROJECTS, row).to_owned(), None));
    }
    for change in found {
        let Some(kind) = find(&change.kind) else { continue };
        let whole = match change.action {
            ChangeAction::Deleted => change.before.as_ref(),
            ChangeAction::Created | ChangeAction::Restored => change.after.as_ref(),
            ChangeAction::Changed => None,
        };
        if let Some(text) = whole.and_then(|row| row.get(kind.title)?.as_str()) {
            let project = whole.and_then(|row| row.get("project_id")).cloned();
            names.entry(change.row_id).or_insert((text.to_owned(), project));
        }
    }
    let is_unknown = |change: &&RecordedChange| !names.contains_key(&change.row_id);
    let unknown: std::collections::BTreeSet<Uuid> = found
        .iter()
        .filter(is_unknown)
        .filter(|change| change.kind == PROJECT_TASKS.name)
        .map(|change| change.row_id)
        .collect();
    for id in unknown.into_iter().take(200) {
        if let Ok(row) = desk.task(id).await {
            let project = row.fields.get("project_id").cloned();
            names.insert(id, (title(&PROJECT_TASKS, &row).to_owned(), project));
        }
    }
    names
}

fn project_of<'a>(change: &'a RecordedChange, names: &'a Names) -> Option<&'a Value> {
    let said = |fields: &'a Option<Fields>| fields.as_ref().and_then(|fields| fields.get("project_id"));
    said(&change.after)
        .or_else(|| said(&change.before))
        .or_else(|| names.get(&change.row_id).and_then(|(_, project)| project.as_ref()))
}

/// None for changes that people don't follow, such as that of a card's place on a board.
fn told(desk: &Desk<'_>, change: &RecordedChange, names: &Names) -> Option<Value> {
    let kind = find(&change.kind)?;
    let name = names.get(&change.row_id).map_or("without a name", |(name, _)| name.as_str());
    let subject = match project_of(change, names).and_then(|id| desk.project_name(id)) {
        Some(project) if kind == &PROJECT_TASKS => format!("Task {name:?} of {project}"),
        _ if kind == &PROJECT_TASKS => format!("Task {name:?}"),
        _ => format!("Project {name:?}"),
    };
    let done = match change.action {
        ChangeAction::Created => "was made".to_owned(),
        ChangeAction::Deleted => "was deleted".to_owned(),
        ChangeAction::Restored => "was brought back".to_owned(),
        ChangeAction::Changed => {
            let differences = differences(desk, kind, change, names);
            if differences.is_empty() {
                return None;
            }
            differences
        }
    };
    let mut told = json!({
        "what": format!("{subject} {done}"), "on": days::today(change.created_at, desk.time_zone).to_string(),
    });
    if let Some(author) = change.author {
        let by = desk.person_name(&json!(author.profile_id)).unwrap_or("somebody who left");
        let through = if author.agent.is_some() { " through an agent" } else { "" };
        told["by"] = format!("{by}{through}").into();
    }
    if change.is_undone {
        told["isUndone"] = true.into();
    }
    Some(told)
}

/// `status from todo to done, due from 2026-11-12 to 2026-11-20`.
fn differences(desk: &Desk<'_>, kind: &'static Kind, change: &RecordedChange, names: &Names) -> String {
    let empty = Fields::new();
    let (before, after) = (change.before.as_ref().unwrap_or(&empty), change.after.as_ref().unwrap_or(&empty));
    let shown = |field: &Field, value: Option<&Value>| value_in_words(desk, field, value, names);
    let fields =
        kind.fields.iter().filter(|field| field.name != "position" && after.contains_key(field.name));
    let said = fields.map(|field| {
        let label = field.label.to_lowercase();
        match (shown(field, before.get(field.name)), shown(field, after.get(field.name))) {
            (None, Some(new)) => format!("{label} is {new} now"),
            (Some(old), None) => format!("{label} is empty now (was {old})"),
            (Some(old), Some(new)) => format!("{label} is {new} now (was {old})"),
            (None, None) => format!("{label} is empty"),
        }
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() { String::new() } else { format!("changed: {}", said.join(", ")) }
}

fn value_in_words(desk: &Desk<'_>, field: &Field, value: Option<&Value>, names: &Names) -> Option<String> {
    let value = value.filter(|value| !value.is_null())?;
    Some(match field.of {
        FieldType::Member => desk.person_name(value).unwrap_or("somebody who left").to_owned(),
        FieldType::Reference("projects") => {
            desk.project_name(value).unwrap_or("a deleted project").to_owned()
        }
        FieldType::Reference(_) => {
            let id = baton_core::data::check::id(value)?;
            names.get(&id).map_or("another task".to_owned(), |(name, _)| format!("{name:?}"))
        }
        _ => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match text.char_indices().nth(TOLD) {
                Some((at, _)) => format!("{}…", &text[..at]),
                None => text,
            }
        }
    })
}
