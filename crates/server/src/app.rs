//! What every route can reach: the store, the engine, the settings, the limits, and who someone is in a workspace.

use std::sync::Arc;
use std::time::Duration;

use baton_core::data::kind::Kind;
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::notices::{Audience, Happened, Notice};
use baton_core::packs::Pack;
use baton_core::store::{Error, Store};
use baton_core::workspaces::Role;
use baton_engine::{Engine, GenerationCache, Options};
use baton_store::SqlStore;
use baton_tools::mcp::{self, Connections};
use baton_tools::outbound::Outbound;
use baton_tools::requests::Sender;
use baton_tools::servers::Servers;
use baton_tools::{Definers, Sources, WorkspaceTools};
use tokio::sync::watch;

use crate::device::DeviceKey;
use crate::exports::KeptExports;
use crate::http::{ApiError, Caller, Present, PresentAs, Someone, Via, Who};
use crate::imports::Importer;
use crate::loops::keep_going;
use crate::models::LiveModels;
use crate::operator::OperatorKey;
use crate::packs;
use crate::passwords::Passwords;
use crate::public_limits::PublicLimits;
use crate::rate_limit::RateLimit;
use crate::readers::Readers;
use crate::search::LiveEngines;
use crate::secrets::{Keyring, Vault};
use crate::settings::Settings;
use crate::space::Space;
use crate::streams::Streams;
use crate::tool_secrets::LiveToolSecrets;
use crate::visitor::VisitorKey;
use crate::waiting::until_there;

pub struct App {
    pub settings: Settings,
    pub store: Arc<dyn Store>,
    pub database: SqlStore,
    pub passwords: Passwords,
    pub sign_ins: RateLimit,
    pub public_limits: PublicLimits,
    /// Forks, imports, and pictures that are fetched.
    pub copies: RateLimit,
    pub space: Space,
    pub visitors: VisitorKey,
    pub devices: DeviceKey,
    pub outbound: Outbound,
    pub operator: OperatorKey,
    pub models: Arc<LiveModels>,
    pub tools: Arc<WorkspaceTools>,
    pub engines: Arc<LiveEngines>,
    pub tool_secrets: Arc<LiveToolSecrets>,
    pub servers: Servers,
    pub connections: Connections,
    pub vault: Arc<Vault>,
    pub engine: Engine,
    pub imports: Importer,
    pub streams: Streams,
    pub readers: Readers,
    /// Those that every server has.
    pub packs: Vec<Pack>,
    pub callers: GenerationCache<Vec<u8>, Caller>,
    roles: GenerationCache<(WorkspaceId, ProfileId), Role>,
    /// Workspaces with a public address.
    open: GenerationCache<WorkspaceId, ()>,
    /// True once the server has been told to end.
    ending: watch::Sender<bool>,
}

pub type SharedApp = Arc<App>;

const SIGN_IN_WINDOW: Duration = Duration::from_secs(15 * 60);
const COPY_WINDOW: Duration = Duration::from_secs(60 * 60);

impl App {
    pub async fn new(settings: Settings, database: SqlStore) -> anyhow::Result<SharedApp> {
        let store: Arc<dyn Store> = Arc::new(database.clone());
        let outbound = Outbound::new(settings.outbound_allow.clone());
        let vault = Arc::new(Vault::new(keyring(&settings)?, store.clone()));
        if settings.database_url.is_none() {
            vault.prepare()?;
        }
        until_there(async || Ok(vault.check().await?)).await?;
        let models = LiveModels::new(&settings, store.clone(), vault.clone(), outbound.clone())?;
        let models = Arc::new(models);
        let engines = Arc::new(LiveEngines::new(store.clone(), vault.clone(), outbound.clone()));
        let tools = WorkspaceTools::new(Sources::of(
            &Arc::new(database.clone()),
            engines.clone(),
            Arc::new(baton_forecast::Mstl),
        ));
        let tools = tools.exporting(store.clone(), Arc::new(KeptExports { store: store.clone() }));
        let tool_secrets = Arc::new(LiveToolSecrets::new(store.clone(), vault.clone()));
        let sender = Sender { secrets: tool_secrets.clone(), outbound: outbound.clone() };
        let connections = Connections::start(
            Arc::new(outbound.clone()),
            mcp::Options { idle: Duration::from_secs(settings.mcp_idle_seconds), ..mcp::Options::default() },
        );
        let servers = Servers {
            tools: Arc::new(connections.clone()),
            permissions: Arc::new(database.clone()),
            secrets: tool_secrets.clone(),
            configured: Arc::new(settings.mcp_servers.clone()),
        };
        let definers = Definers { tools: Arc::new(database.clone()), sender, servers: servers.clone() };
        let tools = Arc::new(tools.defining(definers));
        let options = Options {
            store: Arc::new(database.clone()),
            toolbox: tools.clone(),
            models: models.clone(),
            bus: database.bus(),
        };
        let engine = Engine::new(options, settings.limits);
        let streams = Streams::new(settings.streams_per_person, database.bus());
        let hearing = streams.clone();
        tokio::spawn(keep_going("hints about streams", move || hearing.clone().hear()));
        let secret = async |name| until_there(async || Ok(store.instance_secret(name).await?)).await;
        let visitors = VisitorKey::new(secret("visitor cookies").await?);
        let devices = DeviceKey::new(secret("device cookies").await?);
        Ok(Arc::new(Self {
            outbound,
            operator: OperatorKey::new()?,
            passwords: Passwords::default(),
            sign_ins: RateLimit::new(SIGN_IN_WINDOW),
            public_limits: PublicLimits::default(),
            copies: RateLimit::new(COPY_WINDOW),
            space: Space::new(settings.space_limits, store.clone()),
            streams,
            readers: Readers::default(),
            ending: watch::channel(false).0,
            packs: packs::embedded()?,
            callers: GenerationCache::default(),
            roles: GenerationCache::default(),
            open: GenerationCache::default(),
            imports: Importer::new(store.clone(), engine.clone()),
            models,
            tools,
            engines,
            tool_secrets,
            servers,
            connections,
            vault,
            engine,
            settings,
            store,
            database,
            visitors,
            devices,
        }))
    }

