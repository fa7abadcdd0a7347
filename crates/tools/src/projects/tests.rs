//! What the tool says of itself, of bad arguments and of names. (What it does is tested on real databases, by the server's
//! tests.)

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::data::areas::{Area, AreaAccess, Areas};
use baton_core::data::check;
use baton_core::data::kind::Kind;
use baton_core::data::projects::{Due, OpenTasks, Progress, TasksBy};
use baton_core::data::rows::{
    Author, Change, DataScope, Once, RecordedChange, Row, RowChange, RowPage, RowQuery, Test,
};
use baton_core::ids::{ProfileId, VisitorId};
use baton_core::schema;
use baton_core::store::{ChangesOf, Error, Projects, Result, Rows, Written};
use baton_core::tools::{Tool, ToolContext};
use baton_core::visitors::Person;
use baton_core::workspaces::{Member, Role};
use chrono::{DateTime, NaiveDate};
use serde_json::json;

use super::*;
use crate::testing::{Shelf, context};

#[async_trait]
impl Projects for Shelf {
    async fn task_progress(
        &self,
        _: DataScope,
        _: TasksBy,
        _: NaiveDate,
    ) -> Result<Vec<(uuid::Uuid, Progress)>> {
        Ok(vec![])
    }
    async fn open_tasks(&self, _: DataScope, _: OpenTasks) -> Result<RowPage> {
        Ok(RowPage { rows: vec![], total: 0, is_counted: true, next_cursor: None })
    }
}

/// Two projects with tasks, and two people.
struct Office {
    shelf: Arc<Shelf>,
    projects: Vec<Row>,
    tasks: Vec<Row>,
    people: Vec<Member>,
    asked: std::sync::Mutex<Vec<OpenTasks>>,
}

impl Office {
    fn open(me: ProfileId) -> Arc<Self> {
        let row = |kind: &'static Kind, fields: Value| Row {
            id: uuid::Uuid::now_v7(),
            version: 3,
            fields: check::created(kind, fields.as_object().expect("fields")).expect("a row"),
            titles: Map::new(),
            is_deleted: false,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        };
        let projects =
            vec![row(&PROJECTS, json!({"name": "Office move"})), row(&PROJECTS, json!({"name": "Website"}))];
        let task = |title: &str, project: usize, status: &str| {
            let mut task = row(
                &PROJECT_TASKS,
                json!({"title": title, "project_id": projects[project].id, "status": status, "due_on": "2026-01-05"}),
            );
            task.titles.insert("project".to_owned(), projects[project].fields["name"].clone());
            task
        };
        let tasks = vec![
            task("Order the signs", 0, "done"),
            task("Order the signs", 0, "todo"),
            task("Pack the archive", 0, "blocked"),
            task("Write the imprint", 1, "todo"),
        ];
        let person = |id: ProfileId, name: &str, email: &str| Member {
            profile_id: id,
            name: name.to_owned(),
            email: email.to_owned(),
            role: Role::Member,
            joined_at: DateTime::UNIX_EPOCH,
        };
        let people =
            vec![person(me, "Ana", "ana@x.org"), person(ProfileId::new(), "Sam Colleague", "sam@x.org")];
        Arc::new(Self {
            shelf: Shelf::default().shared(),
            projects,
            tasks,
            people,
            asked: Default::default(),
        })
    }

    fn tool(self: &Arc<Self>) -> ManageProjects {
        ManageProjects(ProjectStore {
            rows: self.clone(),
            projects: self.clone(),
            effects: self.shelf.clone(),
        })
    }
}

