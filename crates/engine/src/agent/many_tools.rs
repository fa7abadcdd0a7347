//! Many tools. Above a share of what the model reads at once, the tools that people brought are not sent with every call: the
//! model finds them with one tool and calls them by another. A call is the call of the tool that it names, in all but in
//! what the model is shown of it: it is checked, approved, run and logged under that name.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use baton_core::log::CallStep;
use baton_core::models::SaidCall;
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value, json};

use crate::agent::tool_search::ToolIndex;
use crate::sizes::{json_size, tokens_in, tools_size};

pub const SEARCH: &str = "search_tools";
pub const CALL: &str = "call_tool";
/// One part in so many of the window.
const SHARE: u64 = 20;
const FOUND: u64 = 5;
const MOST_FOUND: u64 = 20;
/// About how many bytes of descriptions and schemas one search gives; the best tool is always told.
const MOST_BYTES: usize = 40_000;
/// Servers and tools that the description of the search names.
const MOST_NAMED: usize = 40;

/// Whether these tools take more than a twentieth of a window of so many tokens. Tokens are guessed: four bytes each, of
/// descriptions and schemas.
pub fn are_too_many<'a>(specs: impl Iterator<Item = &'a ToolSpec>, window: u64) -> bool {
    tokens_in(tools_size(specs)) > window / SHARE
}

/// The tools that are searched for.
pub struct Searched {
    /// What they are called by, as models are sent it.
    pub call: String,
    pub search: String,
    pub specs: Arc<[ToolSpec]>,
    names: Arc<HashSet<String>>,
}

impl Searched {
    pub fn new(specs: Vec<ToolSpec>, search: String, call: String) -> Self {
        let names = specs.iter().map(|spec| spec.name.clone()).collect();
        Self { call, search, specs: specs.into(), names: Arc::new(names) }
    }

    /// The two tools by which the others are found and called.
    pub fn means(&self) -> [Arc<dyn Tool>; 2] {
        let index = ToolIndex::of(&self.specs);
        let search = SearchTools { specs: self.specs.clone(), index, call: self.call.clone() };
        let call = CallTool { names: self.names.clone(), search: self.search.clone() };
        [Arc::new(search), Arc::new(call)]
    }

    /// Whether a tool is one of the two.
    pub fn is_means(&self, name: &str) -> bool {
        name == self.call || name == self.search
    }

    /// The call of the tool that is meant, and by what it was named. Who calls such a tool by its own name means the same.
    pub fn meant(&self, said: SaidCall) -> (SaidCall, Option<String>) {
        if self.names.contains(&said.name) {
            return (said, Some(self.call.clone()));
        }
        if said.name != self.call {
            return (said, None);
        }
        let inner = said.arguments.as_ref().ok().and_then(|given| self.inner(given));
        match inner {
            Some((name, arguments)) => {
                (SaidCall { name, arguments: Ok(arguments), ..said }, Some(self.call.clone()))
            }
            None => (said, None),
        }
    }

    /// The tool and its arguments; none if the call is not what it should be, or the agent has no such tool to search for.
    fn inner(&self, given: &Map<String, Value>) -> Option<(String, Map<String, Value>)> {
        let name = given.get("name")?.as_str().filter(|name| self.names.contains(*name))?;
        let arguments = match given.get("arguments") {
            None => Map::new(),
            Some(arguments) => arguments.as_object()?.clone(),
        };
        let is_whole = given.keys().all(|key| matches!(key.as_str(), "name" | "arguments"));
        is_whole.then(|| (name.to_owned(), arguments))
    }
}

/// A call with these arguments as the model said it: what was named by another tool is shown as that tool's call.
pub fn as_said(call: &CallStep, arguments: Map<String, Value>) -> (String, Map<String, Value>) {
    match &call.through {
        None => (call.tool_name.clone(), arguments),
        Some(through) => {
            let outer =
                [("name".to_owned(), json!(call.tool_name)), ("arguments".to_owned(), json!(arguments))];
            (through.clone(), Map::from_iter(outer))
        }
    }
}

