//! A call of a tool that belongs to no turn: a person's program calls it itself, over MCP. Nobody is asked: whoever calls is
//! the person.

use std::sync::Arc;

use baton_core::tools::{Tool, ToolContext, ToolFailure};
use serde_json::{Map, Value};

use crate::driver::tool_calls::call_alone;
use crate::node::engine::Engine;

impl Engine {
    /// Carries the call out to its end, also when nobody waits for it any more, and tells who looks at what it changed.
    pub async fn call_tool(
        &self,
        tool: Arc<dyn Tool>,
        context: ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<Value, ToolFailure> {
        let engine = self.0.clone();
        let call = tokio::spawn(async move {
            let done = call_alone(tool.as_ref(), &context, arguments).await;
            if let Ok(outcome) = &done {
                engine.tell_outcome(context.workspace_id, outcome);
            }
            done
        });
        // It can only be lost with the server.
        call.await
            .unwrap_or_else(|_| Err(ToolFailure("The server is ending. Try again in a moment.".to_owned())))
    }
}
