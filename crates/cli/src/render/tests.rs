//! Events in, text out, as tables. Ids are fixed, so that colours are.

use baton_core::events::Event;
use serde_json::{Value, json};

use super::{Ink, Layout, Reasoning, Renderer, To};
use crate::paint::{Paint, Style};

const AGENT: &str = "00000000-0000-0000-0000-000000000001";
const BEN: &str = "00000000-0000-0000-0000-000000000002";
const ONE: &str = "00000000-0000-0000-0000-00000000000a";
const TWO: &str = "00000000-0000-0000-0000-00000000000b";

fn event(kind: &str, more: Value) -> Event {
    let mut whole = json!({"type": kind, "messageId": ONE, "agentId": AGENT});
    whole.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    serde_json::from_value(whole).expect("an event")
}

fn start(message: &str, parts: Value) -> Event {
    let more = json!({"messageId": message, "agentName": "Coach", "avatarUrl": null, "attempt": 1, "parts": parts,
        "timestamp": "2026-01-01T00:00:00Z"});
    event("message_start", more)
}

fn text(content: &str) -> Event {
    event("text", json!({"content": content, "isComplete": false}))
}

fn text_in(message: &str, content: &str) -> Event {
    event("text", json!({"messageId": message, "content": content, "isComplete": false}))
}

fn text_end() -> Event {
    event("text", json!({"content": "", "isComplete": true}))
}

fn thought(content: &str) -> Event {
    event("reasoning", json!({"content": content, "isComplete": false}))
}

fn call(id: &str, name: &str, args: Value) -> Event {
    event("tool_start", json!({"toolCallId": id, "toolName": "x", "displayName": name, "args": args}))
}

fn result(id: &str, outcome: Result<u64, Value>) -> Event {
    let (success, millis, result) = match outcome {
        Ok(millis) => (true, millis, json!({})),
        Err(result) => (false, 3, result),
    };
    let more = json!({"toolCallId": id, "toolName": "x", "result": result, "success": success, "durationMs": millis});
    event("tool_result", more)
}

fn complete() -> Event {
    event("message_complete", json!({"status": "complete", "timestamp": "2026-01-01T00:00:00Z"}))
}

fn done(status: &str, cost: Value) -> Event {
    let usage = json!({"inputTokens": 1234, "outputTokens": 56, "cacheReadTokens": 0, "cacheWriteTokens": 0,
        "reasoningTokens": 0, "costUsd": cost});
    event("done", json!({"status": status, "usage": usage, "turnCount": 1}))
}

fn session(notice: Option<&str>) -> Event {
    let mut more = json!({"sessionId": ONE, "conversationId": ONE, "isResumed": false});
    if let Some(notice) = notice {
        more["notice"] = json!(notice);
    }
    event("session", more)
}

fn handoff(reason: Value, stage: Option<Value>) -> Event {
    let mut more = json!({"handoffId": ONE, "from": AGENT, "to": BEN, "toName": "Ben", "trigger": "model",
        "reason": reason, "context": {}, "epoch": 2});
    if let Some(stage) = stage {
        more["stage"] = stage;
    }
    event("handoff", more)
}

fn switched(by: &str) -> Event {
    event("switched", json!({"from": AGENT, "to": BEN, "toName": "Ben", "by": by, "epoch": 2}))
}

fn failed() -> Event {
    event("error", json!({"message": "The model is busy.", "code": "model_overloaded", "recoverable": true}))
}

fn ink(layout: Layout, paint: Paint, events: &[Event]) -> Vec<Ink> {
    let mut renderer = Renderer::new(layout, paint, Reasoning::Shown);
    events.iter().flat_map(|event| renderer.event(event)).collect()
}

fn on(to: To, ink: &[Ink]) -> String {
    ink.iter().filter(|ink| ink.to == to).map(|ink| ink.text.as_str()).collect()
}

