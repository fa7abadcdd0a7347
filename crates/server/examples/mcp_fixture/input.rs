//! Tools that need something of the client first: they say so in their result, and are called again with the answers. What they
//! have to remember goes along, signed.

use baton_server::secret;
use baton_tools::mcp::serve::{Failure, Reply, Request};
use serde_json::{Map, Value, json};

use crate::object;
use crate::tools::text;

const KEY: &str = "a key that is good for this process alone";

/// What is asked by a form with one field.
pub fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    json!({"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}})
}

fn sampling(question: &str) -> Value {
    let messages = json!([{"role": "user", "content": {"type": "text", "text": question}}]);
    json!({"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 100}})
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

fn answer<'a>(request: &'a Request, key: &str) -> Option<&'a Value> {
    request.params.get("inputResponses")?.get(key)
}

/// What someone wrote in a form's field; nothing if they declined, or it was no answer to the form.
pub fn form_answer(request: &Request, key: &str, field: &str) -> Option<String> {
    let given = answer(request, key).filter(|given| given["action"] == "accept")?;
    match &given["content"][field] {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn sign(state: &str) -> String {
    let hash = secret::hash(&format!("{KEY} {state}"));
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{state}.{hex}")
}

/// What was signed before; a state that this server did not sign is refused.
fn state(request: &Request) -> Result<Option<String>, Failure> {
    let Some(given) = request.params.get("requestState") else { return Ok(None) };
    let given = given.as_str().unwrap_or_default();
    let state = given.split_once('.').map_or(given, |(state, _)| state);
    if sign(state) == given {
        Ok(Some(state.to_owned()))
    } else {
        Err(Failure::invalid("requestState was changed."))
    }
}

fn required(requests: Map<String, Value>, state: Option<&str>) -> Result<Reply, Failure> {
    let mut result = json!({"resultType": "input_required", "inputRequests": requests});
    if let Some(state) = state {
        result["requestState"] = sign(state).into();
    }
    Ok(Reply::Now(object(result)))
}

fn one(key: &str, request: Value) -> Map<String, Value> {
    Map::from_iter([(key.to_owned(), request)])
}

pub fn call(name: &str, request: &Request) -> Result<Reply, Failure> {
    let state = state(request)?;
    match name {
        "elicitation" => match form_answer(request, "user_name", "name") {
            Some(name) => text(&format!("Hello, {name}!")),
            None => required(one("user_name", form("What is your name?", "name", "string")), None),
        },
        "sampling" => match answer(request, "capital_question") {
            Some(given) => text(given["content"]["text"].as_str().unwrap_or_default()),
            None => required(one("capital_question", sampling("What is the capital of France?")), None),
        },
        "list_roots" => match answer(request, "client_roots") {
            Some(given) => text(&format!("The roots: {}", given["roots"])),
            None => required(one("client_roots", roots()), None),
        },
        "request_state" | "tampered_state" => match (form_answer(request, "confirm", "ok"), state) {
            (Some(_), Some(_)) => text("state-ok"),
            _ => required(one("confirm", form("Please confirm", "ok", "boolean")), Some("asked")),
        },
        "multiple_inputs" => {
            let keys = ["user_name", "greeting", "client_roots"];
            if state.is_some() && keys.iter().all(|key| answer(request, key).is_some()) {
                return text("All three answered.");
            }
            let asked =
                [form("What is your name?", "name", "string"), sampling("Generate a greeting"), roots()];
            required(keys.map(str::to_owned).into_iter().zip(asked).collect(), Some("asked"))
        }
        "multi_round" => {
            let second = || form("Step 2: What is your favorite color?", "color", "string");
            match (state.as_deref(), answer(request, "step1"), answer(request, "step2")) {
                (Some("second"), _, Some(_)) => text("Both steps answered."),
                (Some("first"), Some(_), _) | (Some("second"), _, None) => {
                    required(one("step2", second()), Some("second"))
                }
                _ => required(
                    one("step1", form("Step 1: What is your name?", "name", "string")),
                    Some("first"),
                ),
            }
        }
        "capabilities" => {
            let possible = [
                ("elicitation", "user_name", form("What is your name?", "name", "string")),
                ("sampling", "question", sampling("What is the capital of France?")),
                ("roots", "client_roots", roots()),
            ];
            let asked =
                possible.into_iter().filter(|(capability, ..)| request.capability(capability).is_some());
            let asked: Map<String, Value> = asked.map(|(_, key, asked)| (key.to_owned(), asked)).collect();
            if asked.is_empty() {
                text("This client can't be asked anything.")
            } else {
                required(asked, None)
            }
        }
        other => Err(Failure::invalid(format!("There is no tool test_input_required_result_{other}."))),
    }
}

/// The names of these tools, after what all begin with.
pub const NAMES: [&str; 8] = [
    "elicitation",
    "sampling",
    "list_roots",
    "request_state",
    "tampered_state",
    "multiple_inputs",
    "multi_round",
    "capabilities",
];
