//! Reads a JSON-RPC message. Clients send requests and notifications, one at a time; this server asks nothing, so there is
//! nothing to be answered.

use serde_json::Value;

use super::{Failure, Object};

pub enum Message {
    Request { id: Value, method: String, params: Object },
    Notification { method: String, params: Object },
}

/// The failure comes with the id, if that could be read.
pub fn read(body: &[u8]) -> Result<Message, (Option<Value>, Failure)> {
    let value: Value = serde_json::from_slice(body).map_err(|_| (None, Failure::unreadable()))?;
    let Value::Object(mut message) = value else {
        return Err((None, Failure::no_request("Send one JSON-RPC message: an object.")));
    };
    let id = message.remove("id");
    let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    let known = id.clone().filter(is_id);
    let refuse = |why: &str| (known.clone(), Failure::no_request(why));
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(refuse("jsonrpc must be \"2.0\"."));
    }
    let Some(Value::String(method)) = message.remove("method") else {
        return Err(refuse("method must be text. This server asks nothing, so it takes no answers."));
    };
    let params = match message.remove("params") {
        None => Object::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(refuse("params must be an object.")),
    };
    match id {
        None => Ok(Message::Notification { method, params }),
        Some(id) if is_id(&id) => Ok(Message::Request { id, method, params }),
        Some(_) => Err(refuse("id must be text or a whole number.")),
    }
}
