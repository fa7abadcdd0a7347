//! Golden streams of chat completions, as OpenAI sends them and as others do.

use baton_core::models::SaidCall;
use serde_json::json;

use super::*;

/// What these chunks make, up to the end of the connection.
fn read(chunks: &[&str]) -> Result<Vec<ModelEvent>, ModelError> {
    let (mut machine, mut events) = (Machine::default(), Vec::new());
    for chunk in chunks {
        let mut out = Events::default();
        machine.data(chunk, &mut out).map_err(|failure| failure.error)?;
        events.extend(out);
        if matches!(events.last(), Some(ModelEvent::End { .. })) {
            return Ok(events);
        }
    }
    let mut out = Events::default();
    machine.end(&mut out)?;
    events.extend(out);
    Ok(events)
}

fn end(stop: StopReason, input_tokens: u64, output_tokens: u64) -> ModelEvent {
    ModelEvent::End { stop, usage: Usage { input_tokens, output_tokens, ..Usage::default() } }
}

fn said(text: &str) -> ModelEvent {
    ModelEvent::Text(text.into())
}

fn reasoned(text: &str) -> ModelEvent {
    ModelEvent::Reasoning(text.into())
}

fn thought(text: &str) -> ModelEvent {
    ModelEvent::Thinking(Thinking { text: text.into(), opaque: None })
}

fn call(id: &str, name: &str, arguments: Value) -> ModelEvent {
    let arguments = Ok(arguments.as_object().unwrap().clone());
    ModelEvent::Call(SaidCall { id: id.into(), name: name.into(), arguments })
}

#[test]
fn openai() {
    let chunks = [
        r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"Gr\u00fc\u00dfe"},"finish_reason":null}],"usage":null}"#,
        r#"{"choices":[{"index":0,"delta":{"content":", \"世界\""},"finish_reason":null}],"usage":null}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":50,"completion_tokens":9,"total_tokens":59,"prompt_tokens_details":{"cached_tokens":40,"cache_write_tokens":5,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":3}}}"#,
        "[DONE]",
    ];
    let usage = Usage {
        input_tokens: 50,
        cache_read_tokens: 40,
        cache_write_tokens: 5,
        output_tokens: 9,
        reasoning_tokens: 3,
    };
    let expected = vec![said("Grüße"), said(", \"世界\""), ModelEvent::End { stop: StopReason::End, usage }];
    assert_eq!(read(&chunks), Ok(expected));
}

#[test]
fn calls_of_openai() {
    let chunks = [
        r#"{"choices":[{"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"find","arguments":""}}]},"finish_reason":null}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\":"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}},{"index":1,"id":"b","function":{"name":"put","arguments":""}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#,
        "[DONE]",
    ];
    let expected = vec![
        call("a", "find", json!({ "q": 1 })),
        call("b", "put", json!({})),
        end(StopReason::ToolUse, 5, 2),
    ];
    assert_eq!(read(&chunks), Ok(expected));
}

#[test]
fn vllm_reasons_in_reasoning_and_counts_on_every_chunk() {
    let chunks = [
        r#"{"choices":[{"delta":{"role":"assistant","content":""}}],"usage":{"prompt_tokens":5,"completion_tokens":0}}"#,
        r#"{"choices":[{"delta":{"reasoning":"hm"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}"#,
        r#"{"choices":[{"delta":{"reasoning":", so","reasoning_content":", so"}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#,
        r#"{"choices":[{"delta":{"content":"Yes"},"finish_reason":"stop","stop_reason":null}],"usage":{"prompt_tokens":5,"completion_tokens":3}}"#,
        "[DONE]",
    ];
    let expected =
        vec![reasoned("hm"), reasoned(", so"), said("Yes"), thought("hm, so"), end(StopReason::End, 5, 3)];
    assert_eq!(read(&chunks), Ok(expected));
}

