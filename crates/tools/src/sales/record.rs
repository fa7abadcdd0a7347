//! What the words of the two tools mean: a kind of row, and which of its rows.

use baton_core::data::kind::Kind;
use baton_core::data::kinds::{ACTIVITIES, COMPANIES, CONTACTS, DEALS};
use baton_core::data::rows::{Filter, Test};
use serde_json::{Value, json};

use super::View;
use crate::finance::fields::{LeftOut, settable};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    Lead,
    Opportunity,
    Task,
    Deal,
    Activity,
    Contact,
    Company,
}

/// From the first day that a field can hold.
const FIRST_DAY: &str = "1900-01-01";

impl Record {
    /// The records that a tool knows.
    pub fn of(view: View) -> &'static [Self] {
        match view {
            View::Crm => &[Self::Lead, Self::Opportunity, Self::Task],
            View::Sales => &[Self::Deal, Self::Activity, Self::Contact, Self::Company],
        }
    }

    pub fn kind(self) -> &'static Kind {
        match self {
            Self::Lead | Self::Contact => &CONTACTS,
            Self::Opportunity | Self::Deal => &DEALS,
            Self::Task | Self::Activity => &ACTIVITIES,
            Self::Company => &COMPANIES,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Opportunity => "opportunity",
            Self::Task => "task",
            Self::Deal => "deal",
            Self::Activity => "activity",
            Self::Contact => "contact",
            Self::Company => "company",
        }
    }

    /// Under which a result lists them.
    pub fn many(self) -> &'static str {
        match self {
            Self::Lead => "leads",
            Self::Opportunity => "opportunities",
            Self::Task => "tasks",
            Self::Deal => "deals",
            Self::Activity => "activities",
            Self::Contact => "contacts",
            Self::Company => "companies",
        }
    }

    /// Which rows of its kind it is.
    pub fn own(self) -> Vec<Filter> {
        match self {
            Self::Lead => vec![Filter { field: "status", test: Test::OneOf(lead_statuses()) }],
            Self::Task => vec![Filter { field: "due_on", test: Test::AtLeast(json!(FIRST_DAY)) }],
            _ => Vec::new(),
        }
    }

    /// The fields that a call can set.
    pub fn fields(self) -> Vec<&'static str> {
        settable(self.kind(), left_out(self.kind()))
    }

    /// Words for `status`, beside those of the field itself.
    pub fn statuses(self) -> &'static [&'static str] {
        match self.kind().name {
            "contacts" => &["new", "contacted", "qualified", "unqualified", "converted"],
            "deals" => &["open", "won", "lost"],
            "activities" => &["open", "done", "overdue"],
            _ => &[],
        }
    }

    /// Who looks after it.
    pub fn owner_field(self) -> &'static str {
        if self.kind().name == ACTIVITIES.name { "assignee_id" } else { "owner_id" }
    }

    /// `1 lead`, `2 opportunities`.
    pub fn count(self, number: u64) -> String {
        format!("{number} {}", if number == 1 { self.as_str() } else { self.many() })
    }
}

/// What people set elsewhere.
pub fn left_out(kind: &Kind) -> LeftOut {
    match kind.name {
        "deals" => &[("position", "where a card stands on the board is chosen by dragging it")],
        _ => &[],
    }
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

fn lead_statuses() -> Vec<Value> {
    Record::Lead.statuses().iter().map(|&word| json!(word)).collect()
}