#[async_trait]
impl Rows for Office {
    async fn rows(&self, _: DataScope, kind: &'static Kind, query: RowQuery) -> Result<RowPage> {
        let search = query.search.unwrap_or_default();
        let passes = |row: &&Row| {
            query.filters.iter().all(|filter| match &filter.test {
                Test::Is(value) => row.fields.get(filter.field) == Some(value),
                _ => true,
            })
        };
        let all = if kind == &PROJECTS { &self.projects } else { &self.tasks };
        let rows: Vec<Row> = all
            .iter()
            .filter(passes)
            .filter(|row| {
                baton_core::text::fold(desk::title(kind, row)).contains(&baton_core::text::fold(&search))
            })
            .cloned()
            .collect();
        Ok(RowPage { total: rows.len() as u64, rows, is_counted: true, next_cursor: None })
    }
    async fn row(&self, _: DataScope, kind: &'static Kind, id: uuid::Uuid) -> Result<Row> {
        self.tasks.iter().find(|row| row.id == id).cloned().ok_or(Error::NotFound(kind.one))
    }
    async fn people(&self, _: DataScope) -> Result<Vec<Member>> {
        Ok(self.people.clone())
    }
    async fn change_rows(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        changes: Vec<RowChange>,
    ) -> Written {
        let number = changes.len();
        self.shelf.change_rows(once, scope, author, changes).await?;
        Ok(json!({"changed": number, "rows": []}))
    }
    async fn changes(&self, _: DataScope, _: ChangesOf, _: u64) -> Result<Vec<RecordedChange>> {
        Ok(vec![])
    }
    async fn undo(&self, _: &Once, _: DataScope, _: Author, _: Vec<uuid::Uuid>) -> Written {
        Ok(json!({}))
    }
}

