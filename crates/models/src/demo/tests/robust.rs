//! What must hold for any input: an answer, the same one each time, quickly, and in the promised form.

use std::time::{Duration, Instant};

use baton_core::models::{ChatMessage, ChatModel, ModelEvent, StopReason};
use baton_core::tools::ToolSpec;
use futures::StreamExt;
use serde_json::{Value, json};

use super::super::DemoModel;
use super::{COACH, ask, budgets, clock, memory, request, tool};

/// A generator that gives the same numbers on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

const WORDS: &[&str] = &[
    "remember",
    "my",
    "budget",
    "show",
    "when",
    "is",
    "the",
    "and",
    "tell",
    "me",
    "time",
    "to",
    "for",
    "42",
    "€5",
    "\"x",
    "lead",
    "?",
    ".",
    ":",
    "\n",
    "ABC-1",
    "a@b.co",
    "switch",
    "agent",
    "delete",
    "🙂",
    "مرحبا",
    "\0",
    "tomorrow",
    "that",
    "{",
    "}",
    "[x]",
    "create",
    "page",
    "about",
    "ß",
    "İ",
    "'",
    "”",
    "-",
    "…",
    "handoff",
    "yes",
    "no",
    "10:30",
    "in",
    "Berlin",
    "```",
    "<file",
    "|",
];

