//! A visitor's identity: an id in a signed cookie, so that nobody can name someone else's.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use baton_core::ids::VisitorId;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

pub const COOKIE: &str = "baton_visitor";

pub struct VisitorKey(Vec<u8>);

impl VisitorKey {
    pub fn new(secret: Vec<u8>) -> Self {
        Self(secret)
    }

    pub fn sign(&self, id: VisitorId) -> String {
        format!("{id}.{}", URL_SAFE_NO_PAD.encode(self.mac(id).finalize().into_bytes()))
    }

    pub fn verify(&self, cookie: &str) -> Option<VisitorId> {
        let (id, signature) = cookie.split_once('.')?;
        let id = VisitorId(Uuid::parse_str(id).ok()?);
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(id).verify_slice(&signature).ok().map(|()| id)
    }

    fn mac(&self, id: VisitorId) -> Hmac<Sha256> {
        // HMAC takes keys of every length, so this cannot fail.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).unwrap_or_else(|_| unreachable!());
        mac.update(id.0.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_signature_is_believed() {
        let key = VisitorKey::new(vec![1; 32]);
        let id = VisitorId::new();
        let cookie = key.sign(id);
        assert_eq!(key.verify(&cookie), Some(id));
        assert_eq!(VisitorKey::new(vec![2; 32]).verify(&cookie), None);
        let other = cookie.replace(&id.to_string(), &VisitorId::new().to_string());
        assert_eq!(key.verify(&other), None);
        assert_eq!(key.verify("nonsense"), None);
    }
}
