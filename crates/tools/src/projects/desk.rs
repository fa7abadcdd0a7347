//! What a call works with: the projects and the people of the workspace, by their names.

use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::check;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::projects::Assignee;
use baton_core::data::rows::{Filter, MAX_PAGE, Row, RowChange, RowPage, RowQuery, Test};
use baton_core::tools::{ToolContext, ToolFailure};
use baton_core::workspaces::Member;
use serde_json::{Value, json};
use uuid::Uuid;

use super::ProjectStore;
use crate::arguments::store_failure;
use crate::data_call::DataCall;
use crate::finance::arguments::failure;
use crate::finance::names;
use crate::outage::patiently;
use crate::people::{self, NOBODY};

/// How many tasks a title is looked for in.
const CANDIDATES: u64 = 100;

pub struct Desk<'a> {
    pub store: &'a ProjectStore,
    pub call: DataCall,
    pub time_zone: &'a str,
    pub members: Vec<Member>,
    pub projects: Vec<Row>,
}

impl<'a> Desk<'a> {
    pub async fn open(
        store: &'a ProjectStore,
        context: &'a ToolContext,
        least: AreaAccess,
    ) -> Result<Self, ToolFailure> {
        let call = DataCall::open(context, Area::Projects, least, "Projects")?;
        let members = patiently(|| store.rows.people(call.scope)).await.map_err(store_failure)?;
        let mut desk = Self { store, call, time_zone: &context.time_zone, members, projects: Vec::new() };
        let mut cursor = None;
        loop {
            let query = RowQuery { limit: MAX_PAGE, cursor, ..RowQuery::default() };
            let page = desk.rows(&PROJECTS, query).await?;
            desk.projects.extend(page.rows);
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(desk);
            }
        }
    }

    pub async fn rows(&self, kind: &'static Kind, query: RowQuery) -> Result<RowPage, ToolFailure> {
        patiently(|| self.store.rows.rows(self.call.scope, kind, query.clone())).await.map_err(store_failure)
    }

    pub async fn task(&self, id: Uuid) -> Result<Row, ToolFailure> {
        let row = patiently(|| self.store.rows.row(self.call.scope, &PROJECT_TASKS, id));
        row.await.map_err(store_failure)
    }

    pub async fn change(&self, changes: Vec<RowChange>) -> Result<Value, ToolFailure> {
        let rows = &self.store.rows;
        self.call.write(|once, author| rows.change_rows(once, self.call.scope, author, changes.clone())).await
    }

    pub fn project(&self, wanted: &str) -> Result<&Row, ToolFailure> {
        let id = names::resolve(
            "project",
            wanted,
            self.projects.iter().map(|row| (row.id, title(&PROJECTS, row))),
        )?;
        self.projects.iter().find(|row| row.id == id).ok_or_else(|| failure("There is no such project."))
    }

    pub fn project_name(&self, id: &Value) -> Option<&str> {
        let id = check::id(id)?;
        self.projects.iter().find(|row| row.id == id).map(|row| title(&PROJECTS, row))
    }

    pub fn person(&self, wanted: &str) -> Result<Uuid, ToolFailure> {
        people::member(&self.members, self.call.person, wanted)
    }

    /// Somebody, or nobody.
    pub fn assignee(&self, wanted: &str) -> Result<Assignee, ToolFailure> {
        if NOBODY.contains(&wanted.to_lowercase().as_str()) {
            return Ok(Assignee::Nobody);
        }
        self.person(wanted).map(Assignee::Person)
    }

    /// The id that is set for a person who was given.
    pub fn person_given(&self, wanted: Option<&str>) -> Result<Value, ToolFailure> {
        Ok(match wanted.map(|wanted| self.assignee(wanted)).transpose()? {
            Some(Assignee::Person(id)) => json!(id),
            Some(Assignee::Nobody) | None => Value::Null,
        })
    }

    pub fn person_name(&self, id: &Value) -> Option<&str> {
        let id = check::id(id)?;
        self.members.iter().find(|member| member.profile_id.0 == id).map(|member| member.name.as_str())
    }

    /// The task that a title or an id means. An open one is meant rather than one that is done.
    pub async fn named_task(&self, wanted: &str, project: Option<Uuid>) -> Result<Row, ToolFailure> {
        if let Ok(id) = wanted.parse() {
            return self.task(id).await;
        }
        let filters = project.map(|id| Filter { field: "project_id", test: Test::Is(json!(id)) });
        let query = RowQuery {
            filters: filters.into_iter().collect(),
            search: Some(wanted.to_owned()),
            limit: CANDIDATES,
            ..RowQuery::default()
        };
        let mut found = self.rows(&PROJECT_TASKS, query).await?.rows;
        if found.is_empty() {
            return Err(failure(format!(
                "There is no task {wanted:?}{}: find it with tasks, also those that are done (status any).",
                if project.is_some() { " in this project" } else { "" }
            )));
        }
        let is_open = |row: &Row| row.fields.get("status").and_then(Value::as_str) != Some("done");
        let is_titled = |row: &Row| {
            baton_core::text::fold(title(&PROJECT_TASKS, row)).contains(&baton_core::text::fold(wanted))
        };
        if found.iter().any(|row| is_open(row) && is_titled(row)) {
            found.retain(is_open);
        }
        let places: Vec<(Uuid, String)> =
            found.iter().map(|row| (row.id, title(&PROJECT_TASKS, row).to_owned())).collect();
        let id = names::resolve("task", wanted, places.iter().map(|(id, title)| (*id, title.as_str())))?;
        found.into_iter().find(|row| row.id == id).ok_or_else(|| failure("There is no such task."))
    }
}

/// What a row is called.
pub fn title<'a>(kind: &Kind, row: &'a Row) -> &'a str {
    row.fields.get(kind.title).and_then(Value::as_str).unwrap_or("without a name")
}
