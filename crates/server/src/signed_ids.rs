//! Ids in a cookie, signed so that nobody can claim an id of somebody else.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

pub struct SigningKey(Vec<u8>);

impl SigningKey {
    pub fn new(secret: Vec<u8>) -> Self {
        Self(secret)
    }

    /// `id.id.id.signature`
    pub fn sign(&self, ids: impl IntoIterator<Item = Uuid>) -> String {
        let said: Vec<String> = ids.into_iter().map(|id| id.simple().to_string()).collect();
        let said = said.join(".");
        let signature = URL_SAFE_NO_PAD.encode(self.mac(&said).finalize().into_bytes());
        format!("{said}.{signature}")
    }

    pub fn verify(&self, cookie: &str) -> Option<Vec<Uuid>> {
        let (said, signature) = cookie.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(said).verify_slice(&signature).ok()?;
        said.split('.').map(|id| Uuid::parse_str(id).ok()).collect()
    }

    fn mac(&self, said: &str) -> Hmac<Sha256> {
        // HMAC takes keys of every length, so this cannot fail.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).unwrap_or_else(|_| unreachable!());
        mac.update(said.as_bytes());
        mac
    }
}
