//! The demo workspace's projects: some tasks are late and some blocked, whenever it is made.

use baton_core::data::areas::Areas;
use baton_core::data::check::Fields;
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{PROJECT_TASKS, PROJECTS};
use baton_core::data::rows::{Author, Change, DataScope, Once, RowChange};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::people::Profile;
use chrono::{Days, NaiveDate, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::App;
use crate::imports::named_id;

/// Days are counted from the day on which the demo is made.
struct Sample {
    name: &'static str,
    status: &'static str,
    description: &'static str,
    led_by: Who,
    starts: i64,
    due: Option<i64>,
    tasks: &'static [Task],
}

#[derive(Clone, Copy, PartialEq)]
enum Who {
    Robin,
    Sam,
    Nobody,
}

/// Title, the task above it, state, who, due.
type Task = (&'static str, Option<&'static str>, State, Who, Option<i64>);

#[derive(Clone, Copy)]
enum State {
    Todo,
    Urgent,
    Started,
    Blocked(&'static str),
    /// So many days ago.
    Done(i64),
}

use State::{Blocked, Done, Started, Todo, Urgent};
use Who::{Nobody, Robin, Sam};

const SAMPLES: [Sample; 5] = [
    Sample {
        name: "Website relaunch",
        status: "active",
        description: "The new site goes live. Nothing that is linked from elsewhere may break.",
        led_by: Robin,
        starts: -42,
        due: Some(24),
        tasks: &[
            ("Collect the old addresses", None, Done(20), Sam, Some(-18)),
            ("Choose the pages to keep", None, Done(12), Robin, Some(-10)),
            ("Write the redirects", None, Started, Sam, Some(-3)),
            ("Redirect the shop", Some("Write the redirects"), Todo, Sam, Some(-1)),
            ("Redirect the news", Some("Write the redirects"), Done(2), Sam, Some(-4)),
            ("Freeze the content", None, Todo, Robin, Some(4)),
            ("Translate the start page", None, Blocked("the final text from marketing"), Sam, Some(1)),
            ("Check the site on phones", None, Todo, Nobody, Some(9)),
            ("Legal look at imprint and privacy", None, Urgent, Robin, Some(2)),
            ("Tell customers about the new site", None, Todo, Robin, Some(22)),
            ("Measure how fast pages load", None, Todo, Nobody, None),
        ],
    },
    Sample {
        name: "Office move",
        status: "active",
        description: "From the old floor to the new one, over one weekend.",
        led_by: Sam,
        starts: -25,
        due: Some(11),
        tasks: &[
            ("Sign the lease", None, Done(15), Robin, Some(-14)),
            ("Order the signs", None, Todo, Sam, Some(-6)),
            ("Book the movers", None, Urgent, Sam, Some(0)),
            ("Get three offers", Some("Book the movers"), Done(5), Sam, Some(-5)),
            ("Move the internet line", None, Blocked("the date from the provider"), Robin, Some(-2)),
            ("Pack the archive", None, Todo, Nobody, Some(8)),
            ("Change the address everywhere", None, Todo, Robin, Some(12)),
            ("Bank", Some("Change the address everywhere"), Todo, Robin, Some(12)),
            ("Tax office", Some("Change the address everywhere"), Todo, Robin, Some(12)),
            ("Suppliers", Some("Change the address everywhere"), Todo, Sam, Some(12)),
        ],
    },
    Sample {
        name: "Fleet",
        status: "active",
        description: "Appointments and deadlines of our vehicles.",
        led_by: Sam,
        starts: -90,
        due: None,
        tasks: &[
            ("Winter tyres for the van", None, Done(9), Sam, Some(-9)),
            ("Inspection of B-AT 204", None, Todo, Sam, Some(6)),
            (
                "Renew the insurance of the estate car",
                None,
                Blocked("the offer of the second insurer"),
                Robin,
                Some(13),
            ),
            ("Repair the mirror of the van", None, Todo, Sam, Some(-1)),
        ],
    },
    Sample {
        name: "Customer survey",
        status: "planned",
        description: "What do customers miss? Ten questions, not more.",
        led_by: Robin,
        starts: 14,
        due: Some(60),
        tasks: &[
            ("Draft the questions", None, Todo, Robin, Some(21)),
            ("Choose whom to ask", None, Todo, Sam, Some(28)),
        ],
    },
    Sample {
        name: "Trade fair",
        status: "completed",
        description: "Our stand in spring.",
        led_by: Robin,
        starts: -150,
        due: Some(-60),
        tasks: &[
            ("Book the stand", None, Done(130), Robin, Some(-128)),
            ("Print the flyers", None, Done(75), Sam, Some(-70)),
            ("Thank the visitors", None, Done(58), Sam, Some(-60)),
            ("Write down what we learned", None, Todo, Robin, Some(-50)),
        ],
    },
];

pub async fn seed(
    app: &App,
    workspace_id: WorkspaceId,
    owner: &Profile,
    colleague: Option<ProfileId>,
) -> anyhow::Result<()> {
    let seeding = Seeding { workspace_id, today: Utc::now().date_naive(), robin: owner.id, sam: colleague };
    let scope = DataScope { workspace_id, areas: Areas::WRITE };
    let author = Author { profile_id: owner.id, agent: None };
    for sample in &SAMPLES {
        // A start that was cut short has made it.
        if app.store.row(scope, &PROJECTS, seeding.id(&PROJECTS, sample.name)).await.is_ok() {
            continue;
        }
        let made = app.store.change_rows(&Once::Unkeyed, scope, author, seeding.rows(sample)).await;
        made.map_err(|refused| anyhow::anyhow!("the demo's projects: {refused}"))?;
    }
    Ok(())
}

struct Seeding {
    workspace_id: WorkspaceId,
    today: NaiveDate,
    robin: ProfileId,
    sam: Option<ProfileId>,
}

impl Seeding {
    fn id(&self, kind: &Kind, name: &str) -> Uuid {
        named_id(&[self.workspace_id.0.as_bytes(), b"demo", kind.name.as_bytes(), name.as_bytes()])
    }

    fn day(&self, away: i64) -> NaiveDate {
        let days = Days::new(away.unsigned_abs());
        if away < 0 { self.today - days } else { self.today + days }
    }

    fn person(&self, who: Who) -> Option<ProfileId> {
        match who {
            Robin => Some(self.robin),
            Sam => self.sam,
            Nobody => None,
        }
    }

    fn rows(&self, sample: &Sample) -> Vec<RowChange> {
        let project = self.id(&PROJECTS, sample.name);
        let fields = json!({
            "name": sample.name, "status": sample.status, "description": sample.description,
            "lead_id": self.person(sample.led_by), "starts_on": self.day(sample.starts),
            "due_on": sample.due.map(|due| self.day(due)),
        });
        let mut rows = vec![new(&PROJECTS, project, fields)];
        let id = |title: &str| self.id(&PROJECT_TASKS, &format!("{}/{title}", sample.name));
        for &(title, parent, state, who, due) in sample.tasks {
            let (status, priority) = match state {
                Todo => ("todo", "normal"),
                Urgent => ("todo", "urgent"),
                Started => ("in_progress", "high"),
                Blocked(_) => ("blocked", "normal"),
                Done(_) => ("done", "normal"),
            };
            let reason = if let Blocked(reason) = state { Some(reason) } else { None };
            let done = if let Done(ago) = state { Some(self.day(-ago)) } else { None };
            let fields = json!({
                "title": title, "project_id": project, "parent_id": parent.map(id), "status": status,
                "priority": priority, "assignee_id": self.person(who), "due_on": due.map(|due| self.day(due)),
                "blocked_reason": reason, "completed_on": done,
            });
            rows.push(new(&PROJECT_TASKS, id(title), fields));
        }
        rows
    }
}

fn new(kind: &'static Kind, id: Uuid, fields: Value) -> RowChange {
    let fields: Fields = fields.as_object().cloned().unwrap_or_default();
    RowChange { kind, change: Change::Create { id, fields } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_late_and_something_is_blocked_in_what_is_open() {
        let open = SAMPLES.iter().filter(|sample| sample.status == "active");
        let tasks: Vec<&Task> = open.flat_map(|sample| sample.tasks).collect();
        let is_done = |task: &Task| matches!(task.2, Done(_));
        let late = tasks.iter().filter(|task| !is_done(task) && task.4.is_some_and(|due| due < 0)).count();
        let blocked = tasks.iter().filter(|task| matches!(task.2, Blocked(_))).count();
        assert!(late >= 4 && blocked >= 3, "{late} late, {blocked} blocked");
        for sample in &SAMPLES {
            for (title, parent, ..) in sample.tasks {
                let is_above = |task: &Task| Some(task.0) == *parent;
                assert!(parent.is_none() || sample.tasks.iter().any(is_above), "{title}");
            }
        }
    }
}
