//! Starters: first messages that an agent or a team offers. A starter may name a tool call; for exactly that text the
//! demo model makes this call. A real model reads a starter like any other message.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::text::{self, Invalid};

pub const MAX_STARTERS: usize = 4;
pub const MAX_TEXT: usize = 300;
const MAX_ARGS_BYTES: usize = 4_096;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Starter {
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Of the call; a date can be `today` or `today+3`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

pub fn checked(starters: &[Starter]) -> Result<Vec<Starter>, Invalid> {
    if starters.len() > MAX_STARTERS {
        return Err(Invalid::new("starters", format!("must be at most {MAX_STARTERS}")));
    }
    starters.iter().enumerate().map(|(at, starter)| one(at, starter)).collect()
}

fn one(at: usize, starter: &Starter) -> Result<Starter, Invalid> {
    let field = |name: &str| format!("starters[{at}].{name}");
    let args = Value::Object(starter.args.clone());
    if args.to_string().len() > MAX_ARGS_BYTES {
        return Err(Invalid::new(field("args"), "must be at most 4 KiB"));
    }
    text::json(&field("args"), &args)?;
    let tool = starter.tool.as_deref().filter(|tool| !tool.trim().is_empty());
    if tool.is_none() && !starter.args.is_empty() {
        return Err(Invalid::new(field("tool"), "is missing: the arguments are for a tool"));
    }
    Ok(Starter {
        text: text::line(&field("text"), &starter.text, MAX_TEXT)?,
        tool: tool.map(|tool| text::line(&field("tool"), tool, 100)).transpose()?,
        args: starter.args.clone(),
    })
}

#[cfg(test)]
mod tests;
