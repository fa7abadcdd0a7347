//! The tool calls of a reply as they are stored: each under an id that every vendor accepts and that was not used
//! before, with arguments that are a JSON object.

use baton_core::log::CallStep;
use baton_core::models::SaidCall;
use baton_core::text;
use baton_core::tools::Nature;
use serde_json::{Map, Value};

use crate::agent::ready::ReadyAgent;
use crate::agent::subtask_tools::display_name;
use crate::driver::tool_calls::{UNREADABLE, misfit};
use crate::nul::{clean, clean_map};

/// What the narrowest vendor takes.
const MAX_ID: usize = 40;

pub fn call_step(ready: &ReadyAgent, call: SaidCall, is_used: impl Fn(&str) -> bool) -> CallStep {
    let (call, through) = match &ready.searched {
        Some(searched) => searched.meant(call),
        None => (call, None),
    };
    let tool = ready.tools.get(&call.name);
    let hands_off = ready.handoffs.contains_key(&call.name);
    let asks = ready.subtask_tools.get(&call.name);
    let (args, nature) = match call.arguments {
        // A value that is nested deeper could be stored, but not read back.
        Ok(args) if args.values().any(|value| text::depth(value) >= text::MAX_DEPTH) => {
            unreadable(&Value::Object(args).to_string())
        }
        Ok(args) => {
            let args = clean_map(&args);
            // The calls of a subtask are checked in the subtask, one by one.
            let decided = hands_off || asks.is_some();
            // If a call can't be run, the model is told, and no person is asked.
            let fitting = tool.filter(|tool| misfit(tool.as_ref(), &args).is_none());
            let nature = if decided { Some(Nature::READS) } else { fitting.map(|tool| tool.nature(&args)) };
            (args, nature)
        }
        Err(raw) => unreadable(&raw),
    };
    CallStep {
        call_id: free_id(&call.id, is_used),
        display_name: match (asks, tool) {
            (Some(target), _) => clean(&display_name(target)),
            (None, Some(tool)) => tool.display_name(),
            (None, None) if hands_off => in_words(&call.name),
            (None, None) => clean(&call.name),
        },
        tool_name: clean(&call.name),
        through,
        args,
        nature,
        hands_off,
        loads_skill: tool.is_some_and(|tool| tool.loads_skill()),
    }
}

/// `handoff_to_sdr` as people read it.
fn in_words(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn unreadable(raw: &str) -> (Map<String, Value>, Option<Nature>) {
    (Map::from_iter([(UNREADABLE.to_owned(), Value::String(clean(raw)))]), None)
}

/// The vendor's id, or another if that was used before or isn't one every vendor takes.
fn free_id(id: &str, is_used: impl Fn(&str) -> bool) -> String {
    let is_plain = (1..=MAX_ID).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_plain && !is_used(id) {
        return id.to_owned();
    }
    // Nine letters and digits: what the strictest vendor takes.
    uuid::Uuid::new_v4().simple().to_string()[..9].to_owned()
}
