//! Packs: agents, teams and handoff tools as TOML. Parsing is strict, so a typo is an error and not an agent without
//! tools.

mod teams;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::agents::{AgentChanges, AgentDefinition, Category, DEMO_ANSWER, PermissionMode};
use crate::starters::Starter;
use crate::text::{self, Invalid};

pub use teams::{PackMember, PackRouter, PackStage, PackTeam, PackTool, PackToolType};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    pub name: String,
    pub title: String,
    pub description: String,
    /// Whether a new workspace hires all of it by itself.
    #[serde(default)]
    pub auto_hire: bool,
    #[serde(default)]
    pub departments: Vec<PackDepartment>,
    pub agents: Vec<PackAgent>,
    #[serde(default)]
    pub teams: Vec<PackTeam>,
    #[serde(default)]
    pub tools: Vec<PackTool>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackDepartment {
    pub slug: String,
    pub name: String,
    pub icon: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackAgent {
    pub slug: String,
    pub name: String,
    pub description: String,
    pub department: Option<String>,
    pub category: Category,
    pub avatar: Option<String>,
    pub model: Option<String>,
    #[serde(default)]
    pub tools: Vec<String>,
    pub role: Option<String>,
    #[serde(default)]
    pub is_default: bool,
    #[serde(default)]
    pub is_free: bool,
    #[serde(default)]
    pub is_restricted: bool,
    #[serde(default)]
    pub is_head: bool,
    pub permission_mode: Option<PermissionMode>,
    pub max_turns: Option<i32>,
    pub initial_prompt: Option<String>,
    pub system_prompt: String,
    /// What the demo model says for it once it has facts, with their names in braces. Kept in the agent's `config`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demo_answer: Option<String>,
    /// First messages that it offers, two to four.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starters: Vec<Starter>,
    #[serde(default)]
    pub rules: Vec<PackRule>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackRule {
    pub name: String,
    pub content: String,
}

#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("is not valid: {0}")]
    Toml(#[from] toml::de::Error),
    #[error("is wrong about agent {agent}: {invalid}")]
    Agent { agent: String, invalid: Invalid },
    #[error("is wrong about team {team}: {invalid}")]
    Team { team: String, invalid: Invalid },
    #[error("is wrong about tool {tool}: {invalid}")]
    Tool { tool: String, invalid: Invalid },
    #[error("is wrong: {0}")]
    Shape(String),
}

impl Pack {
    pub fn parse(toml: &str) -> Result<Self, PackError> {
        let pack: Self = toml::from_str(toml)?;
        pack.check_shape()?;
        for agent in &pack.agents {
            agent.definition()?;
        }
        pack.check_teams()?;
        Ok(pack)
    }

    fn check_shape(&self) -> Result<(), PackError> {
        let agents = self.agents.iter().map(|agent| &agent.slug);
        let teams = self.teams.iter().map(|team| &team.slug);
        for slug in self.departments.iter().map(|d| &d.slug).chain(agents).chain(teams) {
            if text::slugify(slug, "") != *slug {
                return Err(PackError::Shape(format!(
                    "{slug:?} is not a slug (a-z, 0-9 and single hyphens)"
                )));
            }
        }
        for agent in &self.agents {
            if self.agents.iter().filter(|other| other.slug == agent.slug).count() > 1 {
                return Err(PackError::Shape(format!("agent {} is there twice", agent.slug)));
            }
            if let Some(department) = &agent.department
                && !self.departments.iter().any(|d| d.slug == *department)
            {
                return Err(PackError::Shape(format!(
                    "agent {}: department {department} is not in this pack",
                    agent.slug
                )));
            }
        }
        if self.agents.iter().filter(|agent| agent.is_default).count() > 1 {
            return Err(PackError::Shape("more than one agent is the default".into()));
        }
        Ok(())
    }
}

impl PackAgent {
    /// The agent without its department, whose id only the store knows.
    pub fn definition(&self) -> Result<AgentDefinition, PackError> {
        let wrong = |invalid| PackError::Agent { agent: self.slug.clone(), invalid };
        let mut definition = AgentDefinition::new(&self.name, self.system_prompt.trim()).map_err(wrong)?;
        let answer = self.demo_answer.iter().map(|text| (DEMO_ANSWER.to_owned(), text.trim().into()));
        let changes = AgentChanges {
            description: Some(Some(self.description.clone())),
            avatar_url: Some(self.avatar.clone()),
            model: self.model.clone(),
            permission_mode: self.permission_mode,
            max_turns: self.max_turns,
            role: Some(self.role.clone()),
            is_default: Some(self.is_default),
            is_free: Some(self.is_free),
            is_restricted: Some(self.is_restricted),
            is_head: Some(self.is_head),
            initial_prompt: Some(self.initial_prompt.clone()),
            category: Some(self.category),
            tools: Some(self.tools.clone()),
            config: Some(answer.collect()),
            starters: Some(self.starters.clone()),
            ..AgentChanges::default()
        };
        changes.apply(&mut definition).map_err(wrong)?;
        for rule in &self.rules {
            text::line("rules.name", &rule.name, crate::rules::MAX_NAME).map_err(wrong)?;
            text::prose("rules.content", &rule.content, crate::rules::MAX_CONTENT).map_err(wrong)?;
        }
        Ok(definition)
    }

    /// Tells whether the pack says something new about the agent since it was last applied.
    pub fn digest(&self) -> String {
        let said = serde_json::to_vec(self).unwrap_or_default();
        Sha256::digest(said).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests;
