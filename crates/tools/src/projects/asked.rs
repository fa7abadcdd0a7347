//! What a call asks for. Names are still names: what they mean is looked up when it is carried out.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{FieldType, Kind};
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::tools::ToolFailure;
use baton_core::words;
use chrono::NaiveDate;
use serde_json::Value;
use uuid::Uuid;

use crate::arguments::{action, required, text};
use crate::finance::arguments::{self as shared, Arguments, day, failure};
use crate::finance::fields::{self, LeftOut};

words! {
    /// What a call can do.
    Act {
        Tasks => "tasks",
        Projects => "projects",
        Members => "members",
        Changes => "changes",
        CreateProject => "create_project",
        ChangeProject => "change_project",
        DeleteProject => "delete_project",
        CreateTasks => "create_tasks",
        ChangeTasks => "change_tasks",
        DeleteTasks => "delete_tasks",
    }
}

impl Act {
    pub fn of(arguments: &Arguments) -> Result<Self, ToolFailure> {
        Ok(action(arguments, Self::WORDS)?.unwrap_or(Self::Tasks))
    }

    pub fn reads(self) -> bool {
        matches!(self, Self::Tasks | Self::Projects | Self::Members | Self::Changes)
    }
}

/// Those that a list can be narrowed to.
pub const TASK_STATUSES: [&str; 6] = ["open", "todo", "in_progress", "blocked", "done", "any"];
pub const DUE: [&str; 6] = ["overdue", "today", "this_week", "next_week", "soon", "no_date"];
/// What no call sets of a task, and why.
pub const NOT_OF_TASKS: LeftOut = &[
    ("project_id", "a new task is made in the project of the call, and moveTo moves others"),
    ("completed_on", "its status says it"),
    ("position", "where a card stands on the board is chosen by dragging it"),
];
/// The same of a project.
pub const NOT_OF_PROJECTS: LeftOut = &[];
/// What is given by name, and looked up.
const BY_NAME: [&str; 3] = ["parent_id", "assignee_id", "lead_id"];

/// The fields of tasks that a call sets.
pub fn task_fields() -> Vec<&'static str> {
    fields::settable(&PROJECT_TASKS, NOT_OF_TASKS)
}

pub fn project_fields() -> Vec<&'static str> {
    fields::settable(&PROJECTS, NOT_OF_PROJECTS)
}

/// The most tasks that one call makes, changes or deletes.
pub const MOST_NEW: usize = 50;
pub const MOST_IDS: usize = shared::MOST_IDS;

pub enum Action {
    Tasks(Asked),
    Projects { status: Option<String>, search: Option<String>, lead: Option<String>, limit: usize },
    Members,
    Changes { since: Option<NaiveDate>, project: Option<String>, limit: usize },
    CreateProject { fields: Given, tasks: Vec<Given> },
    ChangeProject { project: String, fields: Given },
    DeleteProject { project: String },
    CreateTasks { project: String, tasks: Vec<Given> },
    ChangeTasks { which: Which, fields: Given },
    DeleteTasks { which: Which },
}

/// Which tasks are listed.
pub struct Asked {
    pub project: Option<String>,
    pub parent: Option<String>,
    pub assignee: Option<String>,
    pub status: String,
    pub due: Option<String>,
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    pub priority: Option<String>,
    pub search: Option<String>,
    pub limit: usize,
}

/// Which tasks are changed.
pub enum Which {
    Named { task: String, project: Option<String> },
    Ids(Vec<Uuid>),
}

/// What is set: fields as rows hold them, and names of what they refer to. An inner `None` takes away what is there.
#[derive(Debug, Clone, Default)]
pub struct Given {
    pub plain: Fields,
    /// The lead of a project, the assignee of a task.
    pub person: Option<Option<String>>,
    pub parent: Option<Option<String>>,
    pub move_to: Option<String>,
}

