//! What a call asks for.

use baton_core::tools::ToolFailure;
use baton_core::words;
use chrono::NaiveDate;
use serde_json::{Value, json};

use super::record::Record;
use super::{View, fields};
use crate::arguments::{action, required, text};
use crate::finance::arguments::{Arguments, day, failure, limit, limit_property};
use crate::finance::fields::{named, object};

pub enum Action {
    Read(Read),
    Write(Write),
}

pub enum Read {
    /// Leads, opportunities and tasks in numbers.
    Overview,
    List(Asked),
    Pipeline(Asked),
    History {
        record: Record,
        which: String,
        limit: usize,
    },
}

/// A change; its fields are read when it is planned.
pub enum Write {
    Create(Record),
    Change { record: Record, which: String },
    Delete { record: Record, which: String },
    Merge { kept: String, merged: String },
}

type Days = (Option<NaiveDate>, Option<NaiveDate>);

/// Which records are meant.
pub struct Asked {
    pub record: Record,
    /// The first day and the last; open at an end that was left out.
    pub days: Option<Days>,
    pub search: Option<String>,
    pub status: Option<String>,
    pub stage: Option<String>,
    pub of_type: Option<String>,
    pub owner: Option<String>,
    pub company: Option<String>,
    pub contact: Option<String>,
    pub deal: Option<String>,
    pub limit: usize,
}

words! {
    /// What a call of either tool can do.
    Act {
        List => "list",
        Pipeline => "pipeline",
        History => "history",
        Create => "create",
        Change => "change",
        Delete => "delete",
        Merge => "merge",
    }
}

impl Act {
    pub fn reads(self) -> bool {
        matches!(self, Self::List | Self::Pipeline | Self::History)
    }

    /// What is asked of a tool; `list` if it is left out.
    pub fn of(view: View, arguments: &Arguments) -> Result<Self, ToolFailure> {
        let names: Vec<&str> = actions(view).iter().map(|(act, _)| act.as_str()).collect();
        let given: Option<Self> = action(arguments, &names)?;
        let act = given.unwrap_or(Self::List);
        match names.contains(&act.as_str()) {
            true => Ok(act),
            false => {
                let (act, all) = (act.as_str(), names.join(", "));
                Err(failure(format!("There is no action {act:?}: it must be one of {all}.")))
            }
        }
    }
}

/// The actions of a tool, each with what it does.
fn actions(view: View) -> &'static [(Act, &'static str)] {
    match view {
        View::Crm => &[
            (Act::List, "records that fit; without a record, an overview of all."),
            (Act::Create, "a lead needs name, an opportunity name, a task subject and dueOn."),
            (
                Act::Change,
                "set fields of which; status done completes a task, won or lost closes an opportunity.",
            ),
            (Act::Delete, "remove which."),
        ],
        View::Sales => &[
            (Act::List, "records that fit."),
            (Act::Pipeline, "sums of deals by stage and currency, and what was won and lost in the period."),
            (
                Act::History,
                "all that happened with the contact, or the stages of the deal, that which names.",
            ),
            (Act::Create, "a deal, contact or company needs name, an activity subject."),
            (Act::Change, "set fields of which."),
            (Act::Delete, "remove which."),
            (Act::Merge, "the contact other becomes part of the contact which."),
        ],
    }
}

impl Action {
    pub fn read(view: View, arguments: &Arguments) -> Result<Self, ToolFailure> {
        let act = Act::of(view, arguments)?;
        let record = record(view, arguments)?;
        if let Some(record) = record.or((view == View::Sales).then_some(Record::Deal)) {
            fields::check(record, arguments)?;
        }
        let which = || required(arguments, "which").map(str::to_owned);
        let must = || {
            let words: Vec<&str> = Record::of(view).iter().map(|record| record.as_str()).collect();
            record.ok_or_else(|| failure(format!("record is required: one of {}.", words.join(", "))))
        };
        Ok(match (act, view) {
            (Act::List, View::Crm) if record.is_none() => Self::Read(Read::Overview),
            (Act::List, _) => Self::Read(Read::List(Asked::read(record.unwrap_or(Record::Deal), arguments)?)),
            (Act::Pipeline, _) => Self::Read(Read::Pipeline(Asked::read(Record::Deal, arguments)?)),
            (Act::History, _) => {
                let record = record.unwrap_or(Record::Contact);
                if !matches!(record, Record::Contact | Record::Deal) {
                    return Err(failure("history is of a contact or a deal: set record to one of these."));
                }
                Self::Read(Read::History { record, which: which()?, limit: limit(arguments)? })
            }
            (Act::Create, _) => {
                let record = must()?;
                required(arguments, record.kind().title)?;
                if record == Record::Task {
                    required(arguments, "dueOn")?;
                }
                Self::Write(Write::Create(record))
            }
            (Act::Change, _) => Self::Write(Write::Change { record: must()?, which: which()? }),
            (Act::Delete, _) => Self::Write(Write::Delete { record: must()?, which: which()? }),
            (Act::Merge, _) => {
                let merged = required(arguments, "other")?.to_owned();
                Self::Write(Write::Merge { kept: which()?, merged })
            }
        })
    }
}

