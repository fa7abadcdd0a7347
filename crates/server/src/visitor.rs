//! A visitor's identity: an id in a signed cookie, so that nobody can claim the id of somebody else. The cookie also
//! names the workspaces whose public address the browser has visited, and is valid only there.

use baton_core::ids::{VisitorId, WorkspaceId};

use crate::signed_ids::SigningKey;

pub const COOKIE: &str = "baton_visitor";
/// A cookie is sent with every request: of more places, it keeps the latest.
const MAX_PLACES: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    pub id: VisitorId,
    /// The latest last.
    places: Vec<WorkspaceId>,
}

impl Visitor {
    pub fn new(place: WorkspaceId) -> Self {
        Self { id: VisitorId::new(), places: vec![place] }
    }

    pub fn is_at(&self, place: WorkspaceId) -> bool {
        self.places.contains(&place)
    }

    /// The same visitor, at one more place.
    pub fn also_at(mut self, place: WorkspaceId) -> Self {
        self.places.push(place);
        let too_many = self.places.len().saturating_sub(MAX_PLACES);
        self.places.drain(..too_many);
        self
    }
}

pub struct VisitorKey(SigningKey);

impl VisitorKey {
    pub fn new(secret: Vec<u8>) -> Self {
        Self(SigningKey::new(secret))
    }

    pub fn sign(&self, visitor: &Visitor) -> String {
        self.0.sign(std::iter::once(visitor.id.0).chain(visitor.places.iter().map(|place| place.0)))
    }

    pub fn verify(&self, cookie: &str) -> Option<Visitor> {
        let mut ids = self.0.verify(cookie)?.into_iter();
        let id = VisitorId(ids.next()?);
        Some(Visitor { id, places: ids.map(WorkspaceId).collect() })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn only_our_signature_is_believed() {
        let key = VisitorKey::new(vec![1; 32]);
        let (here, there) = (WorkspaceId::new(), WorkspaceId::new());
        let visitor = Visitor::new(here);
        let cookie = key.sign(&visitor);
        assert_eq!(key.verify(&cookie), Some(visitor.clone()));
        assert_eq!(VisitorKey::new(vec![2; 32]).verify(&cookie), None);
        let of = |id: Uuid| id.simple().to_string();
        for (part, other) in [(visitor.id.0, VisitorId::new().0), (here.0, there.0)] {
            assert_eq!(key.verify(&cookie.replace(&of(part), &of(other))), None);
        }
        let (said, signature) = cookie.rsplit_once('.').expect("a signature");
        assert_eq!(key.verify(&format!("{said}.{}.{signature}", of(there.0))), None, "a place added");
        assert_eq!(key.verify(&format!("{}.{signature}", of(visitor.id.0))), None, "a place taken away");
        for nonsense in ["nonsense", "", ".", "a.b"] {
            assert_eq!(key.verify(nonsense), None);
        }
    }

    #[test]
    fn the_latest_places_are_kept() {
        let first = WorkspaceId::new();
        let many: Vec<_> = (0..MAX_PLACES).map(|_| WorkspaceId::new()).collect();
        let visitor = many.iter().fold(Visitor::new(first), |visitor, place| visitor.also_at(*place));
        assert!(!visitor.is_at(first) && many.iter().all(|place| visitor.is_at(*place)));
    }
}
