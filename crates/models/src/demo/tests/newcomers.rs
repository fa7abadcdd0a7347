//! What people try first, played as whole conversations over the tools that every agent has: a clock and notes that
//! really keep what they are given.

use std::collections::BTreeMap;

use baton_core::memories::paths_for;
use baton_core::models::{AssistantMessage, CallResult, ChatMessage, ModelRequest, ToolCall};
use serde_json::{Map, Value, json};

use super::shapes::{clock, notes};
use super::{COACH, ask, request, said, user};

/// A conversation, the notes behind it, and every call made in it.
pub struct World {
    pub request: ModelRequest,
    notes: BTreeMap<String, String>,
    pub calls: Vec<(String, Map<String, Value>)>,
}

impl World {
    pub fn new() -> Self {
        let mut request = request(COACH, vec![clock(), notes()], "");
        request.messages.clear();
        Self { request, notes: BTreeMap::new(), calls: Vec::new() }
    }

    pub fn knowing(notes: &[(&str, &str)]) -> Self {
        let notes = notes.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
        Self { notes, ..Self::new() }
    }

    pub fn notes(&self) -> Vec<&str> {
        self.notes.values().map(String::as_str).collect()
    }

    /// What comes of a message, however many calls it takes.
    pub fn say(&mut self, text: &str) -> String {
        self.request.messages.push(user(text));
        for _ in 0..12 {
            let reply = ask(&self.request);
            if reply.calls.is_empty() {
                self.request.messages.push(said(&reply.text));
                return reply.text;
            }
            self.run(reply.text, reply.calls);
        }
        panic!("{text} goes round in circles: {:?}", self.calls);
    }

    fn run(&mut self, text: String, calls: Vec<(String, Map<String, Value>)>) {
        let round = self.request.messages.len();
        let mut made = Vec::new();
        let mut results = Vec::new();
        for (at, (name, arguments)) in calls.into_iter().enumerate() {
            self.calls.push((name.clone(), arguments.clone()));
            let id = format!("c{round}-{at}");
            let (content, is_error) = match self.result(&name, &arguments) {
                Ok(value) => (value.to_string(), false),
                Err(why) => (json!({ "error": why }).to_string(), true),
            };
            results.push(CallResult { call_id: id.clone(), content, is_error });
            made.push(ToolCall { id, name, arguments });
        }
        let message = AssistantMessage { text, calls: made, ..Default::default() };
        self.request.messages.extend([ChatMessage::Assistant(message), ChatMessage::Results(results)]);
    }

    fn result(&mut self, name: &str, arguments: &Map<String, Value>) -> Result<Value, &'static str> {
        let get = |key: &str| arguments.get(key).and_then(Value::as_str);
        if name == "getCurrentTime" {
            let zone = get("timeZone").unwrap_or("Europe/Zurich");
            return Ok(
                json!({"date": "2026-07-17", "time": "09:00:00", "weekday": "Friday", "week": "2026-W29",
                "timeZone": zone, "utcOffset": "+02:00"}),
            );
        }
        match get("action") {
            Some("search") => {
                let words: Vec<String> = get("query")
                    .ok_or("query is required.")?
                    .to_lowercase()
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect();
                // As the store does: what holds most of the words first, ten at most.
                let rank = |path: &str, text: &str| {
                    let text = format!("{path} {text}").to_lowercase();
                    words.iter().filter(|word| text.contains(word.as_str())).count()
                };
                let ranked = self.notes.iter().map(|(path, text)| (rank(path, text), path, text));
                let mut found: Vec<_> = ranked.filter(|(rank, ..)| *rank > 0).collect();
                found.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
                let found = found.into_iter().take(10);
                let found =
                    found.map(|(_, path, text)| json!({"path": path, "scope": "person", "content": text}));
                Ok(json!({"memories": found.collect::<Vec<_>>()}))
            }
            Some("list") => {
                let all = self.notes.keys().take(100).map(|path| json!({"path": path, "scope": "person"}));
                Ok(json!({"memories": all.collect::<Vec<_>>(), "total": self.notes.len()}))
            }
            Some("save") => {
                let content = get("content").ok_or("content is required.")?;
                let made = || paths_for(content).next().expect("a path");
                let path = get("path").map_or_else(made, str::to_owned);
                let before = self.notes.insert(path.clone(), content.into());
                let done = if before.is_some() { "replaced" } else { "saved" };
                Ok(json!({"done": done, "path": path, "scope": "person"}))
            }
            Some("delete") => {
                let path = get("path").ok_or("path is required.")?;
                self.notes.remove(path).ok_or("There is no note at that path.")?;
                Ok(json!({"done": "deleted", "path": path, "scope": "person"}))
            }
            _ => Err("action must be one of search, list, read, save, delete."),
        }
    }
}

const KNOWN: &[(&str, &str)] = &[
    ("budget-review", "my budget review is on Fridays"),
    ("tea", "I like green tea"),
    ("mia", "Mia's birthday is May 3rd"),
    ("wifi", "the wifi password is tulip42"),
    ("frei", "ich habe freitags frei"),
    ("tom", "Tom is my brother"),
    ("flight", "the flight to Oslo leaves at 7:15"),
];