#[test]
fn a_terminal_shows_a_turn_in_order() {
    let cases: Vec<(&str, Vec<Event>, &str)> = vec![
        (
            "a plain answer",
            vec![
                session(None),
                start(ONE, json!([])),
                text("Hel"),
                text("lo."),
                text_end(),
                complete(),
                done("completed", json!(0.0012)),
            ],
            "Coach\nHello.\n1,234 in · 56 out · $0.0012\n",
        ),
        (
            "thinking, a tool, an answer",
            vec![
                start(ONE, json!([])),
                thought("Let me "),
                thought("look."),
                text("\n\nOne moment."),
                call("c", "Memory", json!({"action": "save", "path": "a"})),
                result("c", Ok(12)),
                text("Done.\n"),
                complete(),
                done("completed", json!(null)),
            ],
            "Coach\nLet me look.\nOne moment.\n⚙ Memory save {\"path\":\"a\"}\n✓ 12 ms\nDone.\n1,234 in · 56 out · no price\n",
        ),
        (
            "calls side by side, one of which fails",
            vec![
                start(ONE, json!([])),
                call("a", "Memory", json!({})),
                call("b", "Clock", json!({})),
                result("b", Ok(1500)),
                result("a", Err(json!({"error": "There is no such note."}))),
            ],
            "Coach\n⚙ Memory\n⚙ Clock\n✓ Clock 1.5 s\n✗ There is no such note.\n",
        ),
        (
            "two paragraphs",
            vec![start(ONE, json!([])), text("One."), text_end(), text("Two."), text_end()],
            "Coach\nOne.\n\nTwo.\n",
        ),
        (
            "an error cuts a line",
            vec![start(ONE, json!([])), text("Half an ans"), failed(), done("failed", json!(0.0))],
            "Coach\nHalf an ans\nerror: The model is busy. (model_overloaded)\nfailed · 1,234 in · 56 out · $0\n",
        ),
        (
            "a message that starts again",
            vec![
                start(ONE, json!([])),
                text("Half an ans"),
                start(
                    ONE,
                    json!([{"type": "text", "text": "Kept."}, {"type": "tool-call", "toolCallId": "c", "toolName": "x",
                    "displayName": "Clock", "args": {}, "result": 1, "state": "completed", "durationMs": 4}]),
                ),
                text("And on."),
                complete(),
            ],
            "Coach\nHalf an ans\n(starting again)\nKept.\n⚙ Clock\n✓ 4 ms\nAnd on.\n",
        ),
        (
            "two messages",
            vec![
                start(ONE, json!([])),
                text("I pass."),
                complete(),
                start(TWO, json!([])),
                text_in(TWO, "I take."),
                complete(),
            ],
            "Coach\nI pass.\nCoach\nI take.\n",
        ),
        (
            "a handoff",
            vec![
                start(ONE, json!([])),
                text("One moment."),
                handoff(json!("It is about\na car."), None),
                complete(),
                start(TWO, json!([])),
                text_in(TWO, "Which car?"),
                complete(),
            ],
            "Coach\nOne moment.\n→ handed to Ben (It is about a car.)\nCoach\nWhich car?\n",
        ),
        (
            "stages, of which one has begun already",
            vec![
                start(
                    ONE,
                    json!([{"type": "stage", "handoffId": TWO, "from": AGENT, "to": BEN, "toName": "Ben", "epoch": 2,
                    "name": "write", "number": 2, "of": 3, "completed": "ask"}]),
                ),
                handoff(
                    json!(null),
                    Some(json!({"name": "check", "number": 3, "of": 3, "completed": "write"})),
                ),
            ],
            "Coach\n→ stage 2 of 3, write: handed to Ben\n→ stage 3 of 3, check: handed to Ben\n",
        ),
        (
            "a router's choice, with which the message begins too",
            vec![
                handoff(json!(null), None),
                start(
                    ONE,
                    json!([{"type": "handoff", "handoffId": ONE, "from": AGENT, "to": BEN, "toName": "Ben",
                    "trigger": "router", "context": {}, "epoch": 2}]),
                ),
                text("Hello."),
            ],
            "→ handed to Ben\nCoach\nHello.",
        ),
        (
            "someone greets while another speaks",
            vec![
                start(ONE, json!([])),
                text("Half a "),
                switched("user"),
                start(TWO, json!([{"type": "text", "text": "At your service."}])),
                event(
                    "message_complete",
                    json!({"messageId": TWO, "status": "complete", "timestamp": "2026-01-01T00:00:00Z"}),
                ),
                text("sentence."),
                complete(),
            ],
            "Coach\nHalf a \n→ switched to Ben\nCoach\nAt your service.\nCoach\nsentence.\n",
        ),
        (
            "who else has it, and why",
            vec![switched("user"), switched("fallback"), switched("rollback")],
            "→ switched to Ben\n→ Ben answers now: the agent before is gone\n→ back to Ben: the other could not answer\n",
        ),
        (
            "a notice, and someone else's decision",
            vec![
                session(Some("Your agent is back.")),
                event(
                    "approval_resolved",
                    json!({"approvalId": ONE, "toolCallId": "c", "decision": "approved", "by": "Sam"}),
                ),
                done("stopped", json!(0.0)),
            ],
            "Your agent is back.\napproved by Sam\nstopped · 1,234 in · 56 out · $0\n",
        ),
        (
            "what would steer the terminal",
            vec![
                start(ONE, json!([])),
                text("\u{1b}[2Jgone"),
                call("c", "\u{1b}]0;x\u{7}Tool", json!({})),
                complete(),
            ],
            "Coach\n\\u{1b}[2Jgone\n⚙ \\u{1b}]0;x\\u{7}Tool\n",
        ),
    ];
    for (name, events, expected) in cases {
        let ink = ink(Layout::Together, Paint::None, &events);
        let all: String = ink.iter().map(|ink| ink.text.as_str()).collect();
        assert_eq!(all, expected, "{name}");
    }
}

