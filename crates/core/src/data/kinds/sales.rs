//! The kinds of the area sales. A lead is a contact with a status, an opportunity is a deal, and a task of sales is an activity
//! with a due date. Rules beyond single fields are in `core/data/sales.rs`.

use super::sales_headers as headers;
use crate::data::areas::Area;
use crate::data::kind::Presence::{Default, Derived};
use crate::data::kind::{Direction, Field, FieldType, Kind, Order};

const NAME: usize = 200;
const NOTES: usize = 4_000;

const fn by(field: &'static str, direction: Direction) -> Order {
    Order { field, direction }
}

const fn name() -> Field {
    Field::line("name", "Name", NAME).required().searched().sorted().filtered()
}

const fn notes() -> Field {
    Field::new("notes", "Notes", FieldType::Prose { max: NOTES }).searched().synonyms(headers::NOTES)
}

const fn day(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, FieldType::Day).sorted().filtered()
}

const fn reference(name: &'static str, label: &'static str, kind: &'static str) -> Field {
    Field::new(name, label, FieldType::Reference(kind)).filtered()
}

const fn member(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, FieldType::Member).filtered()
}

pub static COMPANIES: Kind = Kind {
    name: "companies",
    one: "company",
    label: "Companies",
    area: Area::Sales,
    title: "name",
    order: by("name", Direction::Rising),
    keeps_deleted: false,
    most: 500_000,
    fields: &[
        name().synonyms(headers::COMPANY_NAME),
        Field::line("domain", "Domain", NAME)
            .about("Of its website and e-mail, such as example.com; no two companies have the same")
            .searched()
            .filtered()
            .synonyms(headers::DOMAIN),
        Field::line("website", "Website", 500).synonyms(headers::WEBSITE),
        Field::line("industry", "Industry", 100).searched().sorted().filtered().synonyms(headers::INDUSTRY),
        Field::line("phone", "Phone", 60).searched().synonyms(headers::PHONE),
        Field::line("address", "Address", 500).searched().synonyms(headers::ADDRESS),
        member("owner_id", "Owner").about("Who looks after it").synonyms(headers::OWNER),
        notes(),
    ],
};

pub static CONTACTS: Kind = Kind {
    name: "contacts",
    one: "contact",
    label: "Contacts",
    area: Area::Sales,
    title: "name",
    order: by("name", Direction::Rising),
    keeps_deleted: true,
    most: 1_000_000,
    fields: &[
        name().synonyms(headers::CONTACT_NAME),
        Field::line("email", "E-mail", 254)
            .about("No two contacts have the same")
            .searched()
            .sorted()
            .filtered()
            .synonyms(headers::EMAIL),
        Field::line("phone", "Phone", 60).searched().synonyms(headers::PHONE),
        Field::line("job_title", "Job title", NAME).searched().synonyms(headers::JOB_TITLE),
        reference("company_id", "Company", "companies").synonyms(headers::COMPANY),
        Field::new(
            "status",
            "Lead status",
            FieldType::Choice(&["new", "contacted", "qualified", "unqualified", "converted"]),
        )
        .about("A contact that has one is a lead")
        .sorted()
        .filtered()
        .synonyms(headers::LEAD_STATUS),
        Field::line("source", "Source", 100)
            .about("Where the contact came from, such as a fair or the website")
            .searched()
            .filtered()
            .synonyms(headers::SOURCE),
        member("owner_id", "Owner").about("Who looks after the contact").synonyms(headers::OWNER),
        notes(),
        Field::new("merged_into", "Merged into", FieldType::Id)
            .about("The contact that this one was merged into")
            .presence(Derived),
    ],
};

pub static DEALS: Kind = Kind {
    name: "deals",
    one: "deal",
    label: "Deals",
    area: Area::Sales,
    title: "name",
    order: by("stage_since", Direction::Falling),
    keeps_deleted: true,
    most: 500_000,
    fields: &[
        name().synonyms(headers::DEAL_NAME),
        reference("company_id", "Company", "companies").synonyms(headers::COMPANY),
        reference("contact_id", "Contact", "contacts").synonyms(headers::CONTACT),
        Field::new(
            "stage",
            "Stage",
            FieldType::Choice(&["lead", "qualified", "proposal", "negotiation", "won", "lost"]),
        )
        .presence(Default("\"lead\""))
        .filtered()
        .synonyms(headers::STAGE),
        Field::money("amount", "Amount")
            .about("What it is worth if it is won")
            .presence(Default("0"))
            .sorted()
            .filtered()
            .synonyms(headers::DEAL_AMOUNT),
        Field::new("currency", "Currency", FieldType::Currency)
            .required()
            .filtered()
            .synonyms(headers::CURRENCY),
        Field::new("probability", "Probability", FieldType::Number { least: 0, most: 100 })
            .about("In percent; left out, its stage says it")
            .synonyms(headers::PROBABILITY),
        day("expected_close_on", "Expected close").synonyms(headers::EXPECTED_CLOSE),
        day("closed_on", "Closed on")
            .about("The day on which it was won or lost; left out, the day on which its stage says so")
            .synonyms(headers::CLOSED_ON),
        day("stage_since", "In this stage since").presence(Derived),
        member("owner_id", "Owner").about("Who works on it").synonyms(headers::OWNER),
        Field::line("lost_reason", "Reason for losing it", 500).searched().synonyms(headers::LOST_REASON),
        Field::new("position", "Position", FieldType::Number { least: -MOST_POSITION, most: MOST_POSITION })
            .about("Its place among the deals of its stage; left out, the last")
            .sorted(),
        notes(),
    ],
};

/// Numbers that a browser tells exactly.
const MOST_POSITION: i64 = 9_000_000_000_000_000;

pub static ACTIVITIES: Kind = Kind {
    name: "activities",
    one: "activity",
    label: "Activities",
    area: Area::Sales,
    title: "subject",
    order: by("due_on", Direction::Falling),
    keeps_deleted: false,
    most: 2_000_000,
    fields: &[
        Field::line("subject", "Subject", NAME).required().searched().sorted().synonyms(headers::SUBJECT),
        Field::new("type", "Type", FieldType::Choice(&["call", "email", "meeting", "task", "note"]))
            .presence(Default("\"task\""))
            .filtered()
            .synonyms(headers::ACTIVITY_TYPE),
        day("due_on", "Due").synonyms(headers::DUE_ON),
        day("done_on", "Done").about("Left out: it is still to be done").synonyms(headers::DONE_ON),
        reference("contact_id", "Contact", "contacts").synonyms(headers::CONTACT),
        reference("company_id", "Company", "companies").synonyms(headers::COMPANY),
        reference("deal_id", "Deal", "deals").synonyms(headers::DEAL),
        member("assignee_id", "Assignee").about("Who is to do it").synonyms(headers::ASSIGNEE),
        notes(),
    ],
};
