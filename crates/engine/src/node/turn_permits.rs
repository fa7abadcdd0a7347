//! How many turns run on this node at once: for each person, each workspace, and all together. A place is taken before
//! anything is stored, and is free again when the driver of its turn leaves.

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
pub enum Reach {
    Member,
    Public,
}

impl Reach {
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

pub struct Places {
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

impl Places {
    pub fn new(limits: TurnLimits) -> Self {
        Self { limits, taken: Arc::default() }
    }

    pub fn taken(&self) -> usize {
        lock(&self.taken).all
    }

    /// A place for a turn that is about to begin.
    fn take(&self, person: Person, workspace: WorkspaceId, reach: Reach) -> Result<Place, NotNow> {
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
        if reach == Reach::Public && is_full(public, public_per_workspace) {
            return Err(NotNow::PublicBusy(public_per_workspace));
        }
        if is_full(taken.all, per_node) {
            return Err(NotNow::NodeBusy(per_node));
        }
        Ok(self.count(&mut taken, person, workspace, reach))
    }

    /// A place for a turn that was accepted before: taken over, resumed, or asked for by another agent. It counts, and is
    /// never refused.
    pub fn take_anyway(&self, seat: &Seat, reach: Reach) -> Place {
        self.count(&mut lock(&self.taken), seat.person, seat.workspace_id, reach)
    }

    fn count(&self, taken: &mut Taken, person: Person, workspace: WorkspaceId, reach: Reach) -> Place {
        taken.all += 1;
        *taken.people.entry(person.id()).or_default() += 1;
        *taken.workspaces.entry(workspace).or_default() += 1;
        if reach == Reach::Public {
            *taken.public.entry(workspace).or_default() += 1;
        }
        Place { person, workspace, reach, taken: self.taken.clone() }
    }
}

/// Where one turn runs.
pub struct Place {
    person: Person,
    workspace: WorkspaceId,
    reach: Reach,
    taken: Arc<Mutex<Taken>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.all -= 1;
        give_back(&mut taken.people, &self.person.id());
        give_back(&mut taken.workspaces, &self.workspace);
        if self.reach == Reach::Public {
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
    /// A place for a turn that is about to begin, before anything of it is stored.
    pub fn admit(&self, person: Person, workspace: WorkspaceId, reach: Reach) -> Result<Place, NotNow> {
        let place = self.places.take(person, workspace, reach)?;
        // Looked at with the place taken: whoever drains waits for it, or is seen here.
        match self.phase() {
            Phase::Serving if self.may_claim() => Ok(place),
            Phase::Serving => Err(NotNow::NoLease),
            Phase::Draining | Phase::Ended => Err(NotNow::Ending),
        }
    }
}

#[cfg(test)]
mod tests {
    use baton_core::ids::ProfileId;

    use super::*;

    #[test]
    fn places_are_counted_for_each_and_come_back() {
        let places =
            Places::new(TurnLimits { per_person: 2, per_workspace: 3, public_per_workspace: 1, per_node: 4 });
        let [ana, ben, cleo] = [(); 3].map(|()| Person::Profile(ProfileId::new()));
        let (here, there) = (WorkspaceId::new(), WorkspaceId::new());
        let take = |person, workspace| {
            places.take(person, workspace, Reach::Member).map_err(|refused| refused.to_string())
        };
        let refused = |person, workspace| places.take(person, workspace, Reach::Member).err();
        let first = take(ana, here).expect("the first");
        let _second = take(ana, there).expect("the second");
        assert_eq!(refused(ana, here), Some(NotNow::PersonBusy(2)), "wherever they are");
        let _third = take(ben, here).expect("another person's");
        let fourth = take(ben, here).expect("the workspace's third");
        assert_eq!(refused(cleo, here), Some(NotNow::WorkspaceBusy(3)));
        assert_eq!(refused(cleo, there), Some(NotNow::NodeBusy(4)));
        drop(first);
        let again = take(cleo, here).expect("a place that came back");
        drop((again, fourth));
        assert_eq!(places.taken(), 2);
        assert!(take(ben, here).is_ok() && take(ana, here).is_ok());
    }

    #[test]
    fn guests_and_visitors_have_fewer_places_and_take_none_from_members() {
        let places = Places::new(TurnLimits { public_per_workspace: 2, ..TurnLimits::NONE });
        let (here, there) = (WorkspaceId::new(), WorkspaceId::new());
        let take = |workspace, reach| places.take(Person::Profile(ProfileId::new()), workspace, reach);
        let visits = [(); 2].map(|()| take(here, Reach::Public).map_err(|refused| refused.to_string()));
        assert_eq!(take(here, Reach::Public).err(), Some(NotNow::PublicBusy(2)), "whoever they are");
        assert!(take(there, Reach::Public).is_ok() && take(here, Reach::Member).is_ok());
        drop(visits);
        assert!(take(here, Reach::Public).is_ok());
    }

    #[test]
    fn accepted_work_counts_and_is_never_refused() {
        let places = Places::new(TurnLimits { per_person: 1, ..TurnLimits::NONE });
        let (person, workspace_id) = (Person::Profile(ProfileId::new()), WorkspaceId::new());
        let seat =
            Seat { id: baton_core::ids::ConversationId::new(), workspace_id, person, is_subtask: true };
        let subtasks = [(); 3].map(|()| places.take_anyway(&seat, Reach::Public));
        let take = || places.take(person, workspace_id, Reach::Member);
        assert_eq!(take().err(), Some(NotNow::PersonBusy(1)));
        drop(subtasks);
        assert!(take().is_ok());
    }

    #[test]
    fn without_limits_as_many_run_as_come() {
        let places = Places::new(TurnLimits::NONE);
        let (person, workspace) = (Person::Profile(ProfileId::new()), WorkspaceId::new());
        let taken: Vec<_> =
            (0..500).map_while(|_| places.take(person, workspace, Reach::Public).ok()).collect();
        assert_eq!((taken.len(), places.taken()), (500, 500));
    }
}
