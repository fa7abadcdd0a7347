//! Secrets as they are given and as they are stored. A stored secret is sealed: encrypted, and bound to the place it is
//! for, so that it opens nowhere else. The server seals and opens them; the store only keeps what is sealed.

use std::fmt;

use serde::Deserialize;
use uuid::Uuid;

use crate::ids::WorkspaceId;
use crate::text::Invalid;

pub const MAX_SECRET: usize = 4_000;

crate::words! {
    /// What a secret is used for.
    SecretUse {
        ModelProvider => "model_provider",
        SearchEngine => "search_engine",
        /// The secrets of a tool that people defined, as one text.
        Tool => "tool",
    }
}

/// A secret that can be read. It is never shown: not in debug output, and it can't be serialised.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SecretText(String);

impl SecretText {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for who sends it to where it belongs.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// A key as people paste it: without the spaces around it, and one that can be sent in a header. The error doesn't
    /// repeat it.
    pub fn checked(&self, field: &str) -> Result<Self, Invalid> {
        let text = self.0.trim();
        if text.is_empty() {
            return Err(Invalid::new(field, "must not be empty"));
        }
        if text.len() > MAX_SECRET {
            return Err(Invalid::new(field, format!("must be at most {MAX_SECRET} characters")));
        }
        if !text.chars().all(|c| c.is_ascii_graphic()) {
            return Err(Invalid::new(
                field,
                "holds characters that can't be part of a key: copy it again from where you got it",
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// A secret as it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Names the key that opens it.
    pub key_id: String,
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealed").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}

/// What a secret is bound to. Moved anywhere else, it doesn't open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretPlace {
    /// `None`: the server's own.
    pub workspace_id: Option<WorkspaceId>,
    pub used_for: SecretUse,
    /// The provider, engine or tool that has it.
    pub owner_id: Uuid,
    /// The only address it is sent to (scheme, host and port): who changes the address has to give the secret again.
    pub sent_to: String,
}

impl SecretPlace {
    /// The place as bytes, different for every place.
    pub fn associated_data(&self) -> Vec<u8> {
        let workspace = self.workspace_id.map_or(Uuid::nil(), |id| id.0);
        let mut bytes = Vec::from(*b"baton secret 1\0");
        bytes.push(u8::from(self.workspace_id.is_some()));
        bytes.extend(workspace.as_bytes());
        bytes.extend(self.owner_id.as_bytes());
        bytes.extend(self.used_for.as_str().as_bytes());
        bytes.push(0);
        bytes.extend(self.sent_to.as_bytes());
        bytes
    }
}

/// A sealed secret and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSecret {
    pub place: SecretPlace,
    pub sealed: Sealed,
}

/// What becomes of a secret when its owner is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretChange {
    Keep,
    Set(StoredSecret),
    Remove,
}

#[cfg(test)]
mod tests;
