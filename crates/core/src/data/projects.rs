//! What holds for the tasks of projects, whoever changes them, and what is asked of them. Pure.

use chrono::NaiveDate;
use serde_json::Value;
use uuid::Uuid;

use super::check::Fields;
use super::kind::{Field, FieldType, Kind};
use super::kinds::PROJECTS;
use super::kinds::task_headers as headers;
use crate::text::{self, Invalid};

/// How many levels of subtasks there can be.
pub const MAX_LEVELS: usize = 10;
/// Positions are between this below and above zero: exact also where numbers are floating.
pub const PLACES: i64 = 1 << 52;
/// Between two neighbours: a card fits between them some thirty times in a row.
pub const STEP: i64 = 1 << 32;

/// What the status of a task says, and what goes with it, agree: a task that is done has the day on which it became so, and
/// only a blocked one has a reason. Who gives the day or the reason of a new task need not say its status.
pub fn complete_task(before: Option<&Fields>, after: &mut Fields, today: NaiveDate) -> Result<(), Invalid> {
    let is = |fields: &Fields, status: &str| fields.get("status").and_then(Value::as_str) == Some(status);
    let has = |fields: &Fields, name: &str| fields.get(name).is_some_and(|value| !value.is_null());
    let is_given = |after: &Fields, name: &str| {
        before.is_none_or(|before| before.get(name) != after.get(name)) && has(after, name)
    };
    for (name, status, only) in [
        ("completed_on", "done", "is only for tasks that are done"),
        ("blocked_reason", "blocked", "is only for tasks that are blocked: set the status to blocked too"),
    ] {
        if is(after, status) || !has(after, name) {
            continue;
        }
        let stays = before.is_some_and(|before| before.get("status") == after.get("status"));
        match is_given(after, name) {
            // The status that a task has unless someone says another.
            true if stays || (before.is_none() && is(after, "todo")) => {
                after.insert("status".to_owned(), status.into());
            }
            true => return Err(Invalid::new(name, only)),
            false => drop(after.insert(name.to_owned(), Value::Null)),
        }
    }
    if is(after, "done") && !has(after, "completed_on") {
        after.insert("completed_on".to_owned(), today.to_string().into());
    }
    Ok(())
}

/// The most that are still to be done and told at once.
pub const MOST_OPEN: u64 = 2_000;

/// How tasks are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TasksBy {
    Project,
    /// Those of projects that are neither completed nor cancelled, by who does them.
    Assignee,
}

/// How many tasks are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub todo: u64,
    pub in_progress: u64,
    pub blocked: u64,
    pub done: u64,
    /// Of those that are not done, the ones whose day is past.
    pub overdue: u64,
    /// The first day on which one of those that are not done is due.
    pub next_due_on: Option<NaiveDate>,
}

impl Progress {
    pub fn open(&self) -> u64 {
        self.todo + self.in_progress + self.blocked
    }

    pub fn all(&self) -> u64 {
        self.open() + self.done
    }

    /// None: it has no tasks.
    pub fn percent(&self) -> Option<u64> {
        (self.done * 100).checked_div(self.all())
    }
}

/// Which tasks are asked for, of those that are not done and whose project is neither completed nor cancelled.
#[derive(Debug, Clone, Default)]
pub struct OpenTasks {
    /// Of this project, whatever its status.
    pub project: Option<Uuid>,
    /// Subtasks of this task, whatever its project's status.
    pub parent: Option<Uuid>,
    /// None: of anyone.
    pub assignee: Option<Assignee>,
    /// Empty: any but done.
    pub statuses: Vec<String>,
    pub priority: Option<String>,
    pub due: Due,
    pub search: Option<String>,
    pub limit: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Due {
    #[default]
    Whenever,
    /// On no day.
    Never,
    /// From this day on, until that one; open at an end that is left out.
    Within(Option<NaiveDate>, Option<NaiveDate>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignee {
    Person(Uuid),
    Nobody,
}

/// Where a row stands after the last one of its column.
pub fn place_after(last: Option<i64>) -> i64 {
    last.map_or(0, |last| last.saturating_add(STEP).min(PLACES))
}

/// The choice that a word of a file means, in this program's words or another's.
pub fn choice_of(kind: &Kind, field: &Field, word: &str) -> Option<&'static str> {
    let FieldType::Choice(choices) = field.of else { return None };
    let plain = |word: &str| text::fold(word).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let word = plain(word);
    let others = match field.name {
        "status" if kind == &PROJECTS => headers::PROJECT_STATUS_WORDS,
        "status" => headers::STATUS_WORDS,
        "priority" => headers::PRIORITY_WORDS,
        _ => &[],
    };
    let is_meant = |choice: &&str| {
        let words = others.iter().find(|(own, _)| own == choice).map(|(_, words)| *words).unwrap_or_default();
        plain(choice) == word || words.contains(&word.as_str())
    };
    choices.iter().copied().find(|choice| is_meant(choice))
}

#[cfg(test)]
mod tests;
