//! Golden streams of the Messages API, and of servers that imitate it loosely.

use serde_json::json;

use super::*;

/// What these events make, up to the end of the connection.
fn read(frames: &[Value]) -> Result<Vec<ModelEvent>, ModelError> {
    let (mut machine, mut events) = (Machine::default(), Vec::new());
    for frame in frames {
        let mut out = Events::default();
        machine.data(&frame.to_string(), &mut out).map_err(|failure| failure.error)?;
        events.extend(out);
    }
    if !matches!(events.last(), Some(ModelEvent::End { .. })) {
        let mut out = Events::default();
        machine.end(&mut out)?;
        events.extend(out);
    }
    Ok(events)
}

fn start() -> Value {
    json!({ "type": "message_start", "message": { "id": "m", "usage": {
        "input_tokens": 10, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 30, "output_tokens": 1,
    } } })
}

fn block(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn text(index: u64, text: &str) -> Value {
    delta(index, json!({ "type": "text_delta", "text": text }))
}

fn input(index: u64, partial: &str) -> Value {
    delta(index, json!({ "type": "input_json_delta", "partial_json": partial }))
}

fn close(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn message_delta(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 7 } })
}

fn message_stop() -> Value {
    json!({ "type": "message_stop" })
}

const USAGE: Usage = Usage {
    input_tokens: 60,
    cache_read_tokens: 30,
    cache_write_tokens: 20,
    output_tokens: 7,
    reasoning_tokens: 0,
};

fn end(stop: StopReason) -> ModelEvent {
    ModelEvent::End { stop, usage: USAGE }
}

fn said(text: &str) -> ModelEvent {
    ModelEvent::Text(text.into())
}

fn call(id: &str, arguments: Result<Value, &str>) -> ModelEvent {
    let arguments = arguments.map(|value| value.as_object().unwrap().clone()).map_err(str::to_owned);
    ModelEvent::Call(SaidCall { id: id.into(), name: "find".into(), arguments })
}

#[test]
fn text_then_a_call() {
    let frames = [
        start(),
        json!({ "type": "ping" }),
        block(0, json!({ "type": "text", "text": "" })),
        text(0, "Grüße, "),
        text(0, "\"世界\""),
        close(0),
        block(1, json!({ "type": "tool_use", "id": "t1", "name": "find", "input": {} })),
        input(1, ""),
        input(1, "{\"q\": \"a\\"),
        input(1, "nb\"}"),
        close(1),
        block(2, json!({ "type": "tool_use", "id": "t2", "name": "find", "input": {} })),
        close(2),
        message_delta("tool_use"),
        message_stop(),
    ];
    let expected = vec![
        said("Grüße, "),
        said("\"世界\""),
        call("t1", Ok(json!({ "q": "a\nb" }))),
        call("t2", Ok(json!({}))),
        end(StopReason::ToolUse),
    ];
    assert_eq!(read(&frames), Ok(expected));
}

#[test]
fn thinking_is_kept_as_it_came() {
    let frames = [
        start(),
        block(0, json!({ "type": "thinking", "thinking": "", "signature": "", "new_field": [1] })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "hm " })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "so" })),
        delta(0, json!({ "type": "signature_delta", "signature": "sig==" })),
        close(0),
        block(1, json!({ "type": "redacted_thinking", "data": "xyz" })),
        close(1),
        block(2, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(2, json!({ "type": "signature_delta", "signature": "hidden" })),
        close(2),
        block(3, json!({ "type": "text", "text": "Yes" })),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": {
            "output_tokens": 7, "output_tokens_details": { "thinking_tokens": 5 },
        } }),
        message_stop(),
    ];
    let thinking =
        |text: &str, opaque| ModelEvent::Thinking(Thinking { text: text.into(), opaque: Some(opaque) });
    let expected = vec![
        ModelEvent::Reasoning("hm ".into()),
        ModelEvent::Reasoning("so".into()),
        thinking(
            "hm so",
            json!({ "type": "thinking", "thinking": "hm so", "signature": "sig==", "new_field": [1] }),
        ),
        thinking("", json!({ "type": "redacted_thinking", "data": "xyz" })),
        thinking("", json!({ "type": "thinking", "thinking": "", "signature": "hidden" })),
        said("Yes"),
        ModelEvent::End { stop: StopReason::End, usage: Usage { reasoning_tokens: 5, ..USAGE } },
    ];
    assert_eq!(read(&frames), Ok(expected));
}

