//! Who may use which agent: one pure function, asked by the list, the start of a conversation, every message,
//! the select and the handoff.

use serde::{Deserialize, Serialize};

use crate::agents::AgentDefinition;
use crate::people::Tier;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    Visitor,
    Profile(Tier),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// See it in a list.
    See,
    /// Begin a conversation with it, or send it a message.
    Begin,
    /// Choose it: switch to it, or hire it.
    Select,
    /// Be handed to it by a model.
    ModelSwitch,
}

/// What the rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Gate {
    pub is_default: bool,
    pub is_support: bool,
    pub is_restricted: bool,
}

impl From<&AgentDefinition> for Gate {
    fn from(agent: &AgentDefinition) -> Self {
        Self {
            is_default: agent.is_default,
            is_support: agent.is_support(),
            is_restricted: agent.is_restricted,
        }
    }
}

/// The role that makes an agent a support agent. Explicit; never guessed from a name when access is decided.
pub const SUPPORT: &str = "support";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessRefusal {
    SignIn,
    Premium,
}

impl AccessRefusal {
    pub fn wording(self) -> &'static str {
        match self {
            Self::SignIn => "Please sign in to access this agent.",
            Self::Premium => "This agent requires a premium subscription.",
        }
    }
}

/// A visitor is never shown more than a free profile: a restricted agent stays closed even as default or support.
pub fn may_use(viewer: Viewer, agent: Gate, how: Use) -> Result<(), AccessRefusal> {
    match viewer {
        Viewer::Profile(Tier::Premium) => Ok(()),
        Viewer::Profile(Tier::Free) if agent.is_restricted => Err(AccessRefusal::Premium),
        Viewer::Profile(Tier::Free) => Ok(()),
        Viewer::Visitor => {
            let open = match how {
                Use::See | Use::Begin | Use::Select => agent.is_default || agent.is_support,
                Use::ModelSwitch => agent.is_support,
            };
            if open && !agent.is_restricted { Ok(()) } else { Err(AccessRefusal::SignIn) }
        }
    }
}

/// One kind of viewer with one kind of agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pairing {
    /// `visitor`, or the profile's tier.
    pub viewer: &'static str,
    #[serde(flatten)]
    pub gate: Gate,
}

/// All pairings that `may_use` lets through: the rule as a table, for a store that must look at rows where they are.
pub fn pairings(how: Use) -> Vec<Pairing> {
    let viewers = [Viewer::Visitor, Viewer::Profile(Tier::Free), Viewer::Profile(Tier::Premium)];
    let gates = (0..8).map(|bits: u8| Gate {
        is_default: bits & 1 != 0,
        is_support: bits & 2 != 0,
        is_restricted: bits & 4 != 0,
    });
    let pairs = gates.flat_map(|gate| viewers.map(|viewer| (viewer, gate)));
    let open = pairs.filter(|(viewer, gate)| may_use(*viewer, *gate, how).is_ok());
    open.map(|(viewer, gate)| Pairing { viewer: viewer.word(), gate }).collect()
}

impl Viewer {
    fn word(self) -> &'static str {
        match self {
            Self::Visitor => "visitor",
            Self::Profile(tier) => tier.as_str(),
        }
    }
}

#[cfg(test)]
mod tests;
