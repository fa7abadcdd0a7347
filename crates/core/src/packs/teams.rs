//! A pack's teams and handoff tools. They name agents by slug; only the store knows which agent of a workspace has
//! that slug.

use serde::Deserialize;
use serde_json::Value;

use super::{Pack, PackError};
use crate::defined_tools::{ToolConfig, ToolDefinition};
use crate::handoff_tools::{HandoffConfig, Variable};
use crate::ids::AgentId;
use crate::starters::Starter;
use crate::teams::{Member, Stage, TeamDefinition, TeamKind};
use crate::text::Invalid;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackTeam {
    pub slug: String,
    pub name: String,
    pub description: String,
    pub kind: TeamKind,
    #[serde(default)]
    pub members: Vec<PackMember>,
    pub router: Option<PackRouter>,
    /// First messages that it offers, two to four.
    #[serde(default)]
    pub starters: Vec<Starter>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackMember {
    /// The slug of an agent of the pack.
    pub agent: String,
    /// The team's default member; the workspace's own default is another matter.
    #[serde(default)]
    pub default: bool,
    #[serde(default)]
    pub priority: i32,
    pub stage: Option<PackStage>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackStage {
    pub name: String,
    pub output_schema: Value,
    pub instructions: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackRouter {
    pub model: Option<String>,
    pub instructions: Option<String>,
}

crate::words! {
    /// Packs bring handoff tools along, and no others.
    PackToolType { Handoff => "handoff" }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackTool {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: PackToolType,
    pub description: String,
    /// The slug of an agent of the pack.
    pub target: String,
    #[serde(default)]
    pub context_variables: Vec<Variable>,
    pub handoff_instructions: Option<String>,
}

impl PackTeam {
    /// The team of a workspace's own agents; `agent_of` finds them by the pack's slugs.
    pub fn definition(
        &self,
        agent_of: impl Fn(&str) -> Option<AgentId>,
    ) -> Result<TeamDefinition, PackError> {
        let wrong = |invalid| PackError::Team { team: self.slug.clone(), invalid };
        let member = |(at, member): (usize, &PackMember)| {
            let missing = || {
                Invalid::new(format!("members[{at}].agent"), format!("{} is not in this pack", member.agent))
            };
            Ok(Member {
                agent_id: agent_of(&member.agent).ok_or_else(missing)?,
                is_entry: member.default,
                priority: member.priority,
                stage: member.stage.as_ref().map(|stage| Stage {
                    name: stage.name.clone(),
                    output_schema: stage.output_schema.clone(),
                    instructions: stage.instructions.clone(),
                }),
            })
        };
        let members = self.members.iter().enumerate().map(member).collect::<Result<_, _>>();
        let definition = TeamDefinition {
            name: self.name.clone(),
            description: Some(self.description.clone()),
            kind: self.kind,
            members: members.map_err(wrong)?,
            router_model: self.router.as_ref().and_then(|router| router.model.clone()),
            router_instructions: self.router.as_ref().and_then(|router| router.instructions.clone()),
            is_public: false,
            starters: self.starters.clone(),
        };
        definition.checked().map_err(wrong)
    }

    pub fn has(&self, agent: &str) -> bool {
        self.members.iter().any(|member| member.agent == agent)
    }
}

impl PackTool {
    pub fn definition(&self, target_agent_id: AgentId) -> Result<ToolDefinition, PackError> {
        let definition = ToolDefinition {
            name: self.name.clone(),
            description: self.description.clone(),
            config: ToolConfig::Handoff(HandoffConfig {
                target_agent_id,
                context_variables: self.context_variables.clone(),
                handoff_instructions: self.handoff_instructions.clone(),
            }),
        };
        // Which names this build's own tools have is not known here; those that it reserves are.
        let wrong = |invalid| PackError::Tool { tool: self.name.clone(), invalid };
        definition.checked(|_| false).map_err(wrong)
    }
}

impl Pack {
    pub fn team(&self, slug: &str) -> Option<&PackTeam> {
        self.teams.iter().find(|team| team.slug == slug)
    }

    /// The handoff tools that belong to a team: those that lead to one of its members.
    pub fn tools_of<'a>(&'a self, team: &'a PackTeam) -> impl Iterator<Item = &'a PackTool> {
        self.tools.iter().filter(|tool| team.has(&tool.target))
    }

    /// What can be seen without hiring anybody: every agent stands for one with a made-up id.
    pub(super) fn check_teams(&self) -> Result<(), PackError> {
        let agents: Vec<(&str, AgentId)> =
            self.agents.iter().map(|agent| (agent.slug.as_str(), AgentId::new())).collect();
        let agent_of = |slug: &str| agents.iter().find(|(known, _)| *known == slug).map(|(_, id)| *id);
        for team in &self.teams {
            if self.teams.iter().filter(|other| other.slug == team.slug).count() > 1 {
                return Err(PackError::Shape(format!("team {} is there twice", team.slug)));
            }
            team.definition(agent_of)?;
        }
        for tool in &self.tools {
            let Some(target) = agent_of(&tool.target) else {
                return Err(PackError::Shape(format!(
                    "tool {}: target {} is not in this pack",
                    tool.name, tool.target
                )));
            };
            if self.tools.iter().filter(|other| other.name == tool.name).count() > 1 {
                return Err(PackError::Shape(format!("tool {} is there twice", tool.name)));
            }
            tool.definition(target)?;
            let is_targets_own =
                |agent: &super::PackAgent| agent.slug == tool.target && agent.tools.contains(&tool.name);
            if self.agents.iter().any(is_targets_own) {
                return Err(PackError::Shape(format!(
                    "agent {} has the tool {}, which would hand off to itself",
                    tool.target, tool.name
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