impl Given {
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.person.is_none() && self.parent.is_none() && self.move_to.is_none()
    }

    pub fn title(&self, kind: &Kind) -> &str {
        self.plain.get(kind.title).and_then(Value::as_str).unwrap_or_default()
    }
}

/// The words that a field can be.
pub fn choices(kind: &'static Kind, field: &str) -> Vec<&'static str> {
    match kind.field(field).map(|field| field.of) {
        Some(FieldType::Choice(choices)) => choices.to_vec(),
        _ => Vec::new(),
    }
}

impl Action {
    pub fn read(arguments: &Arguments) -> Result<Self, ToolFailure> {
        let own = |name: &str| Ok::<_, ToolFailure>(text(arguments, name)?.map(str::to_owned));
        let limit = shared::limit(arguments)?;
        match Act::of(arguments)? {
            Act::Tasks => Ok(Self::Tasks(Asked::read(arguments, limit)?)),
            Act::Projects => {
                let status = own("status")?;
                let all = choices(&PROJECTS, "status");
                if status.as_deref().is_some_and(|status| !all.contains(&status) && status != "any") {
                    return Err(failure(format!("status of projects must be one of {}.", all.join(", "))));
                }
                let status = status.filter(|status| status != "any");
                Ok(Self::Projects { status, search: own("search")?, lead: own("lead")?, limit })
            }
            Act::Members => Ok(Self::Members),
            Act::Changes => {
                Ok(Self::Changes { since: day(arguments, "startDate")?, project: own("project")?, limit })
            }
            Act::CreateProject => {
                required(arguments, "name")?;
                let fields = given(arguments, &PROJECTS, Some("lead"))?;
                Ok(Self::CreateProject { fields, tasks: new_tasks(arguments, false)? })
            }
            Act::ChangeProject => {
                let project = required(arguments, "project")?.to_owned();
                let fields = given(arguments, &PROJECTS, Some("lead"))?;
                some(&fields, "project")?;
                Ok(Self::ChangeProject { project, fields })
            }
            Act::DeleteProject => {
                Ok(Self::DeleteProject { project: required(arguments, "project")?.to_owned() })
            }
            Act::CreateTasks => {
                let project = required(arguments, "project")?.to_owned();
                Ok(Self::CreateTasks { project, tasks: new_tasks(arguments, true)? })
            }
            Act::ChangeTasks => {
                let which = Which::read(arguments)?;
                let mut fields = given(arguments, &PROJECT_TASKS, Some("assignee"))?;
                fields.move_to = own("moveTo")?;
                if matches!(&which, Which::Ids(ids) if ids.len() > 1) && fields.plain.contains_key("title") {
                    return Err(failure("title is for one task: several would have the same."));
                }
                some(&fields, "tasks")?;
                Ok(Self::ChangeTasks { which, fields })
            }
            Act::DeleteTasks => Ok(Self::DeleteTasks { which: Which::read(arguments)? }),
        }
    }
}

fn some(fields: &Given, what: &str) -> Result<(), ToolFailure> {
    match fields.is_empty() {
        true => Err(failure(format!("Nothing would change: say what of the {what} should become what."))),
        false => Ok(()),
    }
}

impl Asked {
    fn read(arguments: &Arguments, limit: usize) -> Result<Self, ToolFailure> {
        let own = |name: &str| Ok::<_, ToolFailure>(text(arguments, name)?.map(str::to_owned));
        let one_of = |name: &str, all: &[&str]| match text(arguments, name)? {
            Some(word) if !all.contains(&word) => {
                Err(failure(format!("{name} of tasks must be one of {}.", all.join(", "))))
            }
            word => Ok(word.map(str::to_owned)),
        };
        let (from, to) = (day(arguments, "startDate")?, day(arguments, "endDate")?);
        let due = one_of("due", &DUE)?;
        if due.is_some() && (from.is_some() || to.is_some()) {
            return Err(failure("Give either due, or startDate and endDate."));
        }
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            return Err(failure("endDate must not be before startDate."));
        }
        Ok(Self {
            project: own("project")?,
            parent: own("task")?,
            assignee: own("assignee")?,
            status: one_of("status", &TASK_STATUSES)?.unwrap_or("open".to_owned()),
            due,
            from,
            to,
            priority: one_of("priority", &choices(&PROJECT_TASKS, "priority"))?,
            search: own("search")?,
            limit,
        })
    }
}

