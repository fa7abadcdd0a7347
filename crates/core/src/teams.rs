//! Teams: hired agents, and how control moves between them.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::ids::{AgentId, ProfileId, TeamId, WorkspaceId};
use crate::starters::Starter;
use crate::text::{self, Invalid};
use crate::workspaces::Role;
use crate::{schema, starters, words};

/// What routers use unless their team says otherwise.
const ROUTER_MODEL: &str = "haiku";

words! {
    TeamKind {
        /// Its members hand off by tools.
        Swarm => "swarm",
        /// A router decides on each message.
        Router => "router",
        /// Ordered stages.
        Pipeline => "pipeline",
    }
}

pub const MAX_MEMBERS: usize = 20;
pub const MAX_TEAMS: u64 = 100;
pub const MAX_INSTRUCTIONS: usize = 8_000;
pub const MAX_SCHEMA_BYTES: usize = 16 * 1024;

#[derive(Debug, Clone, PartialEq)]
pub struct Team {
    pub id: TeamId,
    pub workspace_id: WorkspaceId,
    pub slug: String,
    pub definition: TeamDefinition,
    /// The team of a pack that it was hired as.
    pub pack: Option<Origin>,
    pub created_by: Option<ProfileId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// A pack's name and the slug of a team in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub pack: String,
    pub team: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TeamDefinition {
    pub name: String,
    pub description: Option<String>,
    pub kind: TeamKind,
    /// In order; of a pipeline these are the stages.
    pub members: Vec<Member>,
    /// What a router decides with.
    pub router_model: Option<String>,
    pub router_instructions: Option<String>,
    /// Visitors and guests reach it at the workspace's public address: for admins and owners to say.
    pub is_public: bool,
    /// First messages that it offers; they come with a pack.
    pub starters: Vec<Starter>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub agent_id: AgentId,
    /// The default member of a swarm, the general one of a router team. A pipeline begins with its first stage.
    pub is_entry: bool,
    /// Of two specialists that fit, a router takes the one with the higher.
    pub priority: i32,
    pub stage: Option<Stage>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    pub name: String,
    /// What the stage's result must be.
    pub output_schema: Value,
    pub instructions: Option<String>,
}

impl Team {
    /// Who may change and delete it: admins and owners, and who made it, as long as visitors don't reach it.
    pub fn may_be_changed_by(&self, profile: ProfileId, role: Role) -> bool {
        let made_it = self.created_by == Some(profile);
        role >= Role::Admin || (made_it && !self.definition.is_public)
    }
}

impl TeamDefinition {
    /// The model that decides who answers, in a team with a router.
    pub fn router_model_name(&self) -> &str {
        self.router_model.as_deref().unwrap_or(ROUTER_MODEL)
    }

    pub fn entry(&self) -> Option<&Member> {
        self.members.iter().find(|member| member.is_entry).or(self.members.first())
    }

    pub fn member(&self, agent: AgentId) -> Option<&Member> {
        self.members.iter().find(|member| member.agent_id == agent)
    }

    /// The place of an agent's stage, and the stage.
    pub fn stage_of(&self, agent: AgentId) -> Option<(usize, &Stage)> {
        let at = self.members.iter().position(|member| member.agent_id == agent)?;
        Some((at, self.members[at].stage.as_ref()?))
    }

    /// Everything about it that can be checked without looking at the agents themselves.
    pub fn checked(mut self) -> Result<Self, Invalid> {
        self.name = text::line("name", &self.name, crate::agents::MAX_NAME)?;
        self.description = text::optional(
            "description",
            self.description.as_deref(),
            crate::agents::MAX_DESCRIPTION,
            text::prose,
        )?;
        self.router_instructions = text::optional(
            "router.instructions",
            self.router_instructions.as_deref(),
            MAX_INSTRUCTIONS,
            text::prose,
        )?;
        self.starters = starters::checked(&self.starters)?;
        let least = if self.kind == TeamKind::Pipeline { 1 } else { 2 };
        if !(least..=MAX_MEMBERS).contains(&self.members.len()) {
            return Err(Invalid::new("members", format!("must be {least} to {MAX_MEMBERS} agents")));
        }
        if self.kind != TeamKind::Router
            && (self.router_model.is_some() || self.router_instructions.is_some())
        {
            return Err(Invalid::new("router", "is only for a team with a router"));
        }
        if let Some(model) = &self.router_model {
            let model = crate::agents::model_name(model);
            self.router_model = Some(model.map_err(|wrong| Invalid::new("router.model", wrong.message))?);
        }
        let entries = self.members.iter().filter(|member| member.is_entry).count();
        if entries > 1 {
            return Err(Invalid::new("members", "can have one default member"));
        }
        for at in 0..self.members.len() {
            self.check_member(at)?;
        }
        for (at, member) in self.members.iter_mut().enumerate() {
            // Said or not, one member is the first to answer.
            let is_first = self.kind == TeamKind::Pipeline || entries == 0;
            member.is_entry = if is_first { at == 0 } else { member.is_entry };
        }
        Ok(self)
    }

    fn check_member(&mut self, at: usize) -> Result<(), Invalid> {
        let field = |name: &str| format!("members[{at}].{name}");
        let (before, rest) = self.members.split_at_mut(at);
        let Some(member) = rest.first_mut() else { return Ok(()) };
        if before.iter().any(|other| other.agent_id == member.agent_id) {
            return Err(Invalid::new(field("agentId"), "is a member already"));
        }
        match (self.kind, &mut member.stage) {
            (TeamKind::Pipeline, None) => {
                Err(Invalid::new(field("stage"), "is missing: a pipeline is made of stages"))
            }
            (TeamKind::Pipeline, Some(stage)) => {
                stage.check(&field("stage"))?;
                let taken = before
                    .iter()
                    .filter_map(|other| other.stage.as_ref())
                    .any(|other| other.name == stage.name);
                if taken {
                    Err(Invalid::new(field("stage.name"), "is the name of another stage"))
                } else {
                    Ok(())
                }
            }
            (_, Some(_)) => Err(Invalid::new(field("stage"), "is only for a pipeline")),
            (_, None) => Ok(()),
        }
    }
}

impl Stage {
    fn check(&mut self, place: &str) -> Result<(), Invalid> {
        self.name = text::line(&format!("{place}.name"), &self.name, 60)?;
        self.instructions = text::optional(
            &format!("{place}.instructions"),
            self.instructions.as_deref(),
            MAX_INSTRUCTIONS,
            text::prose,
        )?;
        let field = format!("{place}.outputSchema");
        if self.output_schema.to_string().len() > MAX_SCHEMA_BYTES {
            return Err(Invalid::new(field, "must be at most 16 KiB"));
        }
        if text::has_nul(&self.output_schema) {
            return Err(Invalid::new(field, "must not contain a NUL character"));
        }
        // It is what the tool `complete_stage` takes, and vendors refuse tools that say more at the top than what they take.
        if let Some(word) = NOT_AT_THE_TOP.iter().find(|word| self.output_schema.get(**word).is_some()) {
            return Err(Invalid::new(field, format!("can't have {word} at the top: put it into a property")));
        }
        schema::check_schema(&self.output_schema).map_err(|wrong| Invalid::new(field, wrong))
    }
}

const NOT_AT_THE_TOP: [&str; 10] =
    ["oneOf", "anyOf", "allOf", "not", "if", "then", "else", "enum", "const", "$ref"];

#[cfg(test)]
mod tests;
