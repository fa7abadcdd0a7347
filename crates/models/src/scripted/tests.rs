use baton_core::models::{AssistantMessage, CallResult, SystemPrompt, ToolCall};
use futures::{FutureExt, StreamExt};

use super::*;

fn user(text: &str) -> ChatMessage {
    ChatMessage::User(vec![UserPart::Text(text.into())])
}

fn calls(id: &str) -> ChatMessage {
    let call = ToolCall { id: id.into(), name: "t".into(), arguments: Default::default() };
    ChatMessage::Assistant(AssistantMessage { calls: vec![call], ..Default::default() })
}

fn results(id: &str) -> ChatMessage {
    ChatMessage::Results(vec![CallResult { call_id: id.into(), content: "r".into(), is_error: false }])
}

fn request(fixed: &str, messages: Vec<ChatMessage>) -> ModelRequest {
    ModelRequest {
        model: "any".into(),
        system: SystemPrompt { fixed: fixed.into(), context: None },
        messages,
        tools: Vec::new(),
        max_output_tokens: 10,
        demo: None,
    }
}

fn answer(script: &str, request: ModelRequest) -> Result<Vec<Result<ModelEvent, ModelError>>, ModelError> {
    let model = Scripted::from_json(script).unwrap();
    let stream = model.call(request).now_or_never().unwrap()?;
    Ok(stream.collect().now_or_never().unwrap())
}

fn text(script: &str, request: ModelRequest) -> String {
    let items = answer(script, request).unwrap();
    let words = items.into_iter().filter_map(|item| match item {
        Ok(ModelEvent::Text(text)) => Some(text),
        _ => None,
    });
    words.collect()
}

#[test]
fn replies_are_chosen_by_match_and_number_of_the_call() {
    let script = r#"{ "replies": [
        { "match": "weather", "text": "w1" },
        { "match": "weather", "text": "w2" },
        { "system": "Nora", "text": "n" },
        { "match": "tools", "after_tools": true, "text": "late" },
        { "match": "tools", "after_tools": false, "text": "early" },
        { "text": "default" }
    ] }"#;
    let table = [
        ("", vec![user("the weather?")], "w1"),
        ("", vec![user("the weather?"), calls("a"), results("a")], "w2"),
        ("", vec![user("the weather?"), calls("a"), results("a"), calls("b"), results("b")], "default"),
        ("", vec![user("weather"), calls("a"), results("a"), user("hello")], "default"),
        ("I am Nora.", vec![user("hello")], "n"),
        ("", vec![user("tools")], "early"),
        ("", vec![user("tools"), calls("a"), results("a")], "late"),
        ("", vec![user("tools"), calls("a"), results("a"), calls("b"), results("b")], "late"),
    ];
    for (fixed, messages, expected) in table {
        assert_eq!(text(script, request(fixed, messages.clone())), expected, "{messages:?}");
    }
    let none = answer(script, request("", vec![user("x"), calls("a"), results("a")]));
    assert_eq!(none, Err(ModelError::Rejected("the script has no reply to: r".into())));
}

#[test]
fn everything_a_reply_can_say() {
    let script = r#"{ "replies": [{
        "reasoning": "let me", "text": "I will look.",
        "calls": [{ "name": "find", "arguments": { "q": 1 } }, { "name": "bare" }, { "name": "bad", "arguments": "{q" }],
        "usage": { "input_tokens": 3, "output_tokens": 4 }
    }] }"#;
    let call = |id: &str, name: &str, arguments| {
        Ok(ModelEvent::Call(SaidCall { id: id.into(), name: name.into(), arguments }))
    };
    let said = |text: &str| Ok(ModelEvent::Text(text.into()));
    let reasoned = |text: &str| Ok(ModelEvent::Reasoning(text.into()));
    let usage = Usage { input_tokens: 3, output_tokens: 4, ..Usage::default() };
    let expected = vec![
        reasoned("let "),
        reasoned("me"),
        Ok(ModelEvent::Thinking(Thinking { text: "let me".into(), opaque: None })),
        said("I "),
        said("will "),
        said("look."),
        call("call_1", "find", Ok([("q".to_owned(), Value::from(1))].into_iter().collect())),
        call("call_2", "bare", Ok(Default::default())),
        call("call_3", "bad", Err("{q".into())),
        Ok(ModelEvent::End { stop: StopReason::ToolUse, usage }),
    ];
    let before = vec![user("one"), calls("call_0"), results("call_0"), user("two")];
    assert_eq!(answer(script, request("", before)), Ok(expected));
}

#[test]
fn failures() {
    let hi = || request("", vec![user("hi")]);
    let at_once = r#"{ "replies": [{ "error": "model_overloaded" }] }"#;
    assert_eq!(answer(at_once, hi()), Err(ModelError::Overloaded));
    let said = Ok(ModelEvent::Text("Well".into()));
    let later = r#"{ "replies": [{ "text": "Well", "error": "model_no_credit" }] }"#;
    assert_eq!(answer(later, hi()), Ok(vec![said.clone(), Err(ModelError::NoCredit)]));
    let cut = r#"{ "replies": [{ "text": "Well", "truncate": true }] }"#;
    assert_eq!(answer(cut, hi()), Ok(vec![said, Err(ModelError::Truncated)]));
    let stopped = r#"{ "replies": [{ "stop": "max_tokens" }] }"#;
    assert!(matches!(
        answer(stopped, hi()).unwrap().as_slice(),
        [Ok(ModelEvent::End { stop: StopReason::MaxTokens, .. })]
    ));
}

#[test]
fn scripts_are_checked_when_they_are_read() {
    for bad in [r#"{ "replies": [{ "txt": "typo" }] }"#, r#"{ "replies": [{ "error": "nope" }] }"#, "{}"] {
        assert!(Scripted::from_json(bad).is_err(), "{bad}");
    }
}
