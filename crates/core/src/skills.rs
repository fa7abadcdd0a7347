//! Skills: instructions that an agent loads when it needs them. The agent always sees the names and descriptions of
//! its skills, and a skill's body only after it has asked for it.

use chrono::{DateTime, Utc};

use crate::ids::{AgentId, ProfileId, SkillId, WorkspaceId};
use crate::text::{self, Invalid};

pub const MAX_NAME: usize = 64;
pub const MAX_DISPLAY_NAME: usize = 100;
pub const MAX_DESCRIPTION: usize = 1_024;
pub const MAX_ICON: usize = 40;
pub const MAX_CONTENT: usize = 100_000;
pub const MAX_AGENTS: usize = 200;
/// Per workspace.
pub const MAX_SKILLS: u64 = 500;

#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    pub id: SkillId,
    pub workspace_id: WorkspaceId,
    /// What an agent loads it by.
    pub name: String,
    pub display_name: String,
    pub description: String,
    pub icon: String,
    /// Markdown.
    pub content: String,
    pub is_active: bool,
    /// Given by a pack.
    pub is_system: bool,
    pub agent_ids: Vec<AgentId>,
    pub created_by: Option<ProfileId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// What an agent always sees of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillSummary {
    pub name: String,
    pub description: String,
}

/// A change to a skill, or a new one; `None` leaves a field alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkillChanges {
    pub name: Option<String>,
    pub display_name: Option<String>,
    pub description: Option<String>,
    pub icon: Option<String>,
    pub content: Option<String>,
    pub is_active: Option<bool>,
    pub agent_ids: Option<Vec<AgentId>>,
}

impl SkillChanges {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        let line = |field, value: Option<String>, max| -> Result<Option<String>, Invalid> {
            value.map(|value| text::line(field, &value, max)).transpose()
        };
        let prose = |field, value: Option<String>, max| -> Result<Option<String>, Invalid> {
            value.map(|value| text::prose(field, &value, max)).transpose()
        };
        self.name = self.name.map(|name| skill_name(&name)).transpose()?;
        self.display_name = line("display_name", self.display_name, MAX_DISPLAY_NAME)?;
        self.description = prose("description", self.description, MAX_DESCRIPTION)?;
        self.icon = line("icon", self.icon, MAX_ICON)?;
        self.content = prose("content", self.content, MAX_CONTENT)?;
        if self.agent_ids.as_ref().is_some_and(|ids| ids.len() > MAX_AGENTS) {
            return Err(Invalid::new("agent_ids", format!("must be at most {MAX_AGENTS}")));
        }
        Ok(self)
    }
}

/// A skill out of a file, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSkill {
    pub name: String,
    pub description: String,
    pub content: String,
}

/// What an import did, each part by name.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillImport {
    pub created: Vec<Skill>,
    pub updated: Vec<Skill>,
}

/// What people see when nobody named it otherwise: `weekly-report` is "Weekly report".
pub fn display_name(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// As the open format for skills wants them: small letters, digits and single hyphens.
pub fn skill_name(value: &str) -> Result<String, Invalid> {
    let name = text::line("name", value, MAX_NAME)?;
    let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let hyphens = !name.starts_with('-') && !name.ends_with('-') && !name.contains("--");
    if plain && hyphens {
        Ok(name)
    } else {
        Err(Invalid::new("name", "must be small letters, digits and single hyphens, such as weekly-report"))
    }
}

#[cfg(test)]
mod tests;
