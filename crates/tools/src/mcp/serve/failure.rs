//! Why a request gets no result: a JSON-RPC error with the HTTP status that belongs to it.

use serde_json::{Value, json};

use super::protocol::SUPPORTED;

#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub status: u16,
    pub code: i32,
    /// For the client, and whoever reads its log.
    pub message: String,
    pub data: Option<Value>,
}

impl Failure {
    fn new(status: u16, code: i32, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), data: None }
    }

    pub fn unreadable() -> Self {
        Self::new(400, -32700, "The body is not valid JSON.")
    }

    /// It is no message of the protocol.
    pub fn no_request(message: impl Into<String>) -> Self {
        Self::new(400, -32600, message)
    }

    pub fn no_such_method(method: &str) -> Self {
        Self::new(404, -32601, format!("There is no method {method}."))
    }

    /// What the protocol asks of every request is not there.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(400, -32602, message)
    }

    /// It is in order, but what it names is not there or doesn't fit.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(200, -32602, message)
    }

    /// The server can't do it now. The text never says why: that is in the log.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(200, -32603, message)
    }

    pub fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(400, -32020, message)
    }

    /// `needed` is written as the client would declare it.
    pub fn missing_capability(needed: Value) -> Self {
        let error = Self::new(400, -32021, "This needs a capability that the client has not declared.");
        Self { data: Some(json!({ "requiredCapabilities": needed })), ..error }
    }

    pub fn unsupported_version(requested: &str) -> Self {
        let error = Self::new(400, -32022, "This server does not speak that version of the protocol.");
        Self { data: Some(json!({"supported": SUPPORTED, "requested": requested})), ..error }
    }

    /// As JSON-RPC says it; without an id where none could be read.
    pub fn message(&self, id: Option<&Value>) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        let mut message = json!({"jsonrpc": "2.0", "error": error});
        if let Some(id) = id {
            message["id"] = id.clone();
        }
        message
    }
}
