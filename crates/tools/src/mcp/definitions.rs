//! What a server says of its tools, read leniently: one tool that is described badly takes no other with it.

use std::collections::HashSet;

use baton_core::server_tools::{Annotations, Definition};
use serde_json::Value;

/// The most tools of a server, and the most bytes of what it says of one.
pub(super) const MAX_TOOLS: usize = 1_000;
const MAX_DEFINITION: usize = 64 * 1024;
/// The longest raw name. The protocol asks for 128 at most; some servers don't care.
const MAX_NAME: usize = 512;

/// The tools of one page of a list, and why others of it can't be used.
pub(super) fn read(page: &Value) -> (Vec<Definition>, Vec<String>) {
    let mut left_out = Vec::new();
    let mut tools = Vec::new();
    for tool in page.get("tools").and_then(Value::as_array).into_iter().flatten() {
        match definition(tool) {
            Ok(definition) => tools.push(definition),
            Err(why) => left_out.push(why),
        }
    }
    (tools, left_out)
}

/// Of two tools with one name, a call could only mean the first.
pub(super) fn without_doubles(tools: Vec<Definition>) -> Vec<Definition> {
    let mut seen = HashSet::new();
    tools.into_iter().filter(|tool| seen.insert(tool.name.clone())).collect()
}

fn definition(tool: &Value) -> Result<Definition, String> {
    let text = |key: &str| tool.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let name = text("name").ok_or("a tool without a name")?;
    if name.chars().count() > MAX_NAME {
        return Err(format!("a tool whose name has more than {MAX_NAME} characters"));
    }
    let said = |what: &str| format!("{name}: {what}");
    let input_schema = match tool.get("inputSchema") {
        Some(schema @ Value::Object(_)) => schema.clone(),
        _ => return Err(said("its parameters are not a JSON Schema of an object")),
    };
    let hints = tool.get("annotations");
    let hint = |key: &str| hints.and_then(|hints| hints.get(key)).and_then(Value::as_bool);
    let title = text("title").or_else(|| hints.and_then(|hints| hints.get("title")).and_then(Value::as_str));
    let definition = Definition {
        name: name.to_owned(),
        title: title.map(str::to_owned),
        description: text("description").unwrap_or_default().to_owned(),
        input_schema,
        output_schema: tool.get("outputSchema").filter(|schema| schema.is_object()).cloned(),
        annotations: Annotations {
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            idempotent: hint("idempotentHint"),
            open_world: hint("openWorldHint"),
        },
    };
    if size(&definition) > MAX_DEFINITION {
        return Err(said(&format!("its description has more than {MAX_DEFINITION} bytes")));
    }
    Ok(definition)
}

fn size(definition: &Definition) -> usize {
    serde_json::to_string(definition).map_or(usize::MAX, |text| text.len())
}
