//! The result of a tool call as it is stored, and the text for a call that a person did not allow.

use std::time::Duration;

use baton_core::log::ResultStep;
use serde_json::Value;

use crate::turn::state::{Call, Denial};

pub fn refused(refusal: &Denial) -> String {
    match refusal {
        Denial::Rejected { reason: Some(reason) } => {
            format!("The person did not allow this, and said: {reason}")
        }
        Denial::Rejected { reason: None } => "The person did not allow this. Don't try it again.".to_owned(),
        Denial::Expired => "Nobody allowed this in time, so it was not done.".to_owned(),
        Denial::Cancelled => "It was not done: the turn ended before anyone allowed it.".to_owned(),
    }
}

pub fn result(call: &Call, value: Value, success: bool, took: Duration) -> ResultStep {
    ResultStep {
        call_id: call.step.call_id.clone(),
        tool_name: call.step.tool_name.clone(),
        result: value,
        success,
        duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        unknown: false,
        wrote: false,
        kept: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
