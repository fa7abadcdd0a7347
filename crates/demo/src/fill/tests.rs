use serde_json::json;

use super::*;

fn today() -> NaiveDate {
    "2026-11-18".parse().expect("a day")
}

/// What a schema with these properties is filled with, all of them required, by messages each after what I said before.
fn filled(properties: Value, heard: &[(&str, &str)]) -> Filled {
    let required: Vec<&String> = properties.as_object().expect("properties").keys().collect();
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let heard: Vec<Heard> = heard
        .iter()
        .map(|(after, text)| Heard { after: (*after).to_owned(), text: (*text).to_owned() })
        .collect();
    fill(&schema, Map::new(), &Sources { heard: heard.iter().collect(), facts: &[], today: today() })
}

#[test]
fn each_kind_is_read_or_missing() {
    let number = json!({"type": "integer", "description": "How many people work there"});
    let priority = json!({"type": "string", "enum": ["low", "high"]});
    let asked = "I need **x** (it). What is it?";
    for (field, after, text, value) in [
        (json!({"type": "string"}), "", "x: Acme", json!("Acme")),
        (json!({"type": "string"}), "", "The x is \"Acme Ltd\".", json!("Acme Ltd")),
        (json!({"type": "string"}), asked, "A Toyota", json!("Toyota")),
        (json!({"type": "string"}), asked, "What does it cost?", Value::Null),
        (json!({"type": "string"}), "", "We talk about something else", Value::Null),
        (
            json!({"type": "string", "description": "The campaign, such as event or win-back"}),
            "",
            "a win-back campaign",
            json!("win-back"),
        ),
        (number.clone(), "", "since 1999 we are 40 people", json!(40)),
        (number.clone(), asked, "40", json!(40)),
        (number, "", "it costs 40", Value::Null),
        (json!({"type": "number", "description": "Hours of work"}), "", "about 1.5 hours", json!(1.5)),
        (priority.clone(), "", "It is of high importance", json!("high")),
        (priority, "", "It is urgent", Value::Null),
        (json!({"type": "boolean"}), asked, "Yes, please", json!(true)),
        (json!({"type": "boolean"}), "", "Yes, please", Value::Null),
        (json!({"type": "string", "format": "date"}), "", "by next Tuesday", json!("2026-11-24")),
        (json!({"type": "array"}), "", "x: a, b", Value::Null),
    ] {
        let filled = filled(json!({"x": field.clone()}), &[(after, text)]);
        let read = filled.values.get("x").cloned().unwrap_or_default();
        assert_eq!(read, value, "{text} for {field}");
        assert_eq!(filled.missing.is_empty(), !value.is_null(), "what is not said is missing: {text}");
    }
}

#[test]
fn ids_are_ids_and_nothing_else() {
    for (text, id) in [
        ("Follow up lead L-42 for the event", Some("L-42")),
        ("ticket T-9 about lead L-42", Some("L-42")),
        ("Lead: customer cannot log in, urgent", None),
        ("the lead of 2026", None),
    ] {
        let filled = filled(json!({"lead_id": {"type": "string"}}), &[("", text)]);
        assert_eq!(filled.values.get("lead_id").and_then(Value::as_str), id, "{text}");
    }
}

#[test]
fn the_newest_word_counts_and_facts_fill_the_gaps() {
    let properties = json!({"budget": {"type": "string"}, "brand": {"type": "string"}});
    let said = [("", "budget 100 EUR"), ("", "my budget is 200 EUR")];
    assert_eq!(filled(properties.clone(), &said).values["budget"], "200 EUR");
    let schema = json!({"properties": properties, "required": ["budget", "brand"]});
    let facts = [("brand".to_owned(), json!("Toyota"))];
    let filled = fill(&schema, Map::new(), &Sources { heard: vec![], facts: &facts, today: today() });
    assert_eq!(
        (filled.values["brand"].clone(), filled.missing),
        (json!("Toyota"), vec!["budget".to_owned()])
    );
}

#[test]
fn a_question_is_read_back() {
    let asked = question(Some("handoff_to_sdr"), "lead_id", &json!({"description": "The id of the lead."}));
    assert_eq!(asked, "For `handoff_to_sdr`: I need **lead_id** (The id of the lead). What is it?");
    let back = asks_for(&asked).expect("a question");
    assert_eq!((back.name, back.tool), ("lead_id", Some("handoff_to_sdr")));
    assert!(asks_for(&question(None, "brand", &json!({}))).is_some_and(|asked| asked.tool.is_none()));
    assert!(asks_for("I need **this** done.").is_none());
}
