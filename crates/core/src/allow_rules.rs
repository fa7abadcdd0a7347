//! Rules that let an agent use a tool without asking. A person makes one on purpose, sees it in the agent's settings and
//! takes it back there.

use chrono::{DateTime, Utc};

use crate::ids::{AgentId, ProfileId};
use crate::tools::Nature;
use crate::workspaces::Role;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowRule {
    pub agent_id: AgentId,
    pub tool_name: String,
    /// Also for calls that reach outside the workspace: an admin or owner made it.
    pub covers_outside: bool,
    pub made_by: Option<ProfileId>,
    /// The name of who made it, unless they are gone.
    pub made_by_name: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl AllowRule {
    /// Whether a call needs no approval because of it.
    pub fn covers(&self, tool_name: &str, nature: Nature) -> bool {
        self.tool_name == tool_name && (self.covers_outside || !nature.outside)
    }
}

/// A rule to be made, by someone who may change the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAllowRule {
    pub agent_id: AgentId,
    pub tool_name: String,
    pub covers_outside: bool,
}

impl NewAllowRule {
    /// `None` if it is for an admin to make: the tool reaches outside.
    pub fn by(role: Role, agent_id: AgentId, tool_name: String, nature: Nature) -> Option<Self> {
        let covers_outside = role >= Role::Admin;
        (covers_outside || !nature.outside).then_some(Self { agent_id, tool_name, covers_outside })
    }
}

#[cfg(test)]
mod tests;
