//! The tools by which an agent asks another agent: what models are told about them, and how people see such a call.

use baton_core::access::{Use, Viewer, may_use};
use baton_core::agents::Agent;
use baton_core::subtasks;
use baton_core::tools::ToolSpec;
use serde_json::json;

use crate::handoff::targets::Target;

/// The tools by which an agent asks others: those it lists, as far as their agents are there. What the person may not
/// see of an agent isn't said of it.
pub fn tools(agent: &Agent, listed: &[String], hired: &[Agent], viewer: Viewer) -> Vec<(ToolSpec, Target)> {
    let asked = listed.iter().filter_map(|name| {
        let slug = subtasks::asks(name)?;
        let target = hired.iter().find(|other| other.slug == slug && other.id != agent.id)?;
        let mut target = Target::of(target);
        target.description = target.description.filter(|_| may_use(viewer, target.gate, Use::See).is_ok());
        Some((spec(name, &target), target))
    });
    asked.collect()
}

fn spec(name: &str, target: &Target) -> ToolSpec {
    let about = target.description.as_deref().unwrap_or_default().split_whitespace();
    let about = about.collect::<Vec<_>>().join(" ");
    ToolSpec {
        name: name.to_owned(),
        description: format!(
            "Asks {}, another agent, and gives you its answer; you keep the conversation. It sees your message and \
             nothing else, and can't ask back: write all it needs to know. {about}",
            target.name
        )
        .trim_end()
        .to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"message": {"type": "string", "minLength": 1, "description": "What you ask, with all it needs to know"}},
            "required": ["message"],
            "additionalProperties": false,
        }),
    }
}

/// How people see such a call.
pub fn display_name(target: &Target) -> String {
    format!("Ask {}", target.name)
}