#[test]
fn apart_the_answer_is_the_text_and_nothing_else() {
    let events = [
        session(Some("A notice.")),
        start(ONE, json!([])),
        thought("Hm."),
        text("One \u{1b}moment."),
        call("c", "Clock", json!({})),
        result("c", Ok(1)),
        text("It is late."),
        complete(),
        done("completed", json!(0.5)),
    ];
    let ink = ink(Layout::Apart, Paint::None, &events);
    assert_eq!(on(To::Answer, &ink), "One \u{1b}moment.\n\nIt is late.\n");
    let aside = "A notice.\nCoach\nHm.\n⚙ Clock\n✓ 1 ms\n1,234 in · 56 out · $0.5000\n";
    assert_eq!(on(To::Aside, &ink), aside);
}

#[test]
fn colours_say_who_and_what() {
    let events = [session(Some("N")), start(ONE, json!([])), thought("Hm."), text("Yes."), failed()];
    let ink = ink(Layout::Together, Paint::Colours, &events);
    let all: String = ink.iter().map(|ink| ink.text.as_str()).collect();
    assert_eq!(
        all,
        "\x1b[33mN\x1b[0m\n\x1b[1;38;5;35mCoach\x1b[0m\n\x1b[2mHm.\x1b[0m\nYes.\n\
         \x1b[31merror: The model is busy. (model_overloaded)\x1b[0m\n"
    );
}

#[test]
fn whoever_is_handed_to_has_their_colour_already() {
    let ink = ink(Layout::Together, Paint::Colours, &[handoff(json!("cars"), None)]);
    let all: String = ink.iter().map(|ink| ink.text.as_str()).collect();
    assert_eq!(all, "\x1b[2m→ handed to \x1b[0m\x1b[1;38;5;133mBen\x1b[0m\x1b[2m (cars)\x1b[0m\n");
}

#[test]
fn reasoning_can_be_hidden() {
    let mut renderer = Renderer::new(Layout::Together, Paint::None, Reasoning::Hidden);
    let events = [start(ONE, json!([])), thought("Hm."), text("Yes."), complete()];
    let all: String = events.iter().flat_map(|event| renderer.event(event)).map(|ink| ink.text).collect();
    assert_eq!(all, "Coach\nYes.\n");
}

#[test]
fn a_note_or_a_question_begins_a_line_of_its_own() {
    let mut renderer = Renderer::new(Layout::Together, Paint::None, Reasoning::Shown);
    let mut all: Vec<Ink> =
        [start(ONE, json!([])), text("Half")].iter().flat_map(|it| renderer.event(it)).collect();
    all.extend(renderer.note(Style::Dim, "stopping …"));
    all.extend(renderer.prompt(Style::Bold, "you › "));
    all.extend(renderer.note(Style::Dim, "next"));
    let all: String = all.into_iter().map(|ink| ink.text).collect();
    assert_eq!(all, "Coach\nHalf\nstopping …\nyou › next\n");
}
