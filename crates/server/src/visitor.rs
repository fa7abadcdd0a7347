//! A visitor's identity: an id in a signed cookie, so that nobody can name someone else's. The cookie also names the
//! workspaces whose public address the browser has been at, and opens nothing anywhere else.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use baton_core::ids::{VisitorId, WorkspaceId};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

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

pub struct VisitorKey(Vec<u8>);

impl VisitorKey {
    pub fn new(secret: Vec<u8>) -> Self {
        Self(secret)
    }

    /// `id.place.place.signature`
    pub fn sign(&self, visitor: &Visitor) -> String {
        let mut said = visitor.id.0.simple().to_string();
        for place in &visitor.places {
            said.push('.');
            said.push_str(&place.0.simple().to_string());
        }
        let signature = URL_SAFE_NO_PAD.encode(self.mac(&said).finalize().into_bytes());
        format!("{said}.{signature}")
    }

    pub fn verify(&self, cookie: &str) -> Option<Visitor> {
        let (said, signature) = cookie.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(said).verify_slice(&signature).ok()?;
        let mut ids = said.split('.').map(Uuid::parse_str);
        let id = VisitorId(ids.next()?.ok()?);
        let places = ids.map(|id| id.map(WorkspaceId)).collect::<Result<Vec<_>, _>>().ok()?;
        Some(Visitor { id, places })
    }

    fn mac(&self, said: &str) -> Hmac<Sha256> {
        // HMAC takes keys of every length, so this cannot fail.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).unwrap_or_else(|_| unreachable!());
        mac.update(said.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
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