/// Models also write the plural.
fn record(view: View, arguments: &Arguments) -> Result<Option<Record>, ToolFailure> {
    let Some(word) = text(arguments, "record")? else { return Ok(None) };
    let known = Record::of(view);
    let found = known.iter().find(|record| record.as_str() == word || record.many() == word);
    let words = || known.iter().map(|record| record.as_str()).collect::<Vec<_>>().join(", ");
    found.copied().map(Some).ok_or_else(|| failure(format!("record must be one of {}.", words())))
}

impl Asked {
    fn read(record: Record, arguments: &Arguments) -> Result<Self, ToolFailure> {
        let own = |name: &str| Ok::<_, ToolFailure>(text(arguments, name)?.map(str::to_owned));
        let asked = Self {
            record,
            days: days(arguments)?,
            search: own("search")?,
            status: own("status")?,
            stage: own("stage")?,
            of_type: own("type")?,
            owner: own("owner")?.or(own("assignee")?),
            company: own("company")?,
            contact: own("contact")?,
            deal: own("deal")?,
            limit: limit(arguments)?,
        };
        let kind = record.kind();
        let lacks = |name: &str, field: &str| {
            failure(format!("{} have no {name} to choose by: leave it out. ({field})", record.many()))
        };
        for (name, field, given) in [
            ("stage", "stage", asked.stage.is_some()),
            ("type", "type", asked.of_type.is_some()),
            ("company", "company_id", asked.company.is_some()),
            ("contact", "contact_id", asked.contact.is_some()),
            ("deal", "deal_id", asked.deal.is_some()),
        ] {
            if given && kind.field(field).is_none() {
                return Err(lacks(name, "it is a filter for others"));
            }
        }
        if asked.days.is_some() && !matches!(kind.name, "deals" | "activities") {
            return Err(lacks("dates", "opportunities, deals, tasks and activities have days"));
        }
        Ok(asked)
    }
}

fn days(arguments: &Arguments) -> Result<Option<Days>, ToolFailure> {
    match (day(arguments, "startDate")?, day(arguments, "endDate")?) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) if from > to => Err(failure("endDate must not be before startDate.")),
        days => Ok(Some(days)),
    }
}

pub fn parameters(view: View) -> Value {
    let records = Record::of(view);
    let words: Vec<&str> = records.iter().map(|record| record.as_str()).collect();
    let names: Vec<&str> = actions(view).iter().map(|(act, _)| act.as_str()).collect();
    let about: Vec<String> = actions(view).iter().map(|(act, about)| format!("{act}: {about}")).collect();
    let usual = match view {
        View::Crm => "Left out: an overview of all three.",
        View::Sales => "Left out: deal.",
    };
    let text = |about: &str| json!({"type": "string", "description": about});
    let mut own = vec![
        (
            "action",
            json!({"type": "string", "enum": names, "description": format!("Left out: list. {}", about.join(" "))}),
        ),
        (
            "record",
            json!({"type": "string", "enum": words, "description": format!("What it is about. {usual}")}),
        ),
        (
            "which",
            text("The record that is meant: its name or id; a contact also by e-mail, a company by domain."),
        ),
        ("search", text("Words in names, addresses, notes and the like.")),
    ];
    if view == View::Sales {
        own.push(("other", text("The contact that is merged into which: its name, e-mail or id.")));
    }
    let of = "Of open opportunities and deals their expected close, of won and lost ones the day of that, of tasks and activities \
              the due day";
    own.push((
        "startDate",
        json!({"type": "string", "format": "date", "description": format!("First day, YYYY-MM-DD. {of}.")}),
    ));
    own.push((
        "endDate",
        json!({"type": "string", "format": "date", "description": "Last day, included, YYYY-MM-DD."}),
    ));
    own.push(limit_property());
    object(named(own).chain(fields::properties(view)))
}