/// Each message in a conversation of its own, with notes: what it calls, and what the answer holds.
#[track_caller]
fn check(table: &[(&str, &[Value], &[&str])]) {
    for (asked, calls, parts) in table {
        let mut world = World::knowing(KNOWN);
        let answer = world.say(asked);
        let made: Vec<Value> =
            world.calls.iter().map(|(_, arguments)| Value::Object(arguments.clone())).collect();
        assert_eq!(made, *calls, "{asked}: {answer}");
        for part in *parts {
            assert!(answer.contains(part), "{asked}: no “{part}” in {answer}");
        }
        for raw in ["is required", "must be one of", "{", "connected model", "scope:", "done:"] {
            assert!(!answer.contains(raw), "{asked}: {answer}");
        }
    }
}

fn search(query: &str) -> Value {
    json!({"action": "search", "query": query})
}

#[test]
fn the_time_elsewhere() {
    let zone = |zone: &str| json!({ "timeZone": zone });
    check(&[
        ("What time is it in Tokyo?", &[zone("Asia/Tokyo")], &["(Asia/Tokyo)"]),
        ("what time is it in new york", &[zone("America/New_York")], &["(America/New_York)"]),
        ("Asia/Tokyo", &[zone("Asia/Tokyo")], &["(Asia/Tokyo)"]),
        ("Wie viel Uhr ist es in Berlin?", &[zone("Europe/Berlin")], &["(Europe/Berlin)"]),
        ("What day is it in San Francisco?", &[zone("America/Los_Angeles")], &["Friday"]),
        ("The time in Tokyo and London?", &[zone("Asia/Tokyo"), zone("Europe/London")], &["Tokyo", "London"]),
        ("What time is it in Atlantis?", &[], &["don't know which time zone Atlantis is in"]),
        (
            // The clock of these tests has one offset everywhere.
            "What is the time difference between Tokyo and London?",
            &[zone("Asia/Tokyo"), zone("Europe/London")],
            &["Asia/Tokyo and Europe/London have the same time."],
        ),
        ("How late is it in Zürich right now", &[zone("Europe/Zurich")], &["(Europe/Zurich)"]),
        ("Wie viel Uhr ist es?", &[json!({})], &["09:00:00 (Europe/Zurich)"]),
    ]);
    let mut world = World::new();
    world.say("What time is it in Tokyo?");
    assert!(world.say("And in Paris?").contains("(Europe/Paris)"));
    assert!(world.say("thanks, and in Mumbai?").contains("(Asia/Kolkata)"));
    assert!(world.say("What about London").contains("(Europe/London)"));
    assert!(world.say("And tomorrow?").contains("Saturday"));
}

#[test]
fn other_days_are_reckoned() {
    let now = [json!({})];
    check(&[
        ("What day is tomorrow?", &now, &["Tomorrow is Saturday, 2026-07-18."]),
        ("Is it Monday?", &now, &["No, today is Friday, 2026-07-17."]),
        ("Is it Friday today?", &now, &["Yes, today is Friday"]),
        ("What was the date yesterday?", &now, &["Yesterday was Thursday, 2026-07-16."]),
        ("What's the date in three days?", &now, &["In three days it is Monday, 2026-07-20."]),
        ("What time will it be in 3 hours?", &now, &["It will be Friday, 2026-07-17, 12:00."]),
        ("How many days until Christmas?", &now, &["161 days"]),
        ("Ist morgen Samstag?", &now, &["Yes, tomorrow is Saturday"]),
        ("Welcher Tag ist heute?", &now, &["Friday"]),
        ("What should I do today?", &[], &["What should I do today?"]),
    ]);
}

#[test]
fn notes_are_found_without_the_word_my() {
    check(&[
        ("When was Mia born?", &[search("Mia born")], &["Mia's birthday is May 3rd."]),
        ("what is the wifi password?", &[search("wifi password")], &["The wifi password is tulip42."]),
        ("What do you know about the flight?", &[search("flight")], &["leaves at 7:15"]),
        ("Who is Tom?", &[search("Tom")], &["Tom is your brother."]),
        ("Tell me about Tom", &[search("Tom")], &["Tom is your brother."]),
        (
            "Is Tom vegetarian?",
            &[search("Tom vegetarian")],
            &["no note on exactly that", "Tom is your brother"],
        ),
        ("What do I like?", &[search("like")], &["You like green tea."]),
        ("Wann habe ich frei?", &[search("frei")], &["“ich habe freitags frei”"]),
        ("Was weißt du über mich?", &[json!({"action": "list"})], &["- budget review"]),
        (
            "What is the capital of France?",
            &[search("capital France")],
            &["no note that answers", "know nothing"],
        ),
        ("Why is the sky blue?", &[], &["Why is the sky blue?"]),
        ("How do I bake bread?", &[], &["How do I bake bread?"]),
        ("What time does the shop close?", &[search("time shop close")], &["no note that answers"]),
        ("Can you remind me what I told you about tea?", &[search("tea")], &["You like green tea."]),
        ("my flight", &[search("flight")], &["leaves at 7:15"]),
        ("Show my budgets", &[], &["Show my budgets"]),
    ]);
}

