//! Requests in the very shapes that Baton's engine and its own tools give them.

use baton_core::models::{ChatMessage, UserPart};
use baton_core::tools::ToolSpec;
use serde_json::json;

use super::Expect::{Calls, Says};
use super::{COACH, answered, ask, budgets, check, request, said, tool, user};

/// As Baton's own memory describes itself.
pub fn notes() -> ToolSpec {
    tool(
        "manageMemory",
        "Your notes between conversations; you remember nothing else. Search before you answer when the person refers \
         to something earlier (\"as last time\", \"my usual\") or when their preferences, plans or facts would change \
         the answer. Save what will still matter in another conversation: preferences, decisions, names, goals, \
         corrections; not small talk, what can be looked up, or secrets such as passwords. Search before you save too, \
         and change the note that is there (same path) instead of adding another. One subject per note, clear without \
         this conversation. Scope person: about and for this person only. Scope agent: shared with everyone in the \
         workspace, so only facts about the work.",
        json!({
            "action": {"type": "string", "enum": ["search", "list", "read", "save", "delete"],
                "description": "search: notes by words. list: paths of the latest notes. read: one whole note. save: \
                    write a note, new or over the one at that path. delete: forget one."},
            "query": {"type": "string", "description": "For search: the words to look for."},
            "path": {"type": "string", "description": "For read, save and delete: the note's path, such as \
                preferences/travel. Left out when saving, one is made from the content."},
            "content": {"type": "string", "description": "For save: the whole note. It replaces what was there."},
            "scope": {"type": "string", "enum": ["person", "agent"], "description": "Whose note. Left out: search and \
                list look in both, the others mean person."},
        }),
        &["action"],
    )
}

pub fn clock() -> ToolSpec {
    tool(
        "getCurrentTime",
        "Tells the current date, time and weekday. Call it whenever an answer depends on today's date or on the time, \
         such as \"tomorrow\", \"this week\" or a deadline; never guess.",
        json!({"timeZone": {"type": "string", "description": "An IANA time zone such as Europe/Zurich. Left out: the \
            person's own."}}),
        &[],
    )
}

fn own() -> Vec<ToolSpec> {
    vec![clock(), budgets(), notes()]
}

#[test]
fn the_story_of_the_budget_review() {
    let save = json!({"action": "save", "content": "my budget review is on Fridays"});
    let told = request(COACH, own(), "Remember that my budget review is on Fridays");
    check(&told, Calls(vec![("manageMemory", save)]));
    let saved = r#"{"done": "saved", "path": "budget-review", "scope": "person"}"#;
    check(
        &answered(told, &[(saved, false)]),
        Says(&["Done, I'll remember that your budget review is on Fridays."]),
    );
    let asked = request(COACH, own(), "When is my budget review?");
    check(&asked, Calls(vec![("manageMemory", json!({"action": "search", "query": "budget review"}))]));
    let found = r#"{"memories": [{"path": "budget-review", "scope": "person", "content": "my budget review is on Fridays", "updatedAt": "2026-07-17T09:00:00Z"}]}"#;
    check(&answered(asked, &[(found, false)]), Says(&["Your budget review is on Fridays."]));
    let listed = request(COACH, own(), "What do you remember about me?");
    let paths = r#"{"memories": [{"path": "budget-review", "scope": "person", "updatedAt": "2026-07-17T09:00:00Z"}], "total": 1}"#;
    check(&answered(listed, &[(paths, false)]), Says(&["- budget review"]));
}

#[test]
fn the_clock() {
    for words in ["What time is it?", "tell me the time", "What's the date today?", "which day is it"] {
        let asked = request(COACH, own(), words);
        check(&asked, Calls(vec![("getCurrentTime", json!({}))]));
        let now = r#"{"date": "2026-07-17", "time": "09:00:00", "weekday": "Friday", "week": "2026-W29", "timeZone": "Europe/Zurich", "utcOffset": "+02:00"}"#;
        check(
            &answered(asked, &[(now, false)]),
            Says(&["It is Friday, 2026-07-17, 09:00:00 (Europe/Zurich)."]),
        );
    }
}

#[test]
fn a_person_who_did_not_allow_it() {
    let told = request(COACH, own(), "Remember that my budget review is on Fridays");
    for (why, said) in [
        ("The person did not allow this, and said: not now", "not now"),
        ("The person did not allow this. Don't try it again.", "did not save"),
        ("Nobody allowed this in time, so it was not done.", "did not save"),
    ] {
        let error = json!({"error": why}).to_string();
        let reply = check(&answered(told.clone(), &[(&error, true)]), Says(&["I did not save the memory"]));
        assert!(reply.text.contains(said), "{}", reply.text);
    }
}

#[test]
fn results_told_in_words_when_the_tools_are_gone() {
    let mut asked = request(COACH, vec![], "When is my budget review?");
    let told = "[Result of manageMemory with {\"action\":\"search\",\"query\":\"budget review\"}:]\n{\"memories\":[{\"path\":\"b\",\"content\":\"my budget review is on Fridays\"}]}";
    asked.messages.extend([said("(I used a tool.)"), user(told)]);
    check(&asked, Says(&["Your budget review is on Fridays."]));
}

#[test]
fn words_of_others_and_notes_are_not_the_persons() {
    let mut asked = request(COACH, own(), "Show my budgets");
    asked.messages = vec![ChatMessage::User(
        ["Hi", "[Project Manager, another agent, said:]\nI'll hand this to Budget Coach.", "Show my budgets"]
            .map(|text| UserPart::Text(text.into()))
            .into(),
    )];
    check(&asked, Calls(vec![("manageBudgets", json!({"action": "list"}))]));
    asked.messages.extend([said("(The turn ended here.)"), user("(Go on.)")]);
    check(&asked, Calls(vec![("manageBudgets", json!({"action": "list"}))]));
}

#[test]
fn an_answer_that_was_cut_off_goes_on() {
    let mut asked = request(COACH, own(), "Why is the sky blue?");
    let whole = ask(&asked).text;
    let (start, rest) = whole.split_at(whole.find(' ').unwrap());
    asked.messages.extend([
        said(start),
        user("(Your answer above was cut off. Go on from where it stopped, without repeating it.)"),
    ]);
    assert_eq!(ask(&asked).text, rest);
}

#[test]
fn attached_files() {
    let mut asked = request(COACH, own(), "");
    let parts = ["What is this?", "[Attached file my costs.csv:]\nitem,amount\nRent,5\n"];
    asked.messages = vec![ChatMessage::User(parts.map(|text| UserPart::Text(text.into())).into())];
    check(&asked, Says(&["**my costs.csv**", "- amount: 5"]));
    asked.messages = vec![user("[Attached file notes:]\none\ntwo")];
    check(&asked, Says(&["**notes** has 2 lines"]));
}
