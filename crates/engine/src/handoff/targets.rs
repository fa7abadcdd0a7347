//! The agents that an agent can hand a conversation off to, and the tools with which it does so. A handoff call is
//! decided by the turn; it is never run as a tool.

use baton_core::access::{Gate, Use, Viewer, may_use};
use baton_core::agents::Agent;
use baton_core::defined_tools::DefinedTool;
use baton_core::handoff_tools::HandoffConfig;
use baton_core::handoffs::Trigger;
use baton_core::ids::AgentId;
use baton_core::teams::{Stage, Team, TeamKind};
use baton_core::tools::ToolSpec;
use serde_json::{Map, Value, json};

pub const SWITCH_AGENT: &str = "switch_agent";
pub const COMPLETE_TASK: &str = "complete_task";
pub const COMPLETE_STAGE: &str = "complete_stage";

/// An agent that can be handed to, as it was when the prompt was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    pub id: AgentId,
    pub slug: String,
    pub name: String,
    pub description: Option<String>,
    pub gate: Gate,
}

impl Target {
    pub fn of(agent: &Agent) -> Self {
        Self {
            id: agent.id,
            slug: agent.slug.clone(),
            name: agent.definition.name.clone(),
            description: agent.definition.description.clone(),
            gate: Gate::from(&agent.definition),
        }
    }

    /// One line for a model that has to choose.
    pub fn line(&self) -> String {
        let about = self.description.as_deref().unwrap_or("no description").split_whitespace();
        format!("- {}: {}. {}", self.slug, self.name, about.collect::<Vec<_>>().join(" "))
    }
}

/// Models name agents by slug, by name or by id, in any case.
pub fn find<'a>(targets: &'a [Target], named: &str) -> Option<&'a Target> {
    let same = |text: &str| text.eq_ignore_ascii_case(named);
    targets.iter().find(|target| same(&target.slug) || same(&target.name) || same(&target.id.to_string()))
}

/// What a call of a handoff tool means.
#[derive(Debug, Clone, PartialEq)]
pub enum HandoffTool {
    /// To any of these, by name.
    Switch(Vec<Target>),
    /// To one, with typed variables. `None`: the agent is gone.
    Defined {
        target: Option<Target>,
        config: HandoffConfig,
    },
    /// Back to the team's general member.
    CompleteTask(Target),
    CompleteStage(StagePlace),
}

impl HandoffTool {
    pub fn trigger(&self) -> Trigger {
        match self {
            Self::Switch(_) | Self::Defined { .. } => Trigger::Model,
            Self::CompleteTask(_) | Self::CompleteStage(_) => Trigger::Completion,
        }
    }

    /// The agent that a call names, whether it can be handed to or not.
    pub fn named(&self, args: &Map<String, Value>) -> Option<AgentId> {
        match self {
            Self::Switch(targets) => {
                let named = args.get("agent").and_then(Value::as_str)?;
                find(targets, named).map(|target| target.id)
            }
            Self::Defined { config, .. } => Some(config.target_agent_id),
            Self::CompleteTask(general) => Some(general.id),
            Self::CompleteStage(StagePlace { next: NextStage::Stage { target, .. }, .. }) => Some(target.id),
            Self::CompleteStage(_) => None,
        }
    }
}

/// A stage, and what comes after it.
#[derive(Debug, Clone, PartialEq)]
pub struct StagePlace {
    pub stage: Stage,
    /// From 1.
    pub number: usize,
    pub of: usize,
    pub next: NextStage,
}

#[derive(Debug, Clone, PartialEq)]
pub enum NextStage {
    /// It was the last.
    Nothing,
    Stage {
        name: String,
        target: Target,
    },
    /// Its agent isn't hired any more.
    Gone {
        name: String,
    },
}

/// What there is to reach.
pub struct Surroundings<'a> {
    pub agent: &'a Agent,
    pub team: Option<&'a Team>,
    /// The workspace's active agents, by slug.
    pub hired: &'a [Agent],
    pub defined: &'a [DefinedTool],
    pub viewer: Viewer,
    /// At the public address an agent has only the tools that are named for it.
    pub is_public: bool,
}

