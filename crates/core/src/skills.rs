//! Skills: instructions an agent loads when it needs them. It always sees their names and descriptions, and the body
//! only after asking for it.

use chrono::{DateTime, Utc};

use crate::ids::{AgentId, ProfileId, SkillId, WorkspaceId};
use crate::text::{self, Invalid};

pub const MAX_NAME: usize = 64;
pub const MAX_DISPLAY_NAME: usize = 100;
pub const MAX_DESCRIPTION: usize = 1_024;
pub const MAX_CONTENT: usize = 100_000;
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
