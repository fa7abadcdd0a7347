//! The kinds of the area projects. Headers that other programs' files have are their synonyms.

use super::money::{by, day, name, notes};
use super::task_headers as headers;
use crate::data::areas::Area;
use crate::data::kind::Presence::Default;
use crate::data::kind::{Direction, Field, FieldType, Kind};
use crate::data::projects::PLACES;

const TEXT: usize = 10_000;

const fn description() -> Field {
    Field::new("description", "Description", FieldType::Prose { max: TEXT }).searched()
}

const fn member(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, FieldType::Member).filtered()
}

pub static PROJECTS: Kind = Kind {
    name: "projects",
    one: "project",
    label: "Projects",
    area: Area::Projects,
    title: "name",
    order: by("name", Direction::Rising),
    keeps_deleted: true,
    most: 5_000,
    fields: &[
        name().synonyms(headers::PROJECT),
        description().synonyms(headers::DESCRIPTION),
        Field::new(
            "status",
            "Status",
            FieldType::Choice(&["planned", "active", "paused", "completed", "cancelled"]),
        )
        .presence(Default("\"active\""))
        .sorted()
        .filtered(),
        member("lead_id", "Lead").about("Who leads the project").synonyms(headers::LEAD),
        day("starts_on", "From").synonyms(headers::STARTS_ON),
        day("due_on", "Due").synonyms(headers::DUE_ON),
        notes(),
    ],
};

pub static PROJECT_TASKS: Kind = Kind {
    name: "project_tasks",
    one: "project task",
    label: "Project tasks",
    area: Area::Projects,
    title: "title",
    order: by("position", Direction::Rising),
    keeps_deleted: true,
    most: 100_000,
    fields: &[
        Field::line("title", "Title", 300).required().searched().sorted().synonyms(headers::TITLE),
        Field::new("project_id", "Project", FieldType::Reference("projects"))
            .required()
            .filtered()
            .synonyms(headers::PROJECT),
        Field::new("parent_id", "Parent task", FieldType::Reference("project_tasks"))
            .about("The task that this one is a part of, in the same project")
            .filtered()
            .synonyms(headers::PARENT),
        description().synonyms(headers::DESCRIPTION),
        Field::new("status", "Status", FieldType::Choice(&["todo", "in_progress", "blocked", "done"]))
            .presence(Default("\"todo\""))
            .sorted()
            .filtered()
            .synonyms(headers::STATUS),
        member("assignee_id", "Assignee").about("Who does it").synonyms(headers::ASSIGNEE),
        day("due_on", "Due").synonyms(headers::DUE_ON),
        Field::new("priority", "Priority", FieldType::Choice(&["low", "normal", "high", "urgent"]))
            .presence(Default("\"normal\""))
            .filtered()
            .synonyms(headers::PRIORITY),
        Field::line("blocked_reason", "Blocked by", 500)
            .about("What a blocked task waits for; it goes when the task is no longer blocked")
            .searched()
            .synonyms(headers::BLOCKED_REASON),
        day("completed_on", "Done on")
            .about("Set when the task is done, to the day it became so unless another is given; null while it is not")
            .synonyms(headers::COMPLETED_ON),
        Field::new("position", "Position", FieldType::Number { least: -PLACES, most: PLACES })
            .about("Orders the tasks of one status; left out: after all others")
            .sorted(),
    ],
};
