//! What the demo model says in one call: why, what, and which tools it calls.

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    pub name: String,
    pub arguments: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    pub reasoning: String,
    pub text: String,
    pub calls: Vec<Planned>,
}

impl Reply {
    pub fn text(reasoning: impl Into<String>, text: impl Into<String>) -> Self {
        Self { reasoning: reasoning.into(), text: text.into(), calls: Vec::new() }
    }

    pub fn call(reasoning: impl Into<String>, call: Planned) -> Self {
        Self { reasoning: reasoning.into(), text: String::new(), calls: vec![call] }
    }
}