#[test]
fn questions_about_itself_and_the_conversation_call_nothing() {
    check(&[
        ("Can you remember things?", &[], &["Yes, with **manage memory**"]),
        ("Do you have a memory?", &[], &["Yes"]),
        ("Kannst du dir Dinge merken?", &[], &["Yes"]),
        (
            "What can you do?",
            &[],
            &["**get current time**: Tells the current date", "**manage memory**: My notes"],
        ),
        ("Can you play chess?", &[], &["No"]),
        ("Kannst du mir helfen?", &[], &["**manage memory**: My notes"]),
        ("Never mind", &[], &["Nothing more was saved or changed"]),
        ("10 / 0", &[], &["has no value"]),
        ("what did I just say?", &[], &["your first message"]),
        ("¿Qué hora es?", &[], &["English and a little German"]),
        ("Is this private?", &[], &["Is this private?"]),
    ]);
    let mut world = World::new();
    world.say("My bike is green and fast.");
    assert_eq!(world.say("What did I just say?"), "You said: “My bike is green and fast”");
    assert!(world.say("What did you just say?").contains("> You said"));
    assert!(world.say("What did I say about my bike?").contains("“My bike is green and fast”"));
    assert!(world.say("Summarize our conversation").contains("- “My bike is green and fast”"));
    assert_eq!(world.calls, []);
}

#[test]
fn notes_change_and_go_only_as_asked() {
    let delete = |path: &str| json!({"action": "delete", "path": path, "scope": "person"});
    let mut all = vec![json!({"action": "list"})];
    let mut paths: Vec<&str> = KNOWN.iter().map(|(path, _)| *path).collect();
    paths.sort_unstable();
    all.extend(paths.into_iter().map(delete));
    let moved = json!({"action": "save", "content": "my budget review is on Mondays", "path": "budget-review",
        "scope": "person"});
    check(&[
        ("Don't remember my address", &[], &["I won't remember your address", "Nothing was saved"]),
        ("Merke dir nicht meine Adresse", &[], &["Nothing was saved"]),
        (
            "Change my budget review to Mondays",
            &[search("budget review"), moved],
            &["your budget review is on Mondays"],
        ),
        (
            "Change my address to 5 Elm Street",
            &[search("address")],
            &["no note about your address, so nothing was changed"],
        ),
        (
            "Forget my budget review",
            &[search("budget review"), delete("budget-review")],
            &["deleted the memory “my budget review is on Fridays”."],
        ),
        (
            "Change tulip42 to rose7",
            &[
                search("tulip42"),
                json!({"action": "save", "content": "the wifi password is rose7", "path": "wifi", "scope": "person"}),
            ],
            &["the wifi password is rose7"],
        ),
        (
            "Change the wifi password to abc",
            &[
                search("wifi password"),
                json!({"action": "save", "content": "the wifi password is abc", "path": "wifi", "scope": "person"}),
            ],
            &["the wifi password is abc"],
        ),
        ("remember", &[], &["What should I remember?"]),
        ("Stop saving things", &[], &["Nothing was saved"]),
        ("Edit my notes", &[], &["**content**"]),
        ("Close the door", &[], &["Close the door"]),
        (
            "Delete the wifi password",
            &[search("wifi password"), delete("wifi")],
            &["“the wifi password is tulip42”"],
        ),
        ("Delete my address", &[search("address")], &["no note about your address, so nothing was deleted"]),
        ("Delete everything you know about me", &all, &["I deleted 7 memories: budget review, flight"]),
    ]);
    let mut empty = World::new();
    assert_eq!(
        empty.say("Delete everything you know about me"),
        "There are no memories, so nothing was deleted."
    );
    empty.say("I sing in a choir on Tuesdays. Please remember that.");
    assert_eq!(empty.say("When do I sing?"), "You sing in a choir on Tuesdays.");
    empty.say("Merke dir, dass mein Zahnarzttermin am Dienstag ist");
    assert!(empty.say("Wann ist mein Zahnarzttermin?").contains("“mein Zahnarzttermin am Dienstag ist”"));
    empty.say("Remember that I'm allergic to nuts");
    assert!(empty.say("forget that").contains("deleted the memory “I'm allergic to nuts”"));
}

#[test]
fn it_says_what_it_is_once() {
    let mut world = World::new();
    let answers =
        ["Hello", "Why is the sky blue?", "Tell me a joke", "asdfgh", "How do planes fly?", "yes", "🙂"]
            .map(|text| world.say(text));
    let told = answers.iter().filter(|answer| answer.contains("demo model")).count();
    assert_eq!(told, 1, "{answers:#?}");
    assert!(answers[1..].iter().all(|answer| answer.len() < 200), "{answers:#?}");
}
