//! What models would be sent of a handoff tool that a person is writing. The functions of a turn render it, so a preview
//! can't differ from what is sent.

use baton_core::handoff_tools::HandoffConfig;
use baton_core::handoffs::{Marks, merged};
use baton_core::tools::ToolSpec;
use serde_json::Map;

use crate::agent::ready::as_sent;
use crate::agent::tool_names::Names;
use crate::prompt::context::handed_block;

/// Stands for what is known only when the tool is called.
const UNKNOWN: &str = "…";

#[derive(Debug, Clone, PartialEq)]
pub struct HandoffPreview {
    /// For the model that calls it.
    pub tool: ToolSpec,
    /// The end of the target's prompt, with `…` in place of values and of the calling agent.
    pub target_context: String,
}

/// `config` has been checked, as have the name and the description of its tool.
pub fn handoff_preview(name: &str, description: &str, config: &HandoffConfig) -> HandoffPreview {
    let variables = config.context_variables.iter().map(|variable| (variable.name.clone(), UNKNOWN.into()));
    let instructions = config.handoff_instructions.as_deref();
    let marks = Marks { from: UNKNOWN, tool: Some(name), instructions };
    HandoffPreview {
        // Handoff tools are named before all others, so the name is free.
        tool: as_sent(config.spec(name, description), &mut Names::default()),
        target_context: handed_block(&merged(&Map::new(), &variables.collect(), &marks)),
    }
}