pub fn search_spec(specs: &[ToolSpec]) -> ToolSpec {
    ToolSpec {
        name: SEARCH.to_owned(),
        description: format!(
            "Finds tools by words of their names and descriptions. Beside the tools that you see there are {} more: {}. Search \
             before you say that you can't do something; then call what you found with {CALL}.",
            specs.len(),
            sources(specs)
        ),
        parameters: json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "What the tool should do, in a few words"},
                "limit": {"type": "integer", "minimum": 1, "maximum": MOST_FOUND, "description": format!("The most tools to find. Left out: {FOUND}.")},
            },
            "required": ["query"],
            "additionalProperties": false,
        }),
    }
}

pub fn call_spec() -> ToolSpec {
    ToolSpec {
        name: CALL.to_owned(),
        description: format!(
            "Calls a tool that {SEARCH} found, by its name and with arguments that fit its input_schema."
        ),
        parameters: json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1, "description": "The tool's name, as it was found"},
                "arguments": {"type": "object", "description": "What the tool is called with"},
            },
            "required": ["name"],
            "additionalProperties": false,
        }),
    }
}

/// What the tools belong to: servers with how many tools they have, and those that are by themselves.
fn sources(specs: &[ToolSpec]) -> String {
    let mut sources: Vec<(&str, usize)> = Vec::new();
    for spec in specs {
        let source = spec.name.split_once("__").map_or(spec.name.as_str(), |(server, _)| server);
        match sources.iter_mut().find(|(name, _)| *name == source) {
            Some((_, count)) => *count += 1,
            None => sources.push((source, 1)),
        }
    }
    let named = sources.iter().take(MOST_NAMED).map(|(name, count)| match count {
        1 => (*name).to_owned(),
        count => format!("{name} ({count})"),
    });
    let mut told = named.collect::<Vec<_>>().join(", ");
    if sources.len() > MOST_NAMED {
        told.push_str(&format!(" and {} others", sources.len() - MOST_NAMED));
    }
    told
}

struct SearchTools {
    specs: Arc<[ToolSpec]>,
    index: ToolIndex,
    call: String,
}

#[async_trait]
impl Tool for SearchTools {
    fn spec(&self) -> ToolSpec {
        search_spec(&self.specs)
    }

    fn display_name(&self) -> String {
        "Search tools".to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    fn only_reads(&self) -> bool {
        true
    }

    async fn call(
        &self,
        _context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default();
        let limit = arguments.get("limit").and_then(Value::as_u64).unwrap_or(FOUND).min(MOST_FOUND);
        let found = self.index.find(query);
        if found.is_empty() {
            let note = format!(
                "No tool has any of these words. Try others, also in the language of the tools. There are: {}.",
                sources(&self.specs)
            );
            return Ok(json!({"tools": [], "note": note}).into());
        }
        let (mut tools, mut bytes) = (Vec::new(), 0);
        for at in found.iter().take(usize::try_from(limit).unwrap_or(usize::MAX)) {
            let ToolSpec { name, description, parameters } = &self.specs[*at];
            let tool = json!({"name": name, "description": description, "input_schema": parameters});
            bytes += json_size(&tool);
            if bytes > MOST_BYTES && !tools.is_empty() {
                break;
            }
            tools.push(tool);
        }
        let more = found.len() - tools.len();
        let mut told = json!({"tools": tools, "note": format!("Call one of them with {}.", self.call)});
        if more > 0 {
            told["more"] = json!(more);
        }
        Ok(told.into())
    }
}

/// Runs nothing itself: what it names is called in its place. What is left is told why it can't be.
struct CallTool {
    names: Arc<HashSet<String>>,
    search: String,
}

impl CallTool {
    fn why_not(&self, arguments: &Map<String, Value>) -> String {
        let name = arguments.get("name").and_then(Value::as_str).unwrap_or_default();
        format!(
            "name is {name:?}, and that is none of the tools that {} finds. Search for it, or call it by itself if it is one of \
             the tools that you see",
            self.search
        )
    }
}

#[async_trait]
impl Tool for CallTool {
    fn spec(&self) -> ToolSpec {
        call_spec()
    }

    fn display_name(&self) -> String {
        "Call a tool".to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        let is_known =
            arguments.get("name").and_then(Value::as_str).is_some_and(|name| self.names.contains(name));
        if is_known { Ok(()) } else { Err(ToolFailure(self.why_not(arguments))) }
    }

    async fn call(
        &self,
        _context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        Err(ToolFailure(format!("{}.", self.why_not(&arguments))))
    }
}

#[cfg(test)]
mod tests;
