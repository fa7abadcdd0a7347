//! Who may see and change which part of a workspace's data. A workspace says it per role and area; agents, reports and
//! exports never have more than the person they work for.

use crate::words;
use crate::workspaces::Role;

words! {
    /// A part of a workspace's data.
    Area {
        Money => "money",
        Knowledge => "knowledge",
        Sales => "sales",
        Projects => "projects",
        Messages => "messages",
    }
}

words! {
    /// What someone may do in an area; later ones may do everything earlier ones may.
    AreaAccess { None => "none", Read => "read", Write => "write" }
}

impl Area {
    pub const ALL: [Self; 5] = [Self::Money, Self::Knowledge, Self::Sales, Self::Projects, Self::Messages];
}

/// What one person may do in each area of one workspace, at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas([AreaAccess; Area::ALL.len()]);

impl Areas {
    /// Of people who are no members.
    pub const NONE: Self = Self([AreaAccess::None; Area::ALL.len()]);
    pub const WRITE: Self = Self([AreaAccess::Write; Area::ALL.len()]);

    pub fn access(&self, area: Area) -> AreaAccess {
        self.0[area as usize]
    }

    pub fn with(mut self, area: Area, access: AreaAccess) -> Self {
        self.0[area as usize] = access;
        self
    }

    /// Why someone may not do what needs `least`, in words for people and for models.
    pub fn check(&self, area: Area, least: AreaAccess) -> Result<(), AreaRefused> {
        if self.access(area) >= least { Ok(()) } else { Err(AreaRefused { area, least }) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct AreaRefused {
    pub area: Area,
    pub least: AreaAccess,
}

impl std::fmt::Display for AreaRefused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = if self.least == AreaAccess::Write { "change" } else { "see" };
        write!(f, "in this workspace this person may not {what} data of the area {}", self.area)
    }
}

/// What a workspace has set, where it differs from the usual.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AreaRules(pub Vec<AreaRule>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AreaRule {
    pub role: Role,
    pub area: Area,
    pub access: AreaAccess,
}

impl AreaRules {
    /// Members read and write where nobody said otherwise; owners always do, so that nobody is locked out.
    pub fn areas_of(&self, role: Role) -> Areas {
        let mut areas = Areas::WRITE;
        for rule in self.0.iter().filter(|rule| rule.role == role && role != Role::Owner) {
            areas = areas.with(rule.area, rule.access);
        }
        areas
    }
}

#[cfg(test)]
mod tests;
