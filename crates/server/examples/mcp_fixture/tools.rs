//! The tools, with the words that the suite looks for.

use baton_tools::mcp::serve::{Failure, Object, Reply, Request, Told};
use serde_json::{Value, json};

use crate::content::{PNG, WAV};
use crate::{input, object};

const ASKS_FIRST: &str = "test_input_required_result_";

const PLAIN: [&str; 11] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_error_handling",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_logging_tool",
];

pub fn list() -> Value {
    let asking = input::NAMES.iter().map(|name| format!("{ASKS_FIRST}{name}"));
    let names = PLAIN.iter().map(|name| (*name).to_owned()).chain(asking);
    let schema = json!({"type": "object", "properties": {}});
    let tools: Vec<Value> = names
        .map(|name| json!({"name": name, "description": "For the conformance suite", "inputSchema": schema}))
        .collect();
    json!({ "tools": tools })
}

pub fn text(text: &str) -> Result<Reply, Failure> {
    content(json!([{"type": "text", "text": text}]))
}

fn content(content: Value) -> Result<Reply, Failure> {
    Ok(Reply::Now(object(json!({"content": content, "isError": false}))))
}

pub fn call(name: &str, request: &Request) -> Result<Reply, Failure> {
    let embedded = |uri: &str, kind: &str, text: &str| json!({"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}});
    match name {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => content(json!([{"type": "image", "data": PNG, "mimeType": "image/png"}])),
        "test_audio_content" => content(json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}])),
        "test_embedded_resource" => {
            let words = "This is an embedded resource content.";
            content(json!([embedded("test://embedded-resource", "text/plain", words)]))
        }
        "test_multiple_content_types" => content(json!([
            {"type": "text", "text": "Multiple content types test:"},
            {"type": "image", "data": PNG, "mimeType": "image/png"},
            embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ])),
        "test_tool_with_logging" => {
            let said = ["Tool execution started", "Tool processing data", "Tool execution completed"];
            Ok(Reply::told(said.into_iter().map(log).chain([done("Logged.")]).collect()))
        }
        "test_tool_with_progress" => {
            let token = request.meta("progressToken").cloned();
            let steps = [0, 50, 100].into_iter().filter_map(|progress| {
                let params = json!({"progressToken": token.as_ref()?, "progress": progress, "total": 100});
                Some(Told::Notification { method: "notifications/progress", params: object(params) })
            });
            Ok(Reply::told(steps.chain([done("Progressed.")]).collect()))
        }
        "test_error_handling" => {
            let words = "This tool intentionally returns an error for testing";
            let failed = json!({"content": [{"type": "text", "text": words}], "isError": true});
            Ok(Reply::Now(object(failed)))
        }
        "test_missing_capability" => match request.capability("sampling") {
            Some(_) => text("The client can sample."),
            None => Err(Failure::missing_capability(json!({"sampling": {}}))),
        },
        "test_streaming_elicitation" => {
            let asked = json!({"streaming_elicitation": input::form("Go on?", "ok", "boolean")});
            let result = json!({"resultType": "input_required", "inputRequests": asked});
            Ok(Reply::told(vec![Told::Result(Ok(object(result)))]))
        }
        "test_logging_tool" => {
            let wanted = request.meta("io.modelcontextprotocol/logLevel").is_some();
            Ok(Reply::told(wanted.then(|| log("Asked for")).into_iter().chain([done("Said.")]).collect()))
        }
        other => match other.strip_prefix(ASKS_FIRST) {
            Some(name) => input::call(name, request),
            None => Err(Failure::invalid(format!("There is no tool {other}."))),
        },
    }
}

fn log(text: &str) -> Told {
    let params = Object::from_iter([("level".to_owned(), "info".into()), ("data".to_owned(), text.into())]);
    Told::Notification { method: "notifications/message", params }
}

fn done(text: &str) -> Told {
    let result = json!({"content": [{"type": "text", "text": text}], "isError": false});
    Told::Result(Ok(object(result)))
}
