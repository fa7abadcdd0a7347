//! The workspace's own tools, called by a person's program: with that person's rights, in no turn, and without asking anyone,
//! as whoever calls is the person.

use std::sync::Arc;

use baton_core::data::rows::Once;
use baton_core::tools::{Cancelled, TellProgress, Tool, ToolContext, ToolFailure};
use baton_tools::mcp::serve::{Failure, Object};
use serde_json::{Value, json};

use super::workspace::{Workspace, failed};

/// A tool as `tools/list` has it.
pub fn shown(tool: &dyn Tool) -> Value {
    let spec = tool.spec();
    json!({
        "name": spec.name,
        "title": tool.display_name(),
        "description": spec.description,
        "inputSchema": spec.parameters,
        "annotations": {
            "title": tool.display_name(),
            "readOnlyHint": tool.only_reads(),
            "openWorldHint": tool.nature(&Object::new()).outside,
        },
    })
}

pub async fn call(
    workspace: &Workspace,
    tool: Arc<dyn Tool>,
    once: Once,
    arguments: Object,
) -> Result<Object, Failure> {
    let Workspace { app, caller, workspace_id, .. } = workspace;
    if let Some(before) = app.store.done_before(&once).await.map_err(failed)? {
        return Ok(answered(before));
    }
    // Nobody waits for what is under way but this request; a write that was begun is carried out all the same.
    let (_waiting, cancelled) = Cancelled::new();
    let context = ToolContext {
        once,
        cancelled,
        workspace_id: *workspace_id,
        agent: None,
        person: workspace.someone.person(),
        may_change_agent: false,
        areas: app.store.areas(*workspace_id, caller.profile.id).await.map_err(failed)?,
        time_zone: caller.profile.time_zone.clone(),
        context_data: Object::new(),
        teammates: Vec::new(),
        progress: TellProgress::default(),
    };
    Ok(match app.engine.call_tool(tool, context, arguments).await {
        Ok(value) => answered(with_whole_address(value, &workspace.base)),
        Err(ToolFailure(why)) => refused(why),
    })
}

/// A file's address is a path; who is not in a browser needs to know of which server.
fn with_whole_address(mut value: Value, base: &str) -> Value {
    if let Some(url) = value.pointer_mut("/file/url")
        && let Some(path) = url.as_str().filter(|path| path.starts_with('/'))
    {
        *url = format!("{base}{path}").into();
    }
    value
}

/// `content` and nothing beside it: clients that are given the same twice show it to their model twice.
fn answered(value: Value) -> Object {
    let text = match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    result(vec![text], false)
}

/// What the client's model can act on.
pub fn refused(why: impl Into<String>) -> Object {
    result(vec![why.into()], true)
}

pub fn result(texts: Vec<String>, is_error: bool) -> Object {
    let content: Vec<Value> = texts.into_iter().map(|text| json!({"type": "text", "text": text})).collect();
    Object::from_iter([("content".to_owned(), content.into()), ("isError".to_owned(), is_error.into())])
}
