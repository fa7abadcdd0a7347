//! The catalog: agents as definitions with versions, shared by all workspaces.

use chrono::{DateTime, Utc};

use crate::agents::{Agent, AgentDefinition, Department};
use crate::ids::{CatalogAgentId, ProfileId};

/// A catalog agent with one of its versions: the published one where people see it, the current one for admins.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogAgent {
    pub id: CatalogAgentId,
    pub slug: String,
    pub definition: AgentDefinition,
    pub is_enabled: bool,
    /// Hired by every new workspace.
    pub auto_hire: bool,
    pub current_version: i32,
    pub published_version: Option<i32>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct CatalogVersion {
    pub version: i32,
    pub definition: AgentDefinition,
    pub created_by: Option<ProfileId>,
    pub created_at: DateTime<Utc>,
}

/// An agent as one workspace sees it: the catalog entry, the hired copy, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentListing {
    pub catalog: Option<CatalogAgent>,
    pub hired: Option<Agent>,
    pub department: Option<Department>,
}

impl AgentListing {
    /// What people are shown: a workspace's own copy where it has one, as that is who they talk to.
    pub fn definition(&self) -> Option<&AgentDefinition> {
        match (&self.hired, &self.catalog) {
            (Some(agent), _) if agent.is_active => Some(&agent.definition),
            (_, Some(catalog)) => Some(&catalog.definition),
            (Some(agent), None) => Some(&agent.definition),
            (None, None) => None,
        }
    }
}

/// When a pack's new version of an agent is put in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publish {
    Always,
    /// Only over a version that came from the pack; over an admin's edit it waits as a draft.
    OverItsOwn,
}

/// Whether an entry can be seen and hired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    Enabled,
    Disabled,
}

/// What applying a pack did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Applied {
    pub created: u32,
    pub updated: u32,
    /// Changed by the pack, but an admin's published edit was left in force: the new version waits as a draft.
    pub kept_edits: u32,
    pub unchanged: u32,
}
