//! Seals, opens and re-encrypts secrets with the keys that this server has. The database says which key seals, so that
//! nodes with several keys agree.

use std::sync::Arc;

use baton_core::secrets::{Sealed, SecretPlace, SecretText, StoredSecret};
use baton_core::store::{Error, Store};
use serde::{Deserialize, Serialize};

use super::keyring::Keyring;
use super::seal::SealingKey;

pub struct Vault {
    keyring: Keyring,
    store: Arc<dyn Store>,
    /// Held while the key is changed.
    rotating: tokio::sync::Mutex<()>,
}

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error(transparent)]
    Store(#[from] Error),
    /// There is no key to seal with, and none could be made.
    #[error("{0:#}")]
    NoKey(anyhow::Error),
    #[error(
        "All secrets are encrypted with the first key of secret_key already. To change it, put a new key before it, as in \
         new,old, and run this again; then remove the old one."
    )]
    NothingToDo,
}

/// What to do with secrets that no key here opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    Keep,
    /// They are removed: whoever entered them has to enter them again.
    Forget,
}

/// What came of changing the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rotated {
    pub sealed_again: u64,
    pub unreadable: u64,
    pub forgotten: u64,
}

impl Vault {
    pub fn new(keyring: Keyring, store: Arc<dyn Store>) -> Self {
        Self { keyring, store, rotating: tokio::sync::Mutex::default() }
    }

    /// Makes the key if this server is to have one of its own, so that it is there to be copied from the first start on.
    pub fn prepare(&self) -> anyhow::Result<()> {
        self.keyring.first().map(drop)
    }

    /// Says loudly that secrets can't be opened here. The server runs all the same: only what needs them doesn't work.
    pub async fn check(&self) -> Result<(), Error> {
        if let Some(id) = self.store.sealing_key().await?
            && self.keyring.find(&id).is_none()
            && self.store.has_secrets().await?
        {
            tracing::error!(
                "API keys in the database are encrypted with the key {id}, which this server does not have. Give it the \
                 secret_key (BATON_SECRET_KEY) of the servers that have it, or the file secret.key from their data \
                 folder. If the key is lost, `baton admin rotate-key --forget-unreadable` removes what it encrypted."
            );
        }
        Ok(())
    }

    pub async fn seal(&self, place: SecretPlace, secret: &SecretText) -> Result<StoredSecret, VaultError> {
        let key = match self.store.sealing_key().await? {
            Some(id) => match self.keyring.find(&id) {
                Some(key) => key,
                // Nothing is left that only the other key would open.
                None if !self.store.has_secrets().await? => self.first()?,
                None => return Err(Error::SealedElsewhere(id).into()),
            },
            None => self.first()?,
        };
        let sealed = key.seal(&place, secret).map_err(VaultError::NoKey)?;
        Ok(StoredSecret { place, sealed })
    }

    /// `None`: this server doesn't have the key, or the secret was moved here from elsewhere.
    pub fn open(&self, place: &SecretPlace, sealed: &Sealed) -> Option<SecretText> {
        let opened = self.keyring.find(&sealed.key_id).and_then(|key| key.open(place, sealed));
        if opened.is_none() {
            tracing::error!(key = sealed.key_id, owner = %place.owner_id, "a secret can't be decrypted");
        }
        opened
    }

    /// Encrypts every secret with a new key (of a file), or with the first one (of the setting). It can be interrupted
    /// anywhere: each secret names its key, and no key is removed before nothing needs it. Run again, it goes on.
    pub async fn rotate(&self, unreadable: Unreadable) -> Result<Rotated, VaultError> {
        let _alone = self.rotating.lock().await;
        self.keyring.read_again().map_err(VaultError::NoKey)?;
        let sealing = self.store.sealing_key().await?;
        if let Some(id) = &sealing
            && unreadable == Unreadable::Keep
            && self.keyring.find(id).is_none()
            && self.store.has_secrets().await?
        {
            return Err(Error::SealedElsewhere(id.clone()).into());
        }
        let target = self.target(sealing.as_deref())?;
        if self.keyring.is_of_setting()
            && sealing.as_ref() == Some(&target.id)
            && self.store.secrets_not_under(&target.id, None).await?.is_empty()
        {
            return Err(VaultError::NothingToDo);
        }
        // From here on new secrets are sealed with it too, on every node.
        self.store.choose_sealing_key(&target.id).await?;
        let mut rotated = Rotated::default();
        let mut last: Option<StoredSecret> = None;
        loop {
            let page = self.store.secrets_not_under(&target.id, last.as_ref()).await?;
            let Some(newest) = page.last() else { break };
            last = Some(newest.clone());
            for secret in page {
                self.seal_again(&secret, &target, unreadable, &mut rotated).await?;
            }
        }
        let needed = self.store.sealing_key().await?.into_iter().chain(self.keys_in_use().await?);
        self.keyring.keep(&needed.collect::<Vec<_>>()).map_err(VaultError::NoKey)?;
        Ok(rotated)
    }

    async fn seal_again(
        &self,
        secret: &StoredSecret,
        target: &SealingKey,
        unreadable: Unreadable,
        rotated: &mut Rotated,
    ) -> Result<(), VaultError> {
        let key = self.keyring.find(&secret.sealed.key_id);
        match (key.and_then(|key| key.open(&secret.place, &secret.sealed)), unreadable) {
            (Some(text), _) => {
                let sealed = target.seal(&secret.place, &text).map_err(VaultError::NoKey)?;
                // A secret that was changed meanwhile is under the new key already.
                rotated.sealed_again += u64::from(self.store.reseal(secret, sealed).await?);
            }
            (None, Unreadable::Keep) => rotated.unreadable += 1,
            (None, Unreadable::Forget) => {
                self.store.forget_secret(secret).await?;
                rotated.forgotten += 1;
            }
        }
        Ok(())
    }

    /// The keys of secrets that are still under another one than the newest.
    async fn keys_in_use(&self) -> Result<Vec<String>, Error> {
        let mut ids: Vec<String> = Vec::new();
        let mut last: Option<StoredSecret> = None;
        loop {
            let page = self.store.secrets_not_under("", last.as_ref()).await?;
            let Some(newest) = page.last() else { return Ok(ids) };
            last = Some(newest.clone());
            ids.extend(page.into_iter().map(|secret| secret.sealed.key_id));
            ids.sort();
            ids.dedup();
        }
    }

    fn target(&self, sealing: Option<&str>) -> Result<Arc<SealingKey>, VaultError> {
        let first = self.first()?;
        let is_unfinished = sealing.is_some_and(|sealing| sealing != first.id);
        if self.keyring.is_of_setting() || is_unfinished {
            return Ok(first);
        }
        self.keyring.add().map_err(VaultError::NoKey)
    }

    fn first(&self) -> Result<Arc<SealingKey>, VaultError> {
        self.keyring.first().map_err(VaultError::NoKey)
    }
}