    pub fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// No turn begins any more. Streams end so that their readers come back, at once or with the turn that they follow.
    pub fn drain(&self) {
        self.engine.drain();
        self.ending.send_replace(true);
    }

    /// Ends every stream and every turn; turns go on elsewhere, or when the server is back. Then the connections to MCP
    /// servers, so that programs that were started for them end before this one.
    pub async fn end(&self) {
        self.drain();
        self.engine.end().await;
        self.connections.close().await;
    }

    /// Tells the members who look at the workspace that its agents, people, rules or skills changed.
    pub fn workspace_changed(&self, workspace_id: WorkspaceId) {
        let happened = Happened::WorkspaceChanged {};
        self.engine.notify(Notice { workspace_id, audience: Audience::Members, happened });
    }

    /// Tells members who may see it that rows of a kind changed.
    pub fn data_changed(&self, workspace_id: WorkspaceId, kind: &Kind) {
        self.engine.notify(Notice::data_changed(workspace_id, kind));
    }

    /// Whether the session or token that opened a stream is still good. A visitor's cookie always is.
    pub async fn is_still_in(&self, someone: &Someone) -> Result<bool, ApiError> {
        let Who::Profile(caller) = &someone.who else { return Ok(true) };
        Ok(match &caller.via {
            Via::Session { token_hash, .. } => self.store.session(token_hash).await?.is_some(),
            Via::Token { token_hash, .. } => self.store.token(token_hash).await?.is_some(),
        })
    }

    /// The caller's role in a workspace; 403 whether it exists or not.
    pub async fn role(&self, caller: &Caller, workspace: WorkspaceId) -> Result<Role, ApiError> {
        let role = self.find_role(caller, workspace, self.store.generation()).await?;
        role.ok_or_else(not_a_member)
    }

    async fn find_role(
        &self,
        caller: &Caller,
        workspace: WorkspaceId,
        known: Option<u64>,
    ) -> Result<Option<Role>, ApiError> {
        if let Via::Token { workspace_id, .. } = &caller.via
            && *workspace_id != workspace
        {
            return Err(ApiError::forbidden("not_a_member", "This token is for another workspace."));
        }
        let key = (workspace, caller.profile.id);
        let found = self.store.role(workspace, caller.profile.id);
        Ok(self.roles.find(known, &key, found).await?)
    }

    /// Someone as they are at a workspace: a member, or, where it has a public address, a guest or a visitor.
    pub async fn present(&self, someone: &Someone, workspace: WorkspaceId) -> Result<Present, ApiError> {
        self.present_at(self.store.generation(), someone, workspace).await
    }

    /// The same, as of this number of changes (`Store::generation`) or later; without a number, as it is now.
    pub async fn present_at(
        &self,
        known: Option<u64>,
        someone: &Someone,
        workspace: WorkspaceId,
    ) -> Result<Present, ApiError> {
        let refusal = match &someone.who {
            Who::Profile(caller) => {
                if let Some(role) = self.find_role(caller, workspace, known).await? {
                    let present_as = PresentAs::Member(role);
                    return Ok(Present { someone: someone.clone(), present_as });
                }
                not_a_member()
            }
            // Elsewhere the cookie is none.
            Who::Visitor(visitor) if !visitor.is_at(workspace) => return Err(ApiError::unauthorized()),
            Who::Visitor(_) => ApiError::unauthorized(),
        };
        // A token stands for a member, and for nobody once they are none.
        if someone.token_id().is_none() && self.is_open(workspace, known).await? {
            Ok(Present { someone: someone.clone(), present_as: PresentAs::Public })
        } else {
            Err(refusal)
        }
    }

    /// The same, for something inside a workspace: people without access get 404.
    pub async fn present_inside(
        &self,
        someone: &Someone,
        workspace: WorkspaceId,
        what: &'static str,
    ) -> Result<Present, ApiError> {
        self.present(someone, workspace).await.map_err(|error| error.hidden_as(what))
    }

    async fn is_open(&self, workspace: WorkspaceId, known: Option<u64>) -> Result<bool, ApiError> {
        let find = async {
            match self.store.workspace(workspace).await {
                Ok(found) => Ok(found.public_chat.then_some(())),
                Err(Error::NotFound(_)) => Ok(None),
                Err(error) => Err(error),
            }
        };
        Ok(self.open.find(known, &workspace, find).await?.is_some())
    }

    /// The same, for something inside a workspace: people without access get 404.
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

/// On Postgres a node may have no folder of its own: the file is made when a secret is to be stored, and not before.
fn keyring(settings: &Settings) -> anyhow::Result<Keyring> {
    match &settings.secret_key {
        Some(key) => Keyring::of_setting(key.reveal()),
        None => Keyring::of_folder(&settings.data_dir),
    }
}

fn not_a_member() -> ApiError {
    ApiError::forbidden("not_a_member", "You are not a member of this workspace.")
}
