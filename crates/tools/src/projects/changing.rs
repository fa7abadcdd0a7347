//! The changes of `manageProjects`, each one write of the store. What a call comes to is planned first, so that its preview
//! shows the very changes that it makes.

use std::collections::HashMap;

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::rows::{Change, Row, RowChange};
use baton_core::text::fold;
use baton_core::tools::ToolFailure;
use serde_json::{Value, json};
use uuid::Uuid;

use super::asked::{Action, Given, Which};
use super::desk::{Desk, title};
use crate::data_call::answered;
use crate::finance::arguments::failure;

/// What a call would write.
pub enum Plan {
    /// Rows that are made: kind, id and fields.
    New(Vec<(&'static Kind, Uuid, Fields)>),
    Set(Vec<(&'static Kind, Row, Fields)>),
    Delete(Vec<(&'static Kind, Row)>),
}

pub async fn change(desk: &Desk<'_>, action: Action) -> Result<Value, ToolFailure> {
    let plan = plan(desk, action).await?;
    let changes = match &plan {
        Plan::New(rows) => {
            let new = |(kind, id, fields): &(&'static Kind, Uuid, Fields)| {
                Change::Create { id: *id, fields: fields.clone() }.of(kind)
            };
            rows.iter().map(new).collect::<Vec<RowChange>>()
        }
        Plan::Set(rows) => {
            let set = |(kind, row, fields): &(&'static Kind, Row, Fields)| {
                Change::Set { id: row.id, seen: Some(row.version), fields: fields.clone() }.of(kind)
            };
            rows.iter().map(set).collect()
        }
        Plan::Delete(rows) => rows
            .iter()
            .map(|(kind, row)| Change::Delete { id: row.id, seen: Some(row.version) }.of(kind))
            .collect(),
    };
    let outcome = desk.change(changes).await?;
    Ok(answered(outcome, |changed| done(&plan, changed)))
}

fn done(plan: &Plan, changed: i64) -> String {
    match plan {
        Plan::New(rows) => {
            let tasks = rows.iter().filter(|(kind, ..)| *kind == &PROJECT_TASKS).count();
            let project = rows.iter().find(|(kind, ..)| *kind == &PROJECTS);
            let name = project.and_then(|(_, _, fields)| fields.get("name")?.as_str());
            match (name, tasks) {
                (Some(name), 0) => format!("The project {name} is made."),
                (Some(name), _) => format!("The project {name} is made, with {}.", number(tasks)),
                (None, 1) => "The task is made.".to_owned(),
                (None, _) => format!("{} are made.", number(tasks)),
            }
        }
        Plan::Set(rows) => match rows.as_slice() {
            [(kind, row, _)] => format!("The {} {} is changed.", one(kind), title(kind, row)),
            _ => format!("{} are changed.", number(usize::try_from(changed).unwrap_or_default())),
        },
        Plan::Delete(rows) => {
            let along = usize::try_from(changed).unwrap_or_default().saturating_sub(rows.len());
            let with =
                if along > 0 { format!(", with {} that hung on it", number(along)) } else { String::new() };
            match rows.as_slice() {
                [(kind, row)] => format!("The {} {} is deleted{with}.", one(kind), title(kind, row)),
                _ => format!("{} are deleted{with}.", number(rows.len())),
            }
        }
    }
}

/// As people call it in a sentence about projects.
pub fn one(kind: &Kind) -> &'static str {
    if kind == &PROJECTS { "project" } else { "task" }
}

pub fn number(tasks: usize) -> String {
    if tasks == 1 { "1 task".to_owned() } else { format!("{tasks} tasks") }
}

pub async fn plan(desk: &Desk<'_>, action: Action) -> Result<Plan, ToolFailure> {
    match action {
        Action::CreateProject { fields, tasks } => {
            let name = fields.title(&PROJECTS);
            let is_there = |row: &&Row| fold(title(&PROJECTS, row)) == fold(name);
            if let Some(row) = desk.projects.iter().find(is_there) {
                return Err(failure(format!(
                    "There is a project {:?} already ({}): change that one, or give this one another name.",
                    title(&PROJECTS, row),
                    row.id
                )));
            }
            let (id, fields) = (Uuid::now_v7(), set_fields(desk, fields, "lead_id")?);
            let mut rows = vec![(&PROJECTS, id, fields)];
            rows.extend(new_tasks(desk, id, tasks).await?);
            Ok(Plan::New(rows))
        }
        Action::CreateTasks { project, tasks } => {
            let id = desk.project(&project)?.id;
            Ok(Plan::New(new_tasks(desk, id, tasks).await?))
        }
        Action::ChangeProject { project, fields } => {
            let row = desk.project(&project)?.clone();
            Ok(Plan::Set(vec![(&PROJECTS, row, set_fields(desk, fields, "lead_id")?)]))
        }
        Action::DeleteProject { project } => {
            Ok(Plan::Delete(vec![(&PROJECTS, desk.project(&project)?.clone())]))
        }
        Action::ChangeTasks { which, fields } => {
            let rows = meant(desk, which).await?;
            let mut changed = Vec::with_capacity(rows.len());
            for row in rows {
                let fields = changed_task(desk, &row, fields.clone()).await?;
                changed.push((&PROJECT_TASKS, row, fields));
            }
            Ok(Plan::Set(changed))
        }
        Action::DeleteTasks { which } => {
            let rows = meant(desk, which).await?;
            let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
            // A subtask goes with its task.
            let is_top = |row: &Row| {
                row.fields.get("parent_id").and_then(check::id).is_none_or(|id| !ids.contains(&id))
            };
            Ok(Plan::Delete(rows.into_iter().filter(is_top).map(|row| (&PROJECT_TASKS, row)).collect()))
        }
        Action::Tasks(_) | Action::Projects { .. } | Action::Members | Action::Changes { .. } => {
            Err(failure("This action changes nothing."))
        }
    }
}

async fn meant(desk: &Desk<'_>, which: Which) -> Result<Vec<Row>, ToolFailure> {
    match which {
        Which::Named { task, project } => {
            let project = project.map(|wanted| desk.project(&wanted)).transpose()?.map(|row| row.id);
            Ok(vec![desk.named_task(&task, project).await?])
        }
        Which::Ids(ids) => {
            let mut rows = Vec::with_capacity(ids.len());
            for id in ids {
                rows.push(desk.task(id).await?);
            }
            Ok(rows)
        }
    }
}

/// Fields with the person who was named, if anyone was.
fn set_fields(desk: &Desk<'_>, given: Given, person: &str) -> Result<Fields, ToolFailure> {
    let mut fields = given.plain;
    if let Some(wanted) = given.person {
        fields.insert(person.to_owned(), desk.person_given(wanted.as_deref())?);
    }
    Ok(fields)
}

async fn changed_task(desk: &Desk<'_>, row: &Row, given: Given) -> Result<Fields, ToolFailure> {
    let own = row.fields.get("project_id").and_then(check::id);
    let moved = given.move_to.as_deref().map(|wanted| desk.project(wanted)).transpose()?.map(|row| row.id);
    let parent = given.parent.clone();
    let mut fields = set_fields(desk, given, "assignee_id")?;
    if let Some(project) = moved.filter(|moved| Some(*moved) != own) {
        fields.insert("project_id".to_owned(), json!(project));
        // Its task stays where it is.
        if parent.is_none() {
            fields.insert("parent_id".to_owned(), Value::Null);
        }
    }
    if let Some(parent) = parent {
        let id = match parent {
            Some(wanted) => json!(desk.named_task(&wanted, moved.or(own)).await?.id),
            None => Value::Null,
        };
        fields.insert("parent_id".to_owned(), id);
    }
    Ok(fields)
}

async fn new_tasks(
    desk: &Desk<'_>,
    project: Uuid,
    tasks: Vec<Given>,
) -> Result<Vec<(&'static Kind, Uuid, Fields)>, ToolFailure> {
    let mut made: HashMap<String, Uuid> = HashMap::new();
    let mut rows = Vec::with_capacity(tasks.len());
    for given in tasks {
        let id = Uuid::now_v7();
        let key = fold(given.title(&PROJECT_TASKS));
        let parent = match given.parent.clone().flatten() {
            None => None,
            // One of this call first.
            Some(wanted) => match made.get(&fold(&wanted)) {
                Some(id) => Some(*id),
                None => Some(desk.named_task(&wanted, Some(project)).await?.id),
            },
        };
        let mut fields = set_fields(desk, given, "assignee_id")?;
        fields.retain(|_, value| !value.is_null());
        fields.insert("project_id".to_owned(), json!(project));
        if let Some(parent) = parent {
            fields.insert("parent_id".to_owned(), json!(parent));
        }
        made.insert(key, id);
        rows.push((&PROJECT_TASKS, id, fields));
    }
    Ok(rows)
}
