//! Prompts and resources, with the words that the suite looks for.

use baton_tools::mcp::serve::{Failure, Request};
use serde_json::{Value, json};

use crate::input;

/// One red dot.
pub const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound at all.
pub const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

pub fn prompts() -> Value {
    let argument = |name: &str| json!({"name": name, "description": "For the test", "required": true});
    json!({"prompts": [
        {"name": "test_simple_prompt", "description": "Without arguments"},
        {"name": "test_prompt_with_arguments", "description": "With two", "arguments": [argument("arg1"), argument("arg2")]},
        {"name": "test_prompt_with_embedded_resource", "description": "With a resource", "arguments": [argument("resourceUri")]},
        {"name": "test_prompt_with_image", "description": "With an image"},
        {"name": "test_input_required_result_prompt", "description": "Asks first"},
    ]})
}

pub fn prompt(name: &str, request: &Request) -> Result<Value, Failure> {
    let argument = |name: &str| {
        request.params.get("arguments").and_then(|given| given[name].as_str()).unwrap_or_default().to_owned()
    };
    let user = |content: Value| json!({"role": "user", "content": content});
    let text = |text: String| user(json!({"type": "text", "text": text}));
    let messages = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.".into())],
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            vec![text(format!("Prompt with arguments: arg1='{one}', arg2='{two}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let words = "Embedded resource content for testing.";
            let resource = json!({"uri": argument("resourceUri"), "mimeType": "text/plain", "text": words});
            vec![
                user(json!({"type": "resource", "resource": resource})),
                text("Please process the embedded resource above.".into()),
            ]
        }
        "test_prompt_with_image" => vec![
            user(json!({"type": "image", "data": PNG, "mimeType": "image/png"})),
            text("Please analyze the image above.".into()),
        ],
        "test_input_required_result_prompt" => match input::form_answer(request, "user_context", "context") {
            Some(context) => vec![text(format!("Use the context {context}."))],
            None => {
                let wanted = input::form("What context should the prompt use?", "context", "string");
                return Ok(
                    json!({"resultType": "input_required", "inputRequests": {"user_context": wanted}}),
                );
            }
        },
        other => return Err(Failure::invalid(format!("There is no prompt {other}."))),
    };
    Ok(json!({"description": "For the test", "messages": messages}))
}

pub fn resources() -> Value {
    let resource = |uri: &str, name: &str, kind: &str| json!({"uri": uri, "name": name, "description": "For the test", "mimeType": kind});
    json!({"resources": [
        resource("test://static-text", "Static text", "text/plain"),
        resource("test://static-binary", "Static binary", "image/png"),
    ]})
}

pub fn templates() -> Value {
    json!({"resourceTemplates": [
        {"uriTemplate": "test://template/{id}/data", "name": "Template", "description": "For the test", "mimeType": "application/json"},
    ]})
}

pub fn resource(params: &baton_tools::mcp::serve::Object) -> Result<Value, Failure> {
    let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    let (kind, name, content) = match (uri, id) {
        ("test://static-text", _) => {
            ("text/plain", "text", "This is the content of the static text resource.".into())
        }
        ("test://static-binary", _) => ("image/png", "blob", PNG.to_owned()),
        (_, Some(id)) => {
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            ("application/json", "text", data.to_string())
        }
        _ => {
            let failure = Failure::invalid("There is no such resource.");
            return Err(Failure { data: Some(json!({ "uri": uri })), ..failure });
        }
    };
    Ok(json!({"contents": [{"uri": uri, "mimeType": kind, name: content}]}))
}
