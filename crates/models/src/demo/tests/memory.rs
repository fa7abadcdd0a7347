//! Remembering, recalling and forgetting, with and without other tools that know similar words.

use serde_json::json;

use super::Expect::{Calls, Says};
use super::{COACH, answered, ask, budgets, check, clock, memory, request};

#[test]
fn a_fact_is_kept_and_confirmed() {
    for tools in [vec![memory()], vec![budgets(), memory(), clock()]] {
        let asked = request(COACH, tools, "Remember that my budget review is on Fridays");
        let save = json!({"action": "save", "content": "my budget review is on Fridays", "path": "my-budget-review-is-on-fridays"});
        check(&asked, Calls(vec![("manageMemory", save)]));
        let done = answered(asked, &[(r#"{"saved": true, "path": "budget-review"}"#, false)]);
        check(&done, Says(&["Done, I'll remember that your budget review is on Fridays."]));
    }
}

#[test]
fn other_ways_to_ask_for_it() {
    for (asked, content) in [
        ("Please note that the door code is 4711.", "the door code is 4711"),
        ("Can you keep in mind that I prefer short answers?", "I prefer short answers"),
        ("Save this: standup moved to 9:30", "standup moved to 9:30"),
        ("Don't forget that Ana is on leave in May", "Ana is on leave in May"),
        ("Hi! I'd like you to remember my locker number is 12. Thanks!", "my locker number is 12"),
    ] {
        let reply = ask(&request(COACH, vec![budgets(), memory()], asked));
        assert_eq!(reply.calls.len(), 1, "{asked}: {}", reply.text);
        assert_eq!(reply.calls[0].1["action"], "save", "{asked}");
        assert_eq!(reply.calls[0].1["content"], content, "{asked}");
    }
}

#[test]
fn a_question_about_ones_own_things_is_looked_up() {
    for tools in [vec![memory()], vec![budgets(), memory(), clock()]] {
        let asked = request(COACH, tools, "When is my budget review?");
        let search = json!({"action": "search", "query": "budget review"});
        check(&asked, Calls(vec![("manageMemory", search)]));
        let note = r#"[{"path": "budget-review", "content": "my budget review is on Fridays"}]"#;
        check(&answered(asked.clone(), &[(note, false)]), Says(&["Your budget review is on Fridays."]));
        let wrapped = r#"{"memories": [{"path": "a/tea", "content": "I like tea"}, {"path": "b", "content": "Our budget review is on Fridays"}]}"#;
        check(&answered(asked.clone(), &[(wrapped, false)]), Says(&["Your budget review is on Fridays."]));
        for nothing in ["[]", r#"{"memories": []}"#, "No memories found."] {
            let reply = check(
                &answered(asked.clone(), &[(nothing, false)]),
                Says(&["no note about your budget review", "Remember that"]),
            );
            assert!(!reply.text.contains("Fridays"));
        }
    }
}

#[test]
fn what_is_known_can_be_listed() {
    let asked = request(COACH, vec![memory(), budgets()], "What do you remember about me?");
    check(&asked, Calls(vec![("manageMemory", json!({"action": "list"}))]));
}

#[test]
fn forgetting_finds_the_note_first() {
    let asked = request(COACH, vec![budgets(), memory()], "Forget my budget review");
    check(&asked, Calls(vec![("manageMemory", json!({"action": "search", "query": "budget review"}))]));
    let found = answered(
        asked.clone(),
        &[(r#"[{"path": "people/7/budget-review", "content": "my budget review is on Fridays"}]"#, false)],
    );
    check(
        &found,
        Calls(vec![("manageMemory", json!({"action": "delete", "path": "people/7/budget-review"}))]),
    );
    check(&answered(found, &[(r#"{"deleted": true}"#, false)]), Says(&["Done, I deleted the memory"]));
    check(&answered(asked, &[("[]", false)]), Says(&["no note about your budget review"]));
}

#[test]
fn a_statement_is_not_kept_unasked_but_offered() {
    let told = request(COACH, vec![memory()], "My budget review is on Fridays.");
    let reply = check(&told, Says(&["Shall I remember that?"]));
    let mut yes = told;
    yes.messages.push(super::said(&reply.text));
    yes.messages.push(super::user("yes please"));
    let call = ask(&yes).calls.remove(0);
    assert_eq!(call.1["content"], "My budget review is on Fridays");
}

#[test]
fn a_tool_with_other_names_is_understood_too() {
    let notebook = super::tool(
        "notebook",
        "Keeps notes for people and finds them again.",
        json!({
            "operation": {"type": "string", "enum": ["recall", "store", "remove", "list"]},
            "key": {"type": "string"},
            "text": {"type": "string"},
            "terms": {"type": "string"},
        }),
        &["operation"],
    );
    let keep = request(COACH, vec![notebook.clone()], "Remember that my desk is in room 12");
    check(
        &keep,
        Calls(vec![(
            "notebook",
            json!({"operation": "store", "text": "my desk is in room 12", "key": "my-desk-is-in-room-12"}),
        )]),
    );
    let all = request(COACH, vec![notebook.clone()], "Forget everything");
    check(&all, Calls(vec![("notebook", json!({"operation": "list"}))]));
    let listed = answered(all, &[(r#"[{"key": "desk"}, {"key": "tea"}]"#, false)]);
    let remove = |key: &str| ("notebook", json!({"operation": "remove", "key": key}));
    check(&listed, Calls(vec![remove("desk"), remove("tea")]));
    let gone = answered(listed, &[(r#"{"ok": true}"#, false), (r#"{"ok": true}"#, false)]);
    check(&gone, Says(&["Done, I removed 2", "desk and tea"]));
    let find = request(COACH, vec![notebook], "Where is my desk?");
    check(&find, Calls(vec![("notebook", json!({"operation": "recall", "terms": "desk"}))]));
}