#[test]
fn what_is_unknown_is_skipped() {
    let frames = [
        start(),
        json!({ "type": "some_new_event", "index": "not a number yet" }),
        block(0, json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} })),
        input(0, "{}"),
        close(0),
        block(1, json!({ "type": "text", "text": "" })),
        delta(1, json!({ "type": "citations_delta", "citation": {} })),
        text(1, "Hi"),
        close(1),
        message_delta("end_turn"),
        message_stop(),
    ];
    assert_eq!(read(&frames), Ok(vec![said("Hi"), end(StopReason::End)]));
    let unreadable = json!({ "type": "content_block_delta", "index": "not a number", "delta": {} });
    assert_eq!(read(&[start(), unreadable]), Err(ModelError::Truncated));
}

#[test]
fn reasons_to_stop() {
    let table = [
        ("end_turn", StopReason::End),
        ("stop_sequence", StopReason::End),
        ("pause_turn", StopReason::End),
        ("max_tokens", StopReason::MaxTokens),
        ("refusal", StopReason::Refusal),
        ("model_context_window_exceeded", StopReason::MaxTokens),
        ("something_new", StopReason::End),
        ("tool_use", StopReason::End),
    ];
    for (reason, stop) in table {
        let frames = [start(), text(0, "Hi"), message_delta(reason), message_stop()];
        assert_eq!(read(&frames), Ok(vec![said("Hi"), end(stop)]), "{reason}");
    }
    let frames = [start(), message_delta("model_context_window_exceeded"), message_stop()];
    assert_eq!(read(&frames), Err(ModelError::ContextTooLong));
    let frames = [start(), message_delta("refusal"), message_stop()];
    assert_eq!(read(&frames), Ok(vec![end(StopReason::Refusal)]));
}

#[test]
fn a_call_cut_by_the_limit_keeps_its_raw_text() {
    let frames = [
        start(),
        block(0, json!({ "type": "tool_use", "id": "t", "name": "find", "input": {} })),
        input(0, "{\"q\": \"a"),
        message_delta("max_tokens"),
        message_stop(),
    ];
    assert_eq!(read(&frames), Ok(vec![call("t", Err("{\"q\": \"a")), end(StopReason::MaxTokens)]));
}

#[test]
fn lookalikes() {
    let whole = json!({ "type": "tool_use", "name": "find", "input": { "q": 1 } });
    let frames = [start(), block(0, whole), close(0), message_delta("end_turn"), message_stop()];
    assert_eq!(read(&frames), Ok(vec![call("call_0", Ok(json!({ "q": 1 }))), end(StopReason::ToolUse)]));
}

#[test]
fn ends() {
    let complete = [start(), text(0, "Hi"), message_delta("end_turn")];
    assert_eq!(read(&complete), Ok(vec![said("Hi"), end(StopReason::End)]), "without message_stop");
    assert_eq!(read(&complete[..2]), Err(ModelError::Truncated));
    assert_eq!(read(&[]), Err(ModelError::Truncated));
    let error = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    assert_eq!(read(&[start(), error]), Err(ModelError::Overloaded));
}

#[test]
fn input_counts_in_the_last_report_replace_those_in_the_first() {
    let last = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": {
        "input_tokens": 11, "cache_creation_input_tokens": null, "cache_read_input_tokens": 0, "output_tokens": 9,
    } });
    let usage =
        Usage { input_tokens: 31, cache_read_tokens: 0, cache_write_tokens: 20, output_tokens: 9, ..USAGE };
    assert_eq!(
        read(&[start(), last, message_stop()]),
        Ok(vec![ModelEvent::End { stop: StopReason::End, usage }])
    );
}
