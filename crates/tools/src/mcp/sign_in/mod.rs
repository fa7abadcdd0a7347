//! Signing in to a server, per person (OAuth 2.1): from the server's own description of where, over the person's browser,
//! to tokens that are renewed when they run out.
//!
//! What is hard: the browser may come back to another node than it left from, and two nodes must not renew at once (the
//! second would take a used token, and a careful server then revokes them all). So what is under way and what came of it is
//! kept by the caller ([`SignIns`]), as text that only this folder reads, and renewing takes the caller's lock.

mod kept;
mod web;

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::secrets::SecretText;
use baton_core::server_tools::{Endpoint, Server};
use baton_core::store;
use baton_core::visitors::Person;
use rmcp::transport::auth::{
    AuthError, AuthorizationCallback, AuthorizationManager, AuthorizationMetadata, InMemoryStateStore,
    OAuthClientConfig, StateStore, StoredAuthorizationState, WWWAuthenticateParams,
};
use serde::{Deserialize, Serialize};
use url::Url;

use kept::{Kept, Store};
use web::Web;

use crate::outbound::Outbound;

/// Whose sign-in, at which server. It belongs to the address too: another address is another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInPlace {
    pub workspace_id: WorkspaceId,
    pub server: ToolId,
    pub url: String,
    pub person: Person,
}

impl SignInPlace {
    /// `None`: a command knows no sign-in.
    pub(super) fn of(server: &Server, person: Person) -> Option<Self> {
        let Endpoint::Url { url, .. } = &server.endpoint else { return None };
        Some(Self { workspace_id: server.workspace_id, server: server.id, url: url.clone(), person })
    }
}

/// Keeps sign-ins. What is kept is secret.
#[async_trait]
pub trait SignIns: Send + Sync {
    async fn load(&self, place: &SignInPlace) -> store::Result<Option<SecretText>>;
    async fn save(&self, place: &SignInPlace, kept: SecretText) -> store::Result<()>;
    /// The server no longer takes it.
    async fn forget(&self, place: &SignInPlace) -> store::Result<()>;
    /// Waits until nobody else, on any node, renews this sign-in, and keeps them waiting until what it gave is dropped.
    async fn lock(&self, place: &SignInPlace) -> store::Result<Box<dyn Send>>;
}

/// What Baton is to a server's sign-in.
#[derive(Debug, Clone, Default)]
pub struct SignInClient {
    /// Where the browser comes back to.
    pub redirect_uri: String,
    /// An id that the server's people gave an admin, with its secret if there is one. Without it Baton names its own
    /// description (`description_url`) if the server takes that, and registers itself otherwise.
    pub given: Option<(String, Option<SecretText>)>,
    /// An https address where this Baton describes itself as a client.
    pub description_url: Option<String>,
}

/// A sign-in that began: the browser goes to `url` and comes back with `state`.
#[derive(Debug)]
pub struct SignInBegun {
    pub url: String,
    pub state: String,
    /// To be kept until then, and given to `finish_sign_in`.
    pub under_way: SecretText,
}

#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error("this server knows no sign-in")]
    NoSignIn,
    #[error("the server refused: {0}")]
    Refused(String),
    /// The browser came back with something else than was sent for.
    #[error("this sign-in is not the one that began; begin again")]
    NotThisOne,
    #[error("the server's sign-in can't be used: {0}")]
    Failed(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<AuthError> for SignInError {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::AuthorizationServerMismatch { .. }
            | AuthError::AuthorizationServerMissingIssuer { .. } => Self::NotThisOne,
            other => Self::Failed(other.to_string()),
        }
    }
}

/// The client as the server knows it.
#[derive(Clone, Serialize, Deserialize)]
struct Client {
    id: String,
    secret: Option<String>,
    redirect_uri: String,
}

impl Client {
    fn config(&self) -> OAuthClientConfig {
        let config = OAuthClientConfig::new(&self.id, &self.redirect_uri)
            .with_application_type(application_type(&self.redirect_uri));
        match &self.secret {
            Some(secret) => config.with_client_secret(secret),
            None => config,
        }
    }
}

/// What is known while a person is away signing in.
#[derive(Serialize, Deserialize)]
struct UnderWay {
    client: Client,
    metadata: AuthorizationMetadata,
    challenge: String,
    state: StoredAuthorizationState,
}

/// Who goes where.
pub(super) struct Going<'a> {
    pub(super) out: &'a Arc<Outbound>,
    pub(super) place: SignInPlace,
    pub(super) sign_ins: &'a Arc<dyn SignIns>,
}

