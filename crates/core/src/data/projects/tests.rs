use serde_json::{Map, json};

use super::*;

fn fields(value: Value) -> Fields {
    value.as_object().cloned().unwrap_or_else(Map::new)
}

#[test]
fn a_status_and_what_goes_with_it_agree() {
    let today = NaiveDate::from_ymd_opt(2026, 11, 18).unwrap();
    let task = |status: &str, done: Value, reason: Value| json!({"status": status, "completed_on": done, "blocked_reason": reason});
    let none = || Value::Null;
    let todo = || Some(task("todo", none(), none()));
    let done = || Some(task("done", json!("2026-01-02"), none()));
    let blocked = || Some(task("blocked", none(), json!("the key")));
    for (before, given, expected) in [
        (None, task("todo", none(), none()), Ok(task("todo", none(), none()))),
        (None, task("done", none(), none()), Ok(task("done", json!("2026-11-18"), none()))),
        (None, task("todo", json!("2026-01-02"), none()), Ok(task("done", json!("2026-01-02"), none()))),
        (None, task("todo", none(), json!("the key")), Ok(task("blocked", none(), json!("the key")))),
        (None, task("blocked", json!("2026-01-02"), none()), Err("completed_on")),
        (todo(), task("done", none(), none()), Ok(task("done", json!("2026-11-18"), none()))),
        (todo(), task("done", json!("2026-01-02"), none()), Ok(task("done", json!("2026-01-02"), none()))),
        (todo(), task("todo", json!("2026-01-02"), none()), Ok(task("done", json!("2026-01-02"), none()))),
        (todo(), task("in_progress", none(), json!("the key")), Err("blocked_reason")),
        // What no longer holds goes by itself.
        (done(), task("todo", json!("2026-01-02"), none()), Ok(task("todo", none(), none()))),
        (done(), task("done", none(), none()), Ok(task("done", json!("2026-11-18"), none()))),
        (blocked(), task("in_progress", none(), json!("the key")), Ok(task("in_progress", none(), none()))),
        (blocked(), task("done", none(), json!("the key")), Ok(task("done", json!("2026-11-18"), none()))),
    ] {
        let mut after = fields(given.clone());
        let told = complete_task(before.clone().map(fields).as_ref(), &mut after, today);
        match expected {
            Ok(expected) => assert_eq!((told, after), (Ok(()), fields(expected)), "{before:?} {given}"),
            Err(field) => assert_eq!(told.unwrap_err().field, field, "{before:?} {given}"),
        }
    }
}

#[test]
fn who_comes_last_stands_last() {
    assert_eq!((place_after(None), place_after(Some(7)), place_after(Some(PLACES))), (0, 7 + STEP, PLACES));
}

#[test]
fn words_of_other_programs_are_understood() {
    use crate::data::kinds::PROJECT_TASKS;
    let of = |name: &str, word: &str| choice_of(&PROJECT_TASKS, PROJECT_TASKS.field(name).unwrap(), word);
    for (name, word, choice) in [
        ("status", "To Do", Some("todo")),
        ("status", "in_progress", Some("in_progress")),
        ("status", "In Progress", Some("in_progress")),
        ("status", "CLOSED", Some("done")),
        ("status", "Ideas", None),
        ("priority", "Highest", Some("urgent")),
        ("priority", "4", Some("low")),
    ] {
        assert_eq!(of(name, word), choice, "{name} {word}");
    }
    assert_eq!(choice_of(&PROJECTS, PROJECTS.field("status").unwrap(), "On hold"), Some("paused"));
}
