//! What one token is offered: the workspace's tools that its person may use, and each hired agent as `ask_<slug>`. The list
//! depends on nothing but the token, and is always in the same order.

use async_trait::async_trait;
use baton_core::access::{Use, may_use};
use baton_core::agents::Agent;
use baton_core::data::rows::Once;
use baton_core::ids::{ProfileId, TokenId, WorkspaceId};
use baton_core::store::Error;
use baton_core::subtasks;
use baton_core::tools::Tool;
use baton_core::turns::RequestKey;
use baton_tools::mcp::serve::{About, Era, Failure, Notification, Object, Offer, Reply, Request, TASKS};
use serde_json::{Value, json};

use super::{ask, handles, workspace_tools};
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Someone};
use crate::{secret, version};

/// A token's person in its workspace, for one request.
pub struct Workspace {
    pub app: SharedApp,
    pub someone: Someone,
    pub caller: Caller,
    pub token_id: TokenId,
    pub workspace_id: WorkspaceId,
    /// Where people find this server, such as `https://baton.example.org`.
    pub base: String,
    /// What makes a write done once, if the request came with a key of its own.
    pub key: Option<String>,
}

/// What a program may send with a call so that it is done once, however often it is sent.
const KEY: &str = "baton/idempotencyKey";

const INSTRUCTIONS: &str = "Tools over one workspace of Baton, and its agents. Use a tool for one look or one change. Ask an \
    agent (ask_…) for work that needs judgement or several steps: it has tools of its own, may pass the work on to another agent, \
    and remembers the conversation whose id it gives you. A person may have to approve what an agent does; you can't.";

#[async_trait]
impl Offer for Workspace {
    fn about(&self) -> About {
        About {
            name: "baton".into(),
            title: "Baton".into(),
            version: version::view().version.into(),
            instructions: Some(INSTRUCTIONS.into()),
            capabilities: json!({"tools": {}}),
            extensions: vec![TASKS],
        }
    }

    async fn answer(&self, request: Request) -> Result<Reply, Failure> {
        match (request.method.as_str(), request.era) {
            ("tools/list", _) => self.list().await.map(Reply::Now),
            ("tools/call", _) => self.call(request).await,
            ("tasks/get", Era::Stateless) => handles::get(self, &request).await.map(Reply::Now),
            ("tasks/update", Era::Stateless) => handles::update(self, &request).await.map(Reply::Now),
            ("tasks/cancel", Era::Stateless) => handles::cancel(self, &request).await.map(Reply::Now),
            (other, _) => Err(Failure::no_such_method(other)),
        }
    }

    /// A client that began with `initialize` says so when it no longer wants an answer; others hang up.
    async fn hear(&self, notification: Notification) {
        let Some(session) = &notification.session else { return };
        let Some(id) = notification.params.get("requestId") else { return };
        if notification.method == "notifications/cancelled"
            && let Err(error) = self.cancel(&self.key_of(session, id)).await
        {
            tracing::warn!(%error, "a cancelled request could not be stopped");
        }
    }
}

impl Workspace {
    async fn list(&self) -> Result<Object, Failure> {
        let mut tools: Vec<Value> =
            self.tools().await?.iter().map(|tool| workspace_tools::shown(&**tool)).collect();
        tools.extend(self.agents().await?.iter().map(ask::shown));
        Ok(Object::from_iter([("tools".to_owned(), tools.into())]))
    }

    async fn call(&self, request: Request) -> Result<Reply, Failure> {
        let Some(name) = request.params.get("name").and_then(Value::as_str) else {
            return Err(Failure::invalid("name must be the name of a tool."));
        };
        let arguments = match request.params.get("arguments") {
            None => Object::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(_) => return Err(Failure::invalid("arguments must be an object.")),
        };
        if let Some(slug) = subtasks::asks(name) {
            let agent = self.agents().await?.into_iter().find(|agent| agent.slug == slug);
            let agent = agent.ok_or_else(|| no_such_tool(name))?;
            return ask::ask(self, agent, &request, &arguments).await;
        }
        let tool = self.tools().await?.into_iter().find(|tool| tool.spec().name == name);
        let tool = tool.ok_or_else(|| no_such_tool(name))?;
        let once = self.once(&request, name, &arguments)?;
        workspace_tools::call(self, tool, once, arguments).await.map(Reply::Now)
    }

    async fn tools(&self) -> Result<Vec<std::sync::Arc<dyn Tool>>, Failure> {
        let areas = self.app.store.areas(self.workspace_id, self.profile()).await.map_err(failed)?;
        self.app.tools.without_agent(self.workspace_id, areas).await.map_err(failed)
    }

    /// The hired agents that they may talk to, by their slugs.
    async fn agents(&self) -> Result<Vec<Agent>, Failure> {
        let mut agents = self.app.store.hired(self.workspace_id).await.map_err(failed)?;
        agents.retain(|agent| may_use(self.caller.viewer(), (&agent.definition).into(), Use::Begin).is_ok());
        agents.sort_by(|one, other| one.slug.cmp(&other.slug));
        Ok(agents)
    }

    pub fn profile(&self) -> ProfileId {
        self.caller.profile.id
    }

    /// The key under which a call is done once: what the program gave it, or the request's own id where that is one of a kind.
    fn given_key(&self, request: &Request) -> Result<Option<String>, Failure> {
        let given = request.meta(KEY).map(|key| key.as_str().unwrap_or_default());
        if let Some(key) = given.or(self.key.as_deref()) {
            return match (1..=200).contains(&key.len()) {
                true => Ok(Some(key.to_owned())),
                false => Err(Failure::invalid("An idempotency key must be text of 1 to 200 bytes.")),
            };
        }
        Ok(request.session.as_ref().map(|session| self.key_of(session, &request.id)))
    }

    /// Clients number their requests from 0 or 1, each session anew.
    fn key_of(&self, session: &str, id: &Value) -> String {
        let parts = json!([self.token_id, session, id]).to_string();
        format!("mcp {}", hex(&secret::hash(&parts)))
    }

    fn once(&self, request: &Request, name: &str, arguments: &Object) -> Result<Once, Failure> {
        let key = self.given_key(request)?;
        let request_hash = hex(&secret::hash(&json!([name, arguments]).to_string()));
        Ok(key.map_or(Once::Unkeyed, |key| Once::Request { profile_id: self.profile(), key, request_hash }))
    }

    /// The same for a message, which is kept with its turn.
    pub fn request_key(
        &self,
        request: &Request,
        name: &str,
        arguments: &Object,
    ) -> Result<Option<RequestKey>, Failure> {
        let body_hash = secret::hash(&json!([name, arguments]).to_string());
        Ok(self.given_key(request)?.map(|key| RequestKey { key, body_hash }))
    }

    /// Stops the turn that a request began, on whichever node it is. A request that began none is over by itself.
    async fn cancel(&self, key: &str) -> Result<(), Error> {
        let person = self.someone.person();
        let Some(begun) = self.app.store.find_request(person, key, chrono::Utc::now()).await? else {
            return Ok(());
        };
        let stopped =
            self.app.engine.stop_turn(begun.conversation_id, Some(begun.task_id), self.someone.name()).await;
        stopped.map(drop)
    }
}

fn no_such_tool(name: &str) -> Failure {
    Failure::invalid(format!("There is no tool {name}."))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An error of Baton's own, as a failure of the protocol.
pub fn failed(error: impl Into<ApiError>) -> Failure {
    Failure::internal(error.into().to_string())
}
