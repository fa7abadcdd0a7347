//! Address books and calendars as independent parsers find them (`people.jsonl`): vobject reads the same of each card, and icalendar
//! and vobject read of a calendar what was written.

use std::fs::File;

use baton_core::data::kinds::CONTACTS;
use baton_formats::calendar::{self, Event};
use baton_formats::csv::{Record, Value as Cell, fields_of};
use baton_formats::vcard;
use chrono::{DateTime, NaiveDate};
use serde_json::{Map, Value, json};

use crate::oracles::fixtures;

const CALENDAR: &str = "calendar/projects.ics";
const READ: [&str; 6] = ["name", "email", "phone", "job_title", "company_id", "notes"];

/// File, parser and what it found.
fn table() -> Vec<(String, String, Vec<Value>)> {
    let text = std::fs::read_to_string(fixtures().join("people.jsonl")).unwrap();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        (text("file"), text("parser"), line["found"].as_array().unwrap().clone())
    };
    text.lines().map(line).collect()
}

fn events() -> Vec<Event> {
    let event = |number: i64, summary: &str| Event {
        uid: format!("{number}@baton.example"),
        day: NaiveDate::from_ymd_opt(2026, 12, 31).unwrap(),
        summary: summary.to_owned(),
        description: None,
        category: None,
        priority: None,
        changed_at: DateTime::UNIX_EPOCH,
        sequence: number,
    };
    let mut events = vec![
        event(1, "Sign the lease"),
        event(2, &format!("日本語 {}", "and long, very; long \\ ".repeat(9).trim())),
        event(3, "🚐 Vans"),
    ];
    events[1].description = Some("First line\nsecond; with, signs \\n and \"quotes\"".to_owned());
    events[1].category = Some("Office move".to_owned());
    events[1].priority = Some(1);
    events
}

#[test]
fn independent_parsers_find_the_same_in_address_books() {
    let fields = fields_of(&CONTACTS);
    let (mut files, mut compared) = (0, 0);
    for (file, parser, expected) in table().into_iter().filter(|(file, ..)| file.ends_with(".vcf")) {
        let cards = vcard::read(File::open(fixtures().join(&file)).unwrap(), &fields);
        let told = |card: Record| {
            let named = READ.map(|name| {
                let at = fields.iter().position(|field| field.name == name).unwrap();
                let text = match &card.values[at] {
                    Some(Cell::Text(text)) => json!(text),
                    _ => Value::Null,
                };
                (name.to_owned(), text)
            });
            Value::Object(Map::from_iter(named))
        };
        let found: Vec<Value> = cards.map(|card| told(card.unwrap().unwrap())).collect();
        assert_eq!(found, expected, "{file}, by {parser}");
        files += 1;
        compared += found.len();
    }
    assert_eq!((files, compared), (3, 6));
}

#[test]
fn independent_parsers_find_in_a_calendar_what_was_written() {
    let text = calendar::write("Demo; projects", &events());
    let kept = fixtures().join(CALENDAR);
    assert_eq!(
        text,
        std::fs::read_to_string(&kept).unwrap(),
        "another calendar is written: ask the parsers anew"
    );
    let expected = events().into_iter().map(|event| {
        json!({
            "uid": event.uid, "from": event.day, "to": event.day.succ_opt(), "changed": "1970-01-01T00:00:00+00:00",
            "summary": event.summary, "description": event.description, "category": event.category,
            "priority": event.priority, "sequence": event.sequence,
        })
    });
    let expected: Vec<Value> = expected.collect();
    let mut parsers = Vec::new();
    for (_, parser, found) in table().into_iter().filter(|(file, ..)| file == CALENDAR) {
        assert_eq!(found, expected, "by {parser}");
        parsers.push(parser);
    }
    assert_eq!(parsers, ["icalendar", "vobject"]);
}