impl Surroundings<'_> {
    pub fn tools(&self) -> Vec<(ToolSpec, HandoffTool)> {
        let switch = self.switch().into_iter();
        switch.chain(self.defined()).chain(self.completes()).collect()
    }

    pub fn members(&self) -> Vec<Target> {
        let members = self.team.into_iter().flat_map(|team| &team.definition.members);
        members.filter_map(|member| self.target(member.agent_id)).collect()
    }

    fn lists(&self, name: &str) -> bool {
        let names = if self.is_public { &self.agent.public_tools } else { &self.agent.definition.tools };
        names.iter().any(|listed| listed == name)
    }

    fn target(&self, id: AgentId) -> Option<Target> {
        self.hired.iter().find(|agent| agent.id == id).map(Target::of)
    }

    /// A member of a swarm reaches the team; whoever lists the tool reaches all that the person may use.
    fn switch(&self) -> Option<(ToolSpec, HandoffTool)> {
        let others = || self.hired.iter().filter(|agent| agent.id != self.agent.id);
        let swarm = self.team.filter(|team| team.definition.kind == TeamKind::Swarm);
        let mut targets: Vec<Target> = match swarm {
            Some(team) => {
                let members = team.definition.members.iter().map(|member| member.agent_id);
                members.filter(|id| *id != self.agent.id).filter_map(|id| self.target(id)).collect()
            }
            None => Vec::new(),
        };
        if self.lists(SWITCH_AGENT) {
            let open = others().map(Target::of).filter(|target| {
                may_use(self.viewer, target.gate, Use::ModelSwitch).is_ok()
                    && !targets.iter().any(|known| known.id == target.id)
            });
            let open: Vec<Target> = open.collect();
            targets.extend(open);
        }
        // If a handoff tool to this agent asks for variables, `switch_agent` can't be used to avoid them.
        let own_tool = |id: AgentId| {
            let own = self.defined.iter().filter(|tool| self.lists(&tool.definition.name));
            own.filter_map(|tool| tool.definition.config.handoff()).any(|own| own.target_agent_id == id)
        };
        targets.retain(|target| !own_tool(target.id));
        if targets.is_empty() {
            return None;
        }
        let lines: Vec<String> = targets.iter().map(Target::line).collect();
        let slugs: Vec<&str> = targets.iter().map(|target| target.slug.as_str()).collect();
        let spec = ToolSpec {
            name: SWITCH_AGENT.to_owned(),
            description: format!(
                "Hands the conversation to another agent, who goes on at once. Call it when what the person wants is \
                 another agent's work; saying so without calling it does nothing. Agents:\n{}",
                lines.join("\n")
            ),
            parameters: json!({
                "type": "object",
                "properties": {
                    "agent": {"type": "string", "enum": slugs, "description": "The agent to hand to"},
                    "reason": {"type": "string", "description": "Why, and what the next agent should know"},
                },
                "required": ["agent"],
                "additionalProperties": false,
            }),
        };
        Some((spec, HandoffTool::Switch(targets)))
    }

    fn defined(&self) -> impl Iterator<Item = (ToolSpec, HandoffTool)> {
        let own = self.defined.iter().filter(|tool| self.lists(&tool.definition.name));
        let handoffs = own.filter_map(|tool| Some((&tool.definition, tool.definition.config.handoff()?)));
        let to_others = handoffs.filter(|(_, config)| config.target_agent_id != self.agent.id);
        to_others.map(|(definition, config)| {
            let target = self.target(config.target_agent_id);
            let spec = config.spec(&definition.name, &definition.description);
            (spec, HandoffTool::Defined { target, config: config.clone() })
        })
    }

    fn completes(&self) -> Option<(ToolSpec, HandoffTool)> {
        let team = self.team?;
        match team.definition.kind {
            TeamKind::Swarm => None,
            TeamKind::Router => self.completes_task(team),
            TeamKind::Pipeline => self.completes_stage(team),
        }
    }

    fn completes_task(&self, team: &Team) -> Option<(ToolSpec, HandoffTool)> {
        team.definition.member(self.agent.id).filter(|member| !member.is_entry)?;
        let general = self.target(team.definition.entry()?.agent_id)?;
        let spec = ToolSpec {
            name: COMPLETE_TASK.to_owned(),
            description: format!(
                "Call it when what the person came to you for is done, or they no longer want it. {} then goes on.",
                general.name
            ),
            parameters: json!({
                "type": "object",
                "properties": {"summary": {"type": "string", "minLength": 1, "description": "What was done, in a few sentences"}},
                "required": ["summary"],
                "additionalProperties": false,
            }),
        };
        Some((spec, HandoffTool::CompleteTask(general)))
    }

    fn completes_stage(&self, team: &Team) -> Option<(ToolSpec, HandoffTool)> {
        let (at, stage) = team.definition.stage_of(self.agent.id)?;
        let next = match team.definition.members.get(at + 1) {
            None => NextStage::Nothing,
            Some(member) => {
                let name = member.stage.as_ref().map(|stage| stage.name.clone()).unwrap_or_default();
                match self.target(member.agent_id) {
                    Some(target) => NextStage::Stage { name, target },
                    None => NextStage::Gone { name },
                }
            }
        };
        let follows = match &next {
            NextStage::Nothing => "It is the last stage: then tell the person the result.".to_owned(),
            NextStage::Stage { name, .. } | NextStage::Gone { name } => {
                format!("The stage {name} then begins by itself.")
            }
        };
        let spec = ToolSpec {
            name: COMPLETE_STAGE.to_owned(),
            description: format!(
                "Completes the stage {}: call it once you have everything it asks for. {follows}",
                stage.name
            ),
            parameters: stage.output_schema.clone(),
        };
        let place =
            StagePlace { stage: stage.clone(), number: at + 1, of: team.definition.members.len(), next };
        Some((spec, HandoffTool::CompleteStage(place)))
    }
}

/// What a team adds to the fixed part of the prompt of its members.
pub fn team_prompt(agent: &Agent, team: &Team) -> Option<String> {
    match team.definition.kind {
        TeamKind::Swarm => None,
        TeamKind::Router => {
            let is_entry = team.definition.member(agent.id)?.is_entry;
            (!is_entry).then(|| {
                format!(
                    "# Your part\nYou are a specialist of {}. You are shown what was said since you were called in, and why. \
                     Keep what you learn with update_context, and call {COMPLETE_TASK} when your part is done.",
                    team.definition.name
                )
            })
        }
        TeamKind::Pipeline => {
            let (at, stage) = team.definition.stage_of(agent.id)?;
            let mut prompt = format!(
                "# Your stage\nYou do the stage {} ({} of {}) of {}. Call {COMPLETE_STAGE} when it is done.",
                stage.name,
                at + 1,
                team.definition.members.len(),
                team.definition.name
            );
            if let Some(instructions) = &stage.instructions {
                prompt.push_str("\n\n");
                prompt.push_str(instructions.trim());
            }
            Some(prompt)
        }
    }
}

#[cfg(test)]
mod tests;