#[test]
fn deepseek_reasons_then_calls() {
    let chunks = [
        r#"{"choices":[{"delta":{"content":null,"reasoning_content":"look"}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"find","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"content":""},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_cache_hit_tokens":4}}"#,
        "[DONE]",
    ];
    let usage = Usage { input_tokens: 5, output_tokens: 2, cache_read_tokens: 4, ..Usage::default() };
    let expected = vec![
        reasoned("look"),
        thought("look"),
        call("a", "find", json!({})),
        ModelEvent::End { stop: StopReason::ToolUse, usage },
    ];
    assert_eq!(read(&chunks), Ok(expected));
}

#[test]
fn llama_cpp_leaves_think_tags_in_content() {
    let chunks = [
        r#"{"choices":[{"delta":{"content":"<thi"}}]}"#,
        r#"{"choices":[{"delta":{"content":"nk>hm"}}]}"#,
        r#"{"choices":[{"delta":{"content":"</think>\n\nYes"}}]}"#,
        r#"{"choices":[{"delta":{"content":"."},"finish_reason":"stop"}],"timings":{"prompt_n":1}}"#,
    ];
    let expected = vec![reasoned("hm"), said("Yes"), said("."), thought("hm"), end(StopReason::End, 0, 0)];
    assert_eq!(read(&chunks), Ok(expected));
}

#[test]
fn ollama_says_stop_after_whole_calls() {
    let chunks = [
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"a","index":0,"type":"function","function":{"name":"find","arguments":"{}"}}]},"finish_reason":null}]}"#,
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"b","index":0,"type":"function","function":{"name":"find","arguments":"{}"}}]},"finish_reason":null}]}"#,
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ];
    let expected =
        vec![call("a", "find", json!({})), call("b", "find", json!({})), end(StopReason::ToolUse, 0, 0)];
    assert_eq!(read(&chunks), Ok(expected));
}

#[test]
fn reasons_to_stop() {
    let table = [
        ("stop", StopReason::End),
        ("eos", StopReason::End),
        ("length", StopReason::MaxTokens),
        ("content_filter", StopReason::Refusal),
        ("tool_calls", StopReason::End),
        ("function_call", StopReason::End),
    ];
    for (reason, stop) in table {
        let chunk =
            json!({ "choices": [{ "delta": { "content": "Hi" }, "finish_reason": reason }] }).to_string();
        assert_eq!(read(&[&chunk, "[DONE]"]), Ok(vec![said("Hi"), end(stop, 0, 0)]), "{reason}");
    }
    let refusal = r#"{"choices":[{"delta":{"refusal":"I can't."},"finish_reason":"stop"}]}"#;
    assert_eq!(read(&[refusal]), Ok(vec![said("I can't."), end(StopReason::Refusal, 0, 0)]));
}

#[test]
fn ends() {
    let hi = r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":""}]}"#;
    let stop = r#"{"choices":[{"delta":null,"finish_reason":"stop"}]}"#;
    assert_eq!(read(&[hi, stop]), Ok(vec![said("Hi"), end(StopReason::End, 0, 0)]), "without [DONE]");
    assert_eq!(read(&[hi, " [DONE] "]), Err(ModelError::Truncated), "without finish_reason");
    assert_eq!(read(&[hi]), Err(ModelError::Truncated));
    assert_eq!(read(&[]), Err(ModelError::Truncated));
    assert_eq!(read(&["{\"choices\":["]), Err(ModelError::Truncated), "unreadable");
    assert_eq!(read(&["ping", hi, stop]).map(|events| events.len()), Ok(2), "no JSON at all is skipped");
    let in_one = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    assert_eq!(read(&[in_one]), Ok(vec![said("Hi"), end(StopReason::End, 0, 0)]), "in one piece");
}

#[test]
fn errors_inside_the_stream() {
    let table = [
        (r#"{"error":{"message":"slow down","code":429}}"#, ModelError::Overloaded),
        (
            r#"{"error":{"message":"too long","code":"context_length_exceeded","type":"invalid_request_error"}}"#,
            ModelError::ContextTooLong,
        ),
        (
            r#"{"choices":[{"delta":{},"finish_reason":"error","error":{"code":502}}]}"#,
            ModelError::Unreachable,
        ),
    ];
    for (chunk, error) in table {
        assert_eq!(read(&[chunk]), Err(error), "{chunk}");
    }
}
