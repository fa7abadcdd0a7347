//! Random secrets that are shown once and kept as hashes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A secret in its two forms: what the person gets, and what is stored.
pub struct Secret {
    pub text: String,
    pub hash: Vec<u8>,
}

impl Secret {
    /// 256 random bits behind a prefix that says what they are for.
    pub fn new(prefix: &str) -> anyhow::Result<Self> {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
        let text = format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes));
        Ok(Self { hash: hash(&text), text })
    }
}

/// Plain SHA-256: these secrets are random, so there is nothing to guess slowly.
pub fn hash(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}
