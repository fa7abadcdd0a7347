//! `load_skill`, and the block of the system prompt that lists the skills.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::skills::SkillSummary;
use baton_core::store::Skills;
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value, json};

use crate::arguments::{required, store_failure};
use crate::outage::patiently;

pub const NAME: &str = "load_skill";

pub struct LoadSkill {
    skills: Arc<dyn Skills>,
}

impl LoadSkill {
    pub fn new(skills: Arc<dyn Skills>) -> Self {
        Self { skills }
    }
}

#[async_trait]
impl Tool for LoadSkill {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description:
                "Loads the instructions of one of your skills. Call it before you begin a task that a \
                          skill's description fits, then follow what it says."
                    .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "The skill's name, as listed under Skills."},
                },
                "required": ["name"],
                "additionalProperties": false,
            }),
        }
    }

    fn display_name(&self) -> String {
        "Load Skill".to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    fn loads_skill(&self) -> bool {
        true
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let name = required(&arguments, "name")?;
        let agent = context.calling_agent()?.agent_id;
        let skill = patiently(|| self.skills.skill_of(agent, name)).await.map_err(store_failure)?;
        if let Some(skill) = skill {
            return Ok(json!({"name": skill.name, "content": skill.content}).into());
        }
        let there_are = patiently(|| self.skills.skills_of(agent)).await.map_err(store_failure)?;
        let names: Vec<&str> = there_are.iter().map(|skill| skill.name.as_str()).collect();
        Err(ToolFailure(match names.as_slice() {
            [] => format!("There is no skill {name:?}; you have none now."),
            names => format!("There is no skill {name:?}. There are: {}.", names.join(", ")),
        }))
    }
}

/// What the fixed part of the prompt says about skills; the same text for the same skills.
pub fn prompt_block(skills: &[SkillSummary]) -> Option<String> {
    if skills.is_empty() {
        return None;
    }
    let mut block = format!(
        "# Skills\n\nInstructions for particular tasks. When one fits what you are about to do, call {NAME} with its \
         name first and follow what it says.\n\n"
    );
    for skill in skills {
        let description = skill.description.split_whitespace().collect::<Vec<_>>().join(" ");
        block.push_str(&format!("- {}: {description}\n", skill.name));
    }
    Some(block)
}
