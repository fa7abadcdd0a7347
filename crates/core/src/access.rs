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
pub enum Refusal {
    SignIn,
    Premium,
}

impl Refusal {
    pub fn wording(self) -> &'static str {
        match self {
            Self::SignIn => "Please sign in to access this agent.",
            Self::Premium => "This agent requires a premium subscription.",
        }
    }
}

/// A visitor is never shown more than a free profile: a restricted agent stays closed even as default or support.
pub fn may_use(viewer: Viewer, agent: Gate, how: Use) -> Result<(), Refusal> {
    match viewer {
        Viewer::Profile(Tier::Premium) => Ok(()),
        Viewer::Profile(Tier::Free) if agent.is_restricted => Err(Refusal::Premium),
        Viewer::Profile(Tier::Free) => Ok(()),
        Viewer::Visitor => {
            let open = match how {
                Use::See | Use::Begin | Use::Select => agent.is_default || agent.is_support,
                Use::ModelSwitch => agent.is_support,
            };
            if open && !agent.is_restricted { Ok(()) } else { Err(Refusal::SignIn) }
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
mod tests {
    use super::*;

    const PLAIN: Gate = Gate { is_default: false, is_support: false, is_restricted: false };
    const DEFAULT: Gate = Gate { is_default: true, ..PLAIN };
    const SUPPORTING: Gate = Gate { is_support: true, ..PLAIN };
    const RESTRICTED: Gate = Gate { is_restricted: true, ..PLAIN };
    const RESTRICTED_DEFAULT: Gate = Gate { is_restricted: true, ..DEFAULT };

    #[test]
    fn the_access_table() {
        use Refusal::{Premium, SignIn};
        let visitor = Viewer::Visitor;
        let free = Viewer::Profile(Tier::Free);
        let premium = Viewer::Profile(Tier::Premium);
        // (viewer, agent, see/begin/select, model switch)
        let table = [
            (visitor, PLAIN, Err(SignIn), Err(SignIn)),
            (visitor, DEFAULT, Ok(()), Err(SignIn)),
            (visitor, SUPPORTING, Ok(()), Ok(())),
            (visitor, RESTRICTED, Err(SignIn), Err(SignIn)),
            (visitor, RESTRICTED_DEFAULT, Err(SignIn), Err(SignIn)),
            (free, PLAIN, Ok(()), Ok(())),
            (free, DEFAULT, Ok(()), Ok(())),
            (free, SUPPORTING, Ok(()), Ok(())),
            (free, RESTRICTED, Err(Premium), Err(Premium)),
            (free, RESTRICTED_DEFAULT, Err(Premium), Err(Premium)),
            (premium, PLAIN, Ok(()), Ok(())),
            (premium, DEFAULT, Ok(()), Ok(())),
            (premium, SUPPORTING, Ok(()), Ok(())),
            (premium, RESTRICTED, Ok(()), Ok(())),
            (premium, RESTRICTED_DEFAULT, Ok(()), Ok(())),
        ];
        for (viewer, agent, person, model) in table {
            for how in [Use::See, Use::Begin, Use::Select] {
                assert_eq!(may_use(viewer, agent, how), person, "{viewer:?} {agent:?} {how:?}");
            }
            assert_eq!(may_use(viewer, agent, Use::ModelSwitch), model, "{viewer:?} {agent:?} by a model");
        }
    }

    #[test]
    fn the_rule_as_a_table() {
        let words = |how| {
            let of = |one: &Pairing| match one.gate {
                Gate { is_restricted: true, .. } => (one.viewer, "restricted"),
                Gate { is_support: true, .. } => (one.viewer, "support"),
                Gate { is_default: true, .. } => (one.viewer, "default"),
                _ => (one.viewer, "plain"),
            };
            pairings(how).iter().map(of).collect::<std::collections::BTreeSet<_>>()
        };
        let profiles = [
            ("free", "plain"),
            ("free", "default"),
            ("free", "support"),
            ("premium", "plain"),
            ("premium", "default"),
            ("premium", "support"),
            ("premium", "restricted"),
        ];
        let chosen = [("visitor", "default"), ("visitor", "support")].into_iter().chain(profiles);
        assert_eq!(words(Use::Select), chosen.collect());
        assert_eq!(
            words(Use::ModelSwitch),
            std::iter::once(("visitor", "support")).chain(profiles).collect()
        );
        assert_eq!(
            serde_json::to_value(pairings(Use::ModelSwitch)[0]).unwrap(),
            serde_json::json!({
                "viewer": "free", "is_default": false, "is_support": false, "is_restricted": false,
            })
        );
    }

    #[test]
    fn a_refusal_says_what_helps() {
        assert!(Refusal::SignIn.wording().contains("sign in"));
        assert!(Refusal::Premium.wording().contains("premium subscription"));
    }
}