impl Which {
    fn read(arguments: &Arguments) -> Result<Self, ToolFailure> {
        let ids = shared::ids(arguments, "ids")?;
        let project = text(arguments, "project")?.map(str::to_owned);
        match (text(arguments, "task")?, ids.is_empty()) {
            (Some(task), true) => Ok(Self::Named { task: task.to_owned(), project }),
            (None, false) => Ok(Self::Ids(ids)),
            (None, true) => Err(failure("Say which task: its title or id as task, or several ids.")),
            (Some(_), false) => Err(failure("Say which tasks in one way only: task, or ids.")),
        }
    }
}

/// The tasks of a call: a list, or one alone.
fn new_tasks(arguments: &Arguments, are_required: bool) -> Result<Vec<Given>, ToolFailure> {
    let wrong = || failure("tasks must be a list of {title, assignee, dueOn, …}.");
    let given_list = match arguments.get("tasks") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(tasks)) => tasks.iter().collect(),
        Some(_) => return Err(wrong()),
    };
    if given_list.len() > MOST_NEW {
        return Err(failure(format!("tasks must be at most {MOST_NEW}: make the rest in another call.")));
    }
    if given_list.is_empty() {
        return match are_required {
            true => {
                required(arguments, "title")?;
                Ok(vec![new_task(arguments)?])
            }
            false => Ok(Vec::new()),
        };
    }
    if are_required && text(arguments, "title")?.is_some() {
        return Err(failure("Give either title, for one task, or tasks."));
    }
    let one = |task: &Value| new_task(task.as_object().ok_or_else(wrong)?);
    given_list.into_iter().map(one).collect()
}

fn new_task(arguments: &Arguments) -> Result<Given, ToolFailure> {
    required(arguments, "title").map_err(|_| failure("Each task needs a title."))?;
    let mut fields = given(arguments, &PROJECT_TASKS, Some("assignee"))?;
    // Nothing is there that could be taken away.
    fields.plain.retain(|_, value| !value.is_null());
    Ok(fields)
}

/// What the arguments set, in canonical form. Empty text takes away what is there.
fn given(arguments: &Arguments, kind: &'static Kind, person: Option<&str>) -> Result<Given, ToolFailure> {
    let mut names = if kind == &PROJECTS { project_fields() } else { task_fields() };
    names.retain(|name| !BY_NAME.contains(name));
    fields::check(kind, &names, arguments)?;
    let mut given = Given::default();
    for field in names.iter().filter_map(|name| kind.field(name)) {
        let name = fields::parameter(field);
        if arguments.get(&name).is_none_or(Value::is_null) {
            continue;
        }
        let value = match field.of {
            FieldType::Number { .. } => arguments[&name].clone(),
            FieldType::Flag => shared::flag(arguments, &name)?.into(),
            _ => text(arguments, &name)?.map_or(Value::Null, Value::from),
        };
        let one = Fields::from_iter([(field.name.to_owned(), value)]);
        let checked = check::changed(kind, &Fields::new(), &one);
        let checked = checked.map_err(|invalid| failure(format!("{name} {}.", invalid.message)))?;
        given.plain.extend(checked);
    }
    let name_of = |name: &str| match arguments.get(name) {
        None | Some(Value::Null) => Ok::<_, ToolFailure>(None),
        Some(_) => Ok(Some(text(arguments, name)?.map(str::to_owned))),
    };
    if let Some(person) = person {
        given.person = name_of(person)?;
    }
    if kind == &PROJECT_TASKS {
        given.parent = name_of("parent")?;
    }
    Ok(given)
}
