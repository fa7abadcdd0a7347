//! Whose conversation it is: a profile's or a visitor's, always exactly one of the two.

use serde::{Deserialize, Serialize};

use crate::ids::{ProfileId, VisitorId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    Profile(ProfileId),
    Visitor(VisitorId),
}

impl Person {
    /// Unique among all people, whichever kind they are.
    pub fn id(self) -> uuid::Uuid {
        match self {
            Self::Profile(id) => id.0,
            Self::Visitor(id) => id.0,
        }
    }

    pub fn profile_id(self) -> Option<ProfileId> {
        match self {
            Self::Profile(id) => Some(id),
            Self::Visitor(_) => None,
        }
    }

    pub fn visitor_id(self) -> Option<VisitorId> {
        match self {
            Self::Profile(_) => None,
            Self::Visitor(id) => Some(id),
        }
    }
}