fn toolsets() -> Vec<Vec<ToolSpec>> {
    let odd = tool(
        "x",
        "",
        json!({"a": {"type": ["string", "null"]}, "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "c": {"type": "object", "properties": {"d": {"enum": [1, null]}}, "required": ["d"]}}),
        &["c"],
    );
    let nameless = tool(
        "create_",
        "Create a page about the time.",
        json!({"": {"type": "string"}, "_": {"type": "integer"}, "é": {"type": "array"}, "to": {"type": "array", "items": {}}}),
        &["", "_", "gone"],
    );
    let broken = ToolSpec { name: "broken".into(), description: "\0".into(), parameters: Value::Null };
    let strange = ToolSpec {
        name: "create_page".into(),
        description: "Creates a page.".into(),
        parameters: json!({"properties": 5, "required": "x"}),
    };
    let switch =
        tool("switch_agent", "Switch to another agent.", json!({"agent": {"type": "string"}}), &["agent"]);
    let route = tool(
        "route",
        "Decide.",
        json!({"decision": {"enum": ["stay", "switch"]}, "agent": {"type": "string"}}),
        &["decision", "agent"],
    );
    let stage = tool("complete_stage", "", json!({"company": {"type": "string"}}), &["company"]);
    vec![
        vec![],
        vec![memory(), budgets(), clock()],
        vec![odd, broken, strange, nameless],
        vec![switch, memory()],
        vec![route],
        vec![stage, memory()],
    ]
}

#[test]
fn every_message_gets_an_answer_and_the_same_one_again() {
    let mut dice = Dice(0x5eed);
    let toolsets = toolsets();
    for round in 0..200 {
        let length = 1 + dice.roll(14);
        let message: Vec<&str> = (0..length).map(|_| WORDS[dice.roll(WORDS.len())]).collect();
        let asked = message.join(" ");
        for (at, tools) in toolsets.iter().enumerate() {
            let request = request(COACH, tools.clone(), &asked);
            let reply = ask(&request);
            assert_eq!(reply.events, ask(&request).events, "{round}/{at} {asked:?}");
            assert!(matches!(reply.events.last(), Some(ModelEvent::End { .. })));
            assert!(matches!(reply.events.first(), Some(ModelEvent::Reasoning(_))), "{asked:?}");
            for (name, _) in &reply.calls {
                assert!(tools.iter().any(|tool| tool.name == *name), "{name} is not on offer");
            }
        }
    }
}

#[test]
fn loops_end_on_any_result() {
    let mut dice = Dice(7);
    let results = [
        "[]",
        "{}",
        "null",
        "{\"error\": {}}",
        "x",
        "",
        "[1, [2]]",
        "{\"content\": [{\"type\": \"text\", \"text\": \"{\"}]}",
        "\0",
        "[{\"path\": null}]",
    ];
    for _ in 0..100 {
        let message: Vec<&str> = (0..8).map(|_| WORDS[dice.roll(WORDS.len())]).collect();
        let mut asked =
            request(COACH, vec![memory(), budgets(), clock()], &format!("Forget {}", message.join(" ")));
        for round in 0.. {
            assert!(round <= 4, "goes round in circles: {:?}", asked.messages);
            let calls = ask(&asked).calls.len();
            if calls == 0 {
                break;
            }
            let answers: Vec<(&str, bool)> =
                (0..calls).map(|_| (results[dice.roll(results.len())], dice.roll(4) == 0)).collect();
            asked = super::answered(asked, &answers);
        }
    }
}

#[test]
fn odd_input_is_quick_and_harmless() {
    let huge = [
        "word ".repeat(40_000),
        "a".repeat(200_000),
        "🙂".repeat(50_000),
        "Remember: ".to_owned() + &"x: y. ".repeat(33_000),
        "\"".repeat(200_000),
        "((((".repeat(50_000),
        "12 34,5 €6 ".repeat(18_000),
        "\n".repeat(200_000),
        format!("<file name=\"a.csv\">\na,b\n{}</file>", "1,2\n".repeat(50_000)),
        "and tell and show and what ".repeat(7_500),
        "[a] {\"b\": ".repeat(20_000),
    ];
    for text in huge {
        let mut asked = request(COACH, vec![memory(), budgets(), clock()], &text);
        asked.system.context = Some(text.chars().take(16_000).collect());
        let begun = Instant::now();
        let reply = ask(&asked);
        let took = begun.elapsed();
        assert!(
            took < Duration::from_secs(1),
            "{took:?} for {:?}…",
            &text.chars().take(12).collect::<String>()
        );
        assert!(reply.text.len() < 4_000, "{}", reply.text.len());
    }
    for text in [
        "",
        " ",
        "\0",
        "🙂",
        "مرحبا كيف حالك؟",
        "\u{202e}abc",
        "?",
        "'",
        "ＦＵＬＬ",
        "İİİ ißt",
        "Wann ist mein Termin?",
        "e\u{301}\u{301}",
    ] {
        ask(&request(COACH, vec![memory(), budgets()], text));
    }
}

#[test]
fn requests_without_a_message_are_answered_too() {
    let mut asked = request("", vec![memory()], "");
    asked.messages.clear();
    ask(&asked);
    asked.messages = vec![ChatMessage::Results(vec![])];
    ask(&asked);
    asked.messages = vec![ChatMessage::User(vec![])];
    ask(&asked);
}

#[test]
fn usage_grows_with_what_is_read_and_said() {
    let small = ask(&request("", vec![], "Why is the sky blue?"));
    let large = ask(&request(&"You help. ".repeat(400), vec![memory()], "Why is the sky blue?"));
    assert!(small.usage.input_tokens >= 5 && large.usage.input_tokens > small.usage.input_tokens + 900);
    assert!(small.usage.output_tokens > small.usage.reasoning_tokens && small.usage.reasoning_tokens > 0);
}

#[test]
fn a_limit_on_output_is_kept_and_said() {
    let mut asked = request(COACH, vec![budgets()], "Why is the sky blue?");
    asked.max_output_tokens = 5;
    let reply = ask(&asked);
    assert_eq!(reply.stop, StopReason::MaxTokens);
    assert!(reply.text.len() <= 20);
}

#[tokio::test]
async fn words_come_at_the_pace_that_was_set() {
    let begun = Instant::now();
    let stream = DemoModel::new(Duration::from_millis(2)).call(request("", vec![], "Hello")).await.unwrap();
    let events: Vec<_> = stream.collect().await;
    let words = events.len() as u64 - 1;
    assert!(words > 10);
    assert!(begun.elapsed() >= Duration::from_millis(2 * words));
}
