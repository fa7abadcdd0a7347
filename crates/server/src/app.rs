//! What every route can reach.

use std::sync::Arc;
use std::time::Duration;

use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::packs::Pack;
use baton_core::store::Store;
use baton_core::workspaces::Role;
use baton_engine::{Audience, Engine, Happened, Notice, Options};
use baton_models::ModelSet;
use baton_store::SqlStore;
use baton_tools::WorkspaceTools;
use baton_tools::outbound::Outbound;
use tokio::sync::watch;

use crate::http::{ApiError, Caller, Via};
use crate::kept::Kept;
use crate::models;
use crate::operator::OperatorKey;
use crate::packs;
use crate::passwords::Passwords;
use crate::rate_limit::RateLimit;
use crate::settings::Settings;
use crate::streams::Streams;
use crate::visitor::VisitorKey;

pub struct App {
    pub settings: Settings,
    pub store: Arc<dyn Store>,
    pub database: SqlStore,
    pub passwords: Passwords,
    pub sign_ins: RateLimit,
    pub visitors: VisitorKey,
    pub outbound: Outbound,
    pub operator: OperatorKey,
    pub models: Arc<ModelSet>,
    pub engine: Engine,
    pub streams: Streams,
    /// Those that every server has.
    pub packs: Vec<Pack>,
    pub callers: Kept<Vec<u8>, Caller>,
    roles: Kept<(WorkspaceId, ProfileId), Role>,
    /// True once the server has been told to end.
    ending: watch::Sender<bool>,
}

pub type SharedApp = Arc<App>;

const SIGN_IN_WINDOW: Duration = Duration::from_secs(15 * 60);

impl App {
    pub async fn new(settings: Settings, database: SqlStore) -> anyhow::Result<SharedApp> {
        let store: Arc<dyn Store> = Arc::new(database.clone());
        let models = Arc::new(models::from_settings(&settings)?);
        let engine = Engine::new(Options {
            store: store.clone(),
            toolbox: Arc::new(WorkspaceTools::new(store.clone(), store.clone())),
            models: models.clone(),
        });
        let visitors = VisitorKey::new(store.instance_secret("visitor cookies").await?);
        Ok(Arc::new(Self {
            outbound: Outbound::new(settings.outbound_allow.clone()),
            operator: OperatorKey::new()?,
            passwords: Passwords::default(),
            sign_ins: RateLimit::new(SIGN_IN_WINDOW),
            streams: Streams::new(settings.streams_per_person),
            ending: watch::channel(false).0,
            packs: packs::embedded()?,
            callers: Kept::default(),
            roles: Kept::default(),
            models,
            engine,
            settings,
            store,
            database,
            visitors,
        }))
    }

    pub fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// Ends every stream and every turn; turns go on when the server is back.
    pub async fn end(&self) {
        self.ending.send_replace(true);
        self.engine.end().await;
    }

    /// Tells the members who look at the workspace that its agents, people, rules or skills are not what they were.
    pub fn workspace_changed(&self, workspace_id: WorkspaceId) {
        let happened = Happened::WorkspaceChanged {};
        self.engine.notify(Notice { workspace_id, audience: Audience::Members, happened });
    }

    /// Whether the session or token that opened a stream is still good.
    pub async fn is_still_in(&self, caller: &Caller) -> bool {
        match &caller.via {
            Via::Session { token_hash, .. } => {
                self.store.session(token_hash).await.is_ok_and(|it| it.is_some())
            }
            Via::Token { token_hash, .. } => self.store.token(token_hash).await.is_ok_and(|it| it.is_some()),
        }
    }

    /// The caller's role in a workspace; 403 whether it exists or not.
    pub async fn role(&self, caller: &Caller, workspace: WorkspaceId) -> Result<Role, ApiError> {
        if let Via::Token { workspace_id, .. } = &caller.via
            && *workspace_id != workspace
        {
            return Err(ApiError::forbidden("not_a_member", "This token is for another workspace."));
        }
        let key = (workspace, caller.profile.id);
        let found = self.store.role(workspace, caller.profile.id);
        let role = self.roles.get(self.store.generation(), &key, found).await?;
        role.ok_or_else(|| ApiError::forbidden("not_a_member", "You are not a member of this workspace."))
    }

    /// The same, for something inside a workspace: to others it is not there.
    pub async fn role_inside(
        &self,
        caller: &Caller,
        workspace: WorkspaceId,
        what: &'static str,
    ) -> Result<Role, ApiError> {
        self.role(caller, workspace).await.map_err(|error| error.hidden_as(what))
    }

    pub async fn require(
        &self,
        caller: &Caller,
        workspace: WorkspaceId,
        least: Role,
    ) -> Result<Role, ApiError> {
        let role = self.role(caller, workspace).await?;
        if role >= least { Ok(role) } else { Err(ApiError::role_too_low()) }
    }
}
