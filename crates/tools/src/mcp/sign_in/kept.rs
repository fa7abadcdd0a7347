//! What is kept of a person's sign-in, and how a connection reads and renews it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use baton_core::secrets::SecretText;
use baton_core::store;
use rmcp::transport::auth::{
    AuthError, AuthorizationMetadata, CredentialRefreshGuard, CredentialStore, StoredCredentials,
};
use serde::{Deserialize, Serialize};

use super::{Client, SignInPlace, SignIns};

/// How long tokens are used before they are looked up again: another node may have renewed them.
const KNOWN_FOR: Duration = Duration::from_secs(5);

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) client: Client,
    pub(super) metadata: AuthorizationMetadata,
    pub(super) credentials: StoredCredentials,
}

impl Kept {
    /// What can't be read any more is as if it weren't there: the person signs in again.
    pub(super) async fn load(
        sign_ins: &Arc<dyn SignIns>,
        place: &SignInPlace,
    ) -> store::Result<Option<Self>> {
        let kept = sign_ins.load(place).await?;
        Ok(kept.and_then(|kept| serde_json::from_str(kept.reveal()).ok()))
    }
}

pub(super) struct Store {
    sign_ins: Arc<dyn SignIns>,
    place: SignInPlace,
    client: Client,
    metadata: AuthorizationMetadata,
    known: Mutex<Option<(Instant, Option<StoredCredentials>)>>,
}

impl Store {
    pub(super) fn new(sign_ins: Arc<dyn SignIns>, place: SignInPlace, kept: Kept) -> Self {
        let known = Mutex::new(Some((Instant::now(), Some(kept.credentials))));
        Self { sign_ins, place, client: kept.client, metadata: kept.metadata, known }
    }

    /// Of a sign-in that is about to get its first tokens.
    pub(super) fn first(
        sign_ins: Arc<dyn SignIns>,
        place: SignInPlace,
        client: Client,
        metadata: AuthorizationMetadata,
    ) -> Self {
        Self { sign_ins, place, client, metadata, known: Mutex::default() }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Option<(Instant, Option<StoredCredentials>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(error: store::Error) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}

#[async_trait]
impl CredentialStore for Store {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        if let Some((since, credentials)) = self.known().as_ref()
            && since.elapsed() < KNOWN_FOR
        {
            return Ok(credentials.clone());
        }
        let kept = Kept::load(&self.sign_ins, &self.place).await.map_err(failed)?;
        let credentials = kept.map(|kept| kept.credentials);
        *self.known() = Some((Instant::now(), credentials.clone()));
        Ok(credentials)
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let kept = Kept { client: self.client.clone(), metadata: self.metadata.clone(), credentials };
        let text =
            serde_json::to_string(&kept).map_err(|error| AuthError::InternalError(error.to_string()))?;
        self.sign_ins.save(&self.place, SecretText::new(text)).await.map_err(failed)?;
        *self.known() = Some((Instant::now(), Some(kept.credentials)));
        Ok(())
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.sign_ins.forget(&self.place).await.map_err(failed)?;
        *self.known() = None;
        Ok(())
    }

    async fn on_refresh_token_rejected(&self, _: &StoredCredentials) -> Result<(), AuthError> {
        self.clear().await
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let guard = self.sign_ins.lock(&self.place).await.map_err(failed)?;
        // Whoever had the lock before may have renewed.
        *self.known() = None;
        Ok(Some(CredentialRefreshGuard::new(guard)))
    }
}
