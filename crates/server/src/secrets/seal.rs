//! Seals and opens one secret: ChaCha20-Poly1305 with a random nonce. The place that a secret belongs to is
//! authenticated with it, so a secret that was moved to another place doesn't open.

use anyhow::anyhow;
use baton_core::secrets::{Sealed, SecretPlace, SecretText};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest, Sha256};

/// The first byte of what is sealed. Another way of sealing would have another.
const VERSION: u8 = 1;

pub struct SealingKey {
    /// Says which key it is, and nothing of the key.
    pub id: String,
    key: LessSafeKey,
}

impl SealingKey {
    /// The key is what the text hashes to, so that any long random text will do.
    pub fn new(text: &str) -> anyhow::Result<Self> {
        let key = UnboundKey::new(&CHACHA20_POLY1305, &digest(b"baton sealing key 1\0", text))
            .map_err(|_| anyhow!("a sealing key could not be made"))?;
        let id = digest(b"baton sealing key id 1\0", text);
        let id = id[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { id, key: LessSafeKey::new(key) })
    }

    pub fn seal(&self, place: &SecretPlace, secret: &SecretText) -> anyhow::Result<Sealed> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|error| anyhow!("no randomness: {error}"))?;
        let mut text = secret.reveal().as_bytes().to_vec();
        let place = Aad::from(place.associated_data());
        self.key
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), place, &mut text)
            .map_err(|_| anyhow!("a secret could not be sealed"))?;
        let bytes = [&[VERSION][..], &nonce, &text].concat();
        Ok(Sealed { key_id: self.id.clone(), bytes })
    }

    /// `None`: another key, another place, or bytes that were changed.
    pub fn open(&self, place: &SecretPlace, sealed: &Sealed) -> Option<SecretText> {
        let (version, rest) = sealed.bytes.split_first()?;
        let (nonce, text) = rest.split_at_checked(NONCE_LEN)?;
        if *version != VERSION {
            return None;
        }
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut text = text.to_vec();
        let opened = self.key.open_in_place(nonce, Aad::from(place.associated_data()), &mut text).ok()?;
        String::from_utf8(opened.to_vec()).ok().map(SecretText::new)
    }
}

fn digest(purpose: &[u8], text: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(purpose);
    hash.update(text.as_bytes());
    hash.finalize().into()
}