#[async_trait]
impl Projects for Office {
    async fn task_progress(
        &self,
        _: DataScope,
        _: TasksBy,
        _: NaiveDate,
    ) -> Result<Vec<(uuid::Uuid, Progress)>> {
        Ok(vec![(
            self.projects[0].id,
            Progress { todo: 1, blocked: 1, done: 2, overdue: 2, ..Progress::default() },
        )])
    }
    async fn open_tasks(&self, _: DataScope, asked: OpenTasks) -> Result<RowPage> {
        self.asked.lock().expect("asked").push(asked);
        let rows = self.tasks[1..].to_vec();
        Ok(RowPage { rows, total: 7, is_counted: true, next_cursor: None })
    }
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

fn set_up() -> (ToolContext, Arc<Office>) {
    let (context, me) = context();
    (context, Office::open(me))
}

#[test]
fn what_models_see_of_the_tool_is_short_and_valid() {
    let (_, office) = set_up();
    let spec = office.tool().spec();
    assert!(spec.description.chars().count() <= 1_024, "{}", spec.description.chars().count());
    for (parameter, property) in spec.parameters["properties"].as_object().expect("parameters") {
        assert!(!property["description"].as_str().unwrap_or_default().is_empty(), "{parameter}");
    }
    assert_eq!(schema::check_schema(&spec.parameters), Ok(()));
    assert_eq!(schema::check(&spec.parameters, &json!({})), Ok(()));
}

#[test]
fn a_call_says_whether_it_writes() {
    let (_, office) = set_up();
    let (tool, id) = (office.tool(), uuid::Uuid::nil());
    for (arguments, nature) in [
        (json!({}), Nature::READS),
        (json!({"due": "overdue", "assignee": "me", "limit": 5}), Nature::READS),
        (json!({"action": "projects", "status": "active"}), Nature::READS),
        (json!({"action": "members"}), Nature::READS),
        (json!({"action": "changes", "startDate": "2026-01-01"}), Nature::READS),
        (json!({"action": "create_project", "name": "X", "tasks": [{"title": "A"}]}), Nature::WRITES),
        (json!({"action": "change_project", "project": "X", "status": "paused"}), Nature::WRITES),
        (json!({"action": "delete_project", "project": "X"}), Nature::WRITES),
        (json!({"action": "create_tasks", "project": "X", "title": "A", "assignee": "me"}), Nature::WRITES),
        (json!({"action": "change_tasks", "ids": [id], "status": "done"}), Nature::WRITES),
        (json!({"action": "change_tasks", "task": "A", "dueOn": ""}), Nature::WRITES),
        (json!({"action": "delete_tasks", "task": "A"}), Nature::WRITES),
    ] {
        assert_eq!(tool.nature(&map(&arguments)), nature, "{arguments}");
        assert_eq!(tool.check(&map(&arguments)), Ok(()), "{arguments}");
        assert_eq!(schema::check(&tool.spec().parameters, &arguments), Ok(()), "{arguments}");
    }
}

/// Nobody is asked about any of these.
#[test]
fn bad_arguments_are_refused_before_anyone_is_asked() {
    let (_, office) = set_up();
    let (tool, id) = (office.tool(), uuid::Uuid::nil());
    for (arguments, says) in [
        (json!({"action": "burn"}), "must be one of tasks, projects"),
        (json!({"due": "someday"}), "due of tasks must be one of overdue"),
        (json!({"due": "today", "startDate": "2026-01-01"}), "either due"),
        (json!({"startDate": "2026-02-01", "endDate": "2026-01-01"}), "must not be before"),
        (json!({"startDate": "2026-02-30"}), "must be a day"),
        (json!({"status": "paused"}), "status of tasks must be one of open"),
        (json!({"action": "projects", "status": "done"}), "status of projects must be one of planned"),
        (json!({"limit": 0}), "limit must be"),
        (json!({"action": "create_project"}), "name is required"),
        (json!({"action": "create_project", "name": "X", "dueOn": "soon"}), "dueOn must be a day"),
        (json!({"action": "change_project", "project": "X"}), "Nothing would change"),
        (json!({"action": "create_tasks", "title": "A"}), "project is required"),
        (json!({"action": "create_tasks", "project": "X"}), "title is required"),
        (
            json!({"action": "create_tasks", "project": "X", "tasks": [{"dueOn": "2026-01-01"}]}),
            "needs a title",
        ),
        (json!({"action": "create_tasks", "project": "X", "tasks": ["A"]}), "must be a list of"),
        (
            json!({"action": "create_tasks", "project": "X", "title": "A", "tasks": [{"title": "B"}]}),
            "either title",
        ),
        (json!({"action": "change_tasks", "status": "done"}), "Say which task"),
        (json!({"action": "change_tasks", "task": "A", "ids": [id], "status": "done"}), "one way only"),
        (json!({"action": "change_tasks", "task": "A"}), "Nothing would change"),
        (json!({"action": "change_tasks", "task": "A", "status": "open"}), "status must be one of todo"),
        (
            json!({"action": "change_tasks", "ids": [id, uuid::Uuid::max()], "title": "B"}),
            "title is for one task",
        ),
        (json!({"action": "delete_tasks", "ids": ["7"]}), "ids must be"),
    ] {
        let said = tool.check(&map(&arguments)).expect_err(&arguments.to_string()).0;
        assert!(said.contains(says), "{arguments}: {said}");
    }
}

#[tokio::test]
async fn nobody_gets_more_than_their_person_may() {
    let (mut context, office) = set_up();
    let tool = office.tool();
    let refused = async |context: &ToolContext, arguments: Value| {
        tool.call(context, map(&arguments)).await.expect_err("a refusal").0
    };
    context.areas = Areas::WRITE.with(Area::Projects, AreaAccess::None);
    assert!(refused(&context, json!({})).await.contains("may not see data of the area projects"));
    context.areas = Areas::WRITE.with(Area::Projects, AreaAccess::Read);
    let writing = json!({"action": "create_project", "name": "X"});
    assert!(refused(&context, writing.clone()).await.contains("may not change"));
    assert_eq!(tool.preview(&context, &map(&writing)).await, None);
    tool.call(&context, map(&json!({}))).await.expect("reading is allowed");
    context.areas = Areas::WRITE;
    context.person = Person::Visitor(VisitorId::new());
    assert!(refused(&context, json!({})).await.contains("signed in"));
}

#[tokio::test]
async fn names_that_mean_nothing_are_answered_with_what_there_is() {
    let (context, office) = set_up();
    let tool = office.tool();
    for (arguments, says) in [
        (json!({"project": "Garden"}), "There are Office move, Website"),
        (json!({"assignee": "Kim"}), "There are Ana, Sam Colleague"),
        (
            json!({"action": "create_project", "name": "office MOVE"}),
            "There is a project \"Office move\" already",
        ),
        (json!({"action": "change_tasks", "task": "Paint", "status": "done"}), "There is no task \"Paint\""),
        (json!({"action": "change_tasks", "task": "the", "status": "done"}), "more than one task"),
    ] {
        let said = tool.call(&context, map(&arguments)).await.expect_err(&arguments.to_string()).0;
        assert!(said.contains(says), "{arguments}: {said}");
    }
}

#[tokio::test]
async fn what_is_late_is_said_and_what_is_left_off_too() {
    let (context, office) = set_up();
    let tool = office.tool();
    let told =
        tool.call(&context, map(&json!({"assignee": "ME", "due": "overdue"}))).await.expect("tasks").value;
    let said = told["answer"].as_str().expect("a sentence");
    assert!(
        said.starts_with("7 overdue tasks: \"Order the signs\" (Office move, due 2026-01-05, "),
        "{said}"
    );
    assert!(told["more"].as_str().expect("more").starts_with("4 more: narrow by"), "{told}");
    assert!(told["tasks"][0]["daysLate"].as_i64().expect("days") > 300);
    let asked = office.asked.lock().expect("asked").pop().expect("a question");
    let today = baton_core::days::today(chrono::Utc::now(), &context.time_zone);
    assert_eq!(asked.due, Due::Within(None, today.pred_opt()), "today is not late yet");
    assert_eq!(
        asked.assignee,
        Some(baton_core::data::projects::Assignee::Person(office.people[0].profile_id.0))
    );
    let told = tool.call(&context, map(&json!({"action": "projects"}))).await.expect("projects").value;
    let said = told["answer"].as_str().expect("a sentence");
    assert!(said.contains("Office move (active, 50 % of 4 tasks done, 2 overdue, 1 blocked)"), "{said}");
}

#[tokio::test]
async fn a_write_is_what_its_preview_says() {
    let (context, office) = set_up();
    let tool = office.tool();
    // The one that is done is not meant.
    let arguments = map(&json!({
        "action": "change_tasks", "task": "order the signs", "status": "blocked", "assignee": "sam@x.org",
        "blockedReason": "no budget", "moveTo": "Website",
    }));
    let preview = tool.preview(&context, &arguments).await.expect("a preview");
    assert_eq!(preview.sentence, "Change the task Order the signs (Office move).");
    let shown: Vec<(&str, Option<&str>, Option<&str>)> =
        preview.changes.iter().map(|it| (it.field.as_str(), it.old.as_deref(), it.new.as_deref())).collect();
    assert_eq!(
        shown,
        [
            ("Project", Some("Office move"), Some("Website")),
            ("Status", Some("todo"), Some("blocked")),
            ("Assignee", None, Some("Sam Colleague")),
            ("Blocked by", None, Some("no budget")),
        ]
    );
    assert!(office.shelf.changed.lock().expect("changed").is_empty(), "a preview changes nothing");
    let answer = tool.call(&context, arguments).await.expect("an answer").value;
    assert_eq!(answer["answer"], "The task Order the signs is changed.");
    let (author, changes) = office.shelf.changed.lock().expect("changed").pop().expect("a write");
    assert_eq!(author.agent.expect("an agent").seq, 7);
    let Change::Set { id, seen, fields } = &changes[0].change else { panic!("{changes:?}") };
    assert_eq!((*id, *seen), (office.tasks[1].id, Some(3)));
    assert_eq!(fields["project_id"], json!(office.projects[1].id));
    assert_eq!(fields["assignee_id"], json!(office.people[1].profile_id));
}

#[tokio::test]
async fn a_plan_is_one_write_and_its_subtasks_find_their_tasks() {
    let (context, office) = set_up();
    let tool = office.tool();
    let arguments = map(&json!({
        "action": "create_project", "name": "Fair", "lead": "me", "dueOn": "2026-05-01",
        "tasks": [
            {"title": "Book the stand", "assignee": "Sam", "dueOn": "2026-02-01", "priority": "high"},
            {"title": "Ask for prices", "parent": "Book the stand", "status": "in_progress"},
        ],
    }));
    let preview = tool.preview(&context, &arguments).await.expect("a preview");
    assert_eq!(preview.sentence, "Make the project Fair, with 2 tasks.");
    let shown: Vec<&str> = preview.changes.iter().filter_map(|change| change.new.as_deref()).collect();
    assert_eq!(
        shown,
        [
            "Fair",
            "Ana",
            "2026-05-01",
            "Book the stand (Sam Colleague, 2026-02-01, high)",
            "Ask for prices (in_progress)"
        ]
    );
    let answer = tool.call(&context, arguments).await.expect("an answer").value;
    assert_eq!(answer["answer"], "The project Fair is made, with 2 tasks.");
    let (_, changes) = office.shelf.changed.lock().expect("changed").pop().expect("a write");
    let made: Vec<(uuid::Uuid, &Map<String, Value>)> = changes
        .iter()
        .map(|change| match &change.change {
            Change::Create { id, fields } => (*id, fields),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(made.len(), 3);
    assert_eq!((&made[1].1["project_id"], &made[2].1["parent_id"]), (&json!(made[0].0), &json!(made[1].0)));
}