impl Going<'_> {
    async fn manager(&self) -> Result<AuthorizationManager, AuthError> {
        let web = Arc::new(Web::new(self.out.clone()));
        AuthorizationManager::new_with_oauth_http_client(&self.place.url, web).await
    }

    /// What a connection signs its requests with; `None` if the person has to sign in.
    pub(super) async fn renewing(&self) -> Result<Option<AuthorizationManager>, SignInError> {
        let Some(kept) = Kept::load(self.sign_ins, &self.place).await? else { return Ok(None) };
        let mut manager = self.manager().await?;
        // Also who may give tokens for the server, and under which name it is known there, is asked anew.
        let found = manager.resolve_metadata().await;
        let metadata = found.map(|found| found.metadata).unwrap_or_else(|_| kept.metadata.clone());
        if metadata.issuer != kept.metadata.issuer {
            // Tokens of another issuer are worth nothing here, and must not be shown to it.
            self.sign_ins.forget(&self.place).await?;
            return Ok(None);
        }
        manager.set_metadata(metadata);
        manager.configure_client(kept.client.config())?;
        manager.set_credential_store(Store::new(self.sign_ins.clone(), self.place.clone(), kept));
        Ok(Some(manager))
    }

    /// `challenge` is how the server asked for the sign-in, if it said so.
    pub(super) async fn begin(
        &self,
        client: &SignInClient,
        challenge: String,
    ) -> Result<SignInBegun, SignInError> {
        let mut manager = self.manager().await?;
        let said = Some(challenge.as_str()).filter(|challenge| !challenge.is_empty());
        let found = manager.resolve_metadata_from_challenge(said).await?;
        manager.set_metadata(found.metadata.clone());
        let scopes = self.scopes(&manager, &challenge).await?;
        let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let client = register(&mut manager, &found.metadata, client, &scopes).await?;
        manager.configure_client(client.config())?;
        let states = InMemoryStateStore::new();
        manager.set_state_store(states.clone());
        let url = manager.get_authorization_url(&scopes).await?;
        let parsed = Url::parse(&url).map_err(|_| SignInError::NoSignIn)?;
        let state = parsed.query_pairs().find(|(key, _)| key == "state").map(|(_, state)| state.into_owned());
        let state = state.ok_or(SignInError::NoSignIn)?;
        let kept = states.load(&state).await?.ok_or(SignInError::NoSignIn)?;
        let under_way = UnderWay { client, metadata: found.metadata, challenge, state: kept };
        let under_way = serde_json::to_string(&under_way).map_err(|_| SignInError::NoSignIn)?;
        Ok(SignInBegun { url, state, under_way: SecretText::new(under_way) })
    }

    /// What is asked for: what the server wants. If it wants more than before, also what was given before.
    async fn scopes(
        &self,
        manager: &AuthorizationManager,
        challenge: &str,
    ) -> Result<Vec<String>, SignInError> {
        let mut scopes = manager.select_initial_scopes(&[]).await;
        let base = Url::parse(&self.place.url).map_err(|_| SignInError::NoSignIn)?;
        if WWWAuthenticateParams::parse(challenge, &base).is_insufficient_scope() {
            let before = Kept::load(self.sign_ins, &self.place).await?;
            for scope in before.map(|kept| kept.credentials.granted_scopes).unwrap_or_default() {
                if !scopes.contains(&scope) {
                    scopes.push(scope);
                }
            }
        }
        Ok(scopes)
    }

    /// `came_back` is the whole address that the browser came back to.
    pub(super) async fn finish(&self, under_way: &SecretText, came_back: &str) -> Result<(), SignInError> {
        let under_way: UnderWay =
            serde_json::from_str(under_way.reveal()).map_err(|_| SignInError::NotThisOne)?;
        refused(came_back)?;
        let callback =
            AuthorizationCallback::from_redirect_url(came_back).map_err(|_| SignInError::NotThisOne)?;
        if callback.csrf_token != under_way.state.csrf_token {
            return Err(SignInError::NotThisOne);
        }
        let mut manager = self.manager().await?;
        // For the name under which the server is known to its issuer.
        let said = Some(under_way.challenge.as_str()).filter(|challenge| !challenge.is_empty());
        let found = manager.resolve_metadata_from_challenge(said).await?;
        if found.metadata.issuer != under_way.metadata.issuer {
            return Err(SignInError::NotThisOne);
        }
        manager.set_metadata(under_way.metadata.clone());
        manager.configure_client(under_way.client.config())?;
        let states = InMemoryStateStore::new();
        states.save(&callback.csrf_token, under_way.state).await?;
        manager.set_state_store(states);
        let store =
            Store::first(self.sign_ins.clone(), self.place.clone(), under_way.client, under_way.metadata);
        manager.set_credential_store(store);
        let issuer = callback.issuer.as_deref();
        manager.exchange_code_for_token_with_issuer(&callback.code, &callback.csrf_token, issuer).await?;
        Ok(())
    }
}

/// The client in the way the server prefers: given, described, or registered.
async fn register(
    manager: &mut AuthorizationManager,
    metadata: &AuthorizationMetadata,
    client: &SignInClient,
    scopes: &[&str],
) -> Result<Client, SignInError> {
    let as_client = |id: &str, secret: Option<String>| Client {
        id: id.to_owned(),
        secret,
        redirect_uri: client.redirect_uri.clone(),
    };
    if let Some((id, secret)) = &client.given {
        return Ok(as_client(id, secret.as_ref().map(|secret| secret.reveal().to_owned())));
    }
    let takes_descriptions = metadata
        .additional_fields
        .get("client_id_metadata_document_supported")
        .and_then(serde_json::Value::as_bool)
        .unwrap_or(false);
    if let Some(url) = client.description_url.as_deref().filter(|_| takes_descriptions) {
        return Ok(as_client(url, None));
    }
    // Registering says which kind of client this is as it was configured last.
    manager.configure_client(as_client("unregistered", None).config())?;
    let registered = manager.register_client("Baton", &client.redirect_uri, scopes).await?;
    Ok(as_client(&registered.client_id, registered.client_secret))
}

/// A browser that comes back to this machine belongs to a program on it.
fn application_type(redirect_uri: &str) -> &'static str {
    if redirect_uri.starts_with("https:") { "web" } else { "native" }
}

/// Whether the browser came back with a refusal.
fn refused(came_back: &str) -> Result<(), SignInError> {
    let url = Url::parse(came_back).map_err(|_| SignInError::NotThisOne)?;
    let said =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    match said("error") {
        Some(error) => {
            let words: String = said("error_description").unwrap_or(error).chars().take(300).collect();
            Err(SignInError::Refused(words))
        }
        None => Ok(()),
    }
}
