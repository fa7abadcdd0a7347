//! How many turns run on this node at once: for each person, for each workspace, and in total. A permit is taken
//! before anything is stored and given back when the driver of its turn leaves.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use baton_core::ids::WorkspaceId;
use baton_core::visitors::Person;
use uuid::Uuid;

use crate::lock::lock;
use crate::node::engine::{Inner, Seat};
use crate::node::state::Phase;

/// The most turns at once; 0 means as many as come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnLimits {
    pub per_person: usize,
    pub per_workspace: usize,
    /// Of guests and visitors of one workspace.
    pub public_per_workspace: usize,
    pub per_node: usize,
}

impl TurnLimits {
    pub const NONE: Self = Self { per_person: 0, per_workspace: 0, public_per_workspace: 0, per_node: 0 };
}

/// Whether a turn is one of the workspace's own people, or comes in by its public address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Member,
    Public,
}

impl Origin {
    pub fn of(is_public: bool) -> Self {
        if is_public { Self::Public } else { Self::Member }
    }
}

/// Why a turn can't begin here now, though it could a moment later or elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotNow {
    #[error("the server is ending")]
    Ending,
    #[error("this node's lease is not good")]
    NoLease,
    #[error("{0} answers of this person are under way")]
    PersonBusy(usize),
    #[error("{0} answers of this workspace are under way")]
    WorkspaceBusy(usize),
    #[error("{0} answers of guests and visitors of this workspace are under way")]
    PublicBusy(usize),
    #[error("{0} answers are under way on this server")]
    NodeBusy(usize),
}

pub struct TurnPermits {
    limits: TurnLimits,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    all: usize,
    people: HashMap<Uuid, usize>,
    workspaces: HashMap<WorkspaceId, usize>,
    /// Turns of guests and visitors.
    public: HashMap<WorkspaceId, usize>,
}

impl TurnPermits {
    pub fn new(limits: TurnLimits) -> Self {
        Self { limits, taken: Arc::default() }
    }

    pub fn taken(&self) -> usize {
        lock(&self.taken).all
    }

    /// A permit for a turn that is about to begin.
    fn take(&self, person: Person, workspace: WorkspaceId, origin: Origin) -> Result<TurnPermit, NotNow> {
        let mut taken = lock(&self.taken);
        let TurnLimits { per_person, per_workspace, public_per_workspace, per_node } = self.limits;
        let is_full = |count: usize, most: usize| most > 0 && count >= most;
        if is_full(taken.people.get(&person.id()).copied().unwrap_or(0), per_person) {
            return Err(NotNow::PersonBusy(per_person));
        }
        if is_full(taken.workspaces.get(&workspace).copied().unwrap_or(0), per_workspace) {
            return Err(NotNow::WorkspaceBusy(per_workspace));
        }
        let public = taken.public.get(&workspace).copied().unwrap_or(0);
        if origin == Origin::Public && is_full(public, public_per_workspace) {
            return Err(NotNow::PublicBusy(public_per_workspace));
        }
        if is_full(taken.all, per_node) {
            return Err(NotNow::NodeBusy(per_node));
        }
        Ok(self.count(&mut taken, person, workspace, origin))
    }

    /// A permit for a turn that was accepted before: taken over, resumed, or asked for by another agent. It counts, and is
    /// never refused.
    pub fn take_anyway(&self, seat: &Seat, origin: Origin) -> TurnPermit {
        self.count(&mut lock(&self.taken), seat.person, seat.workspace_id, origin)
    }

    fn count(&self, taken: &mut Taken, person: Person, workspace: WorkspaceId, origin: Origin) -> TurnPermit {
        taken.all += 1;
        *taken.people.entry(person.id()).or_default() += 1;
        *taken.workspaces.entry(workspace).or_default() += 1;
        if origin == Origin::Public {
            *taken.public.entry(workspace).or_default() += 1;
        }
        TurnPermit { person, workspace, origin, taken: self.taken.clone() }
    }
}

/// Where one turn runs.
pub struct TurnPermit {
    person: Person,
    workspace: WorkspaceId,
    origin: Origin,
    taken: Arc<Mutex<Taken>>,
}

impl Drop for TurnPermit {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.all -= 1;
        give_back(&mut taken.people, &self.person.id());
        give_back(&mut taken.workspaces, &self.workspace);
        if self.origin == Origin::Public {
            give_back(&mut taken.public, &self.workspace);
        }
    }
}

fn give_back<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

impl Inner {
    /// A permit for a turn that is about to begin, before anything of it is stored.
    pub fn admit(
        &self,
        person: Person,
        workspace: WorkspaceId,
        origin: Origin,
    ) -> Result<TurnPermit, NotNow> {
        let permit = self.turn_permits.take(person, workspace, origin)?;
        // Looked at with the permit taken: whoever drains waits for it, or is seen here.
        match self.phase() {
            Phase::Serving if self.may_claim() => Ok(permit),
            Phase::Serving => Err(NotNow::NoLease),
            Phase::Draining | Phase::Ended => Err(NotNow::Ending),
        }
    }
}

#[cfg(test)]
mod tests;
