//! What a server says by itself: how far a call is, that its tools changed, and what it asks a person.
//!
//! What is hard: a connection serves many calls at once, and a question must reach the person of the very call it is
//! about. HTTP tells it by the stream the question came on; a child process doesn't, so there a question is passed on
//! only while one call alone is under way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use baton_core::server_tools::Progress;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationCapability, ErrorCode,
    ErrorData, Implementation, ProgressNotificationParam, ProgressToken, ProtocolVersion, RequestId,
};
use rmcp::service::{InboundStreamOrigin, NotificationContext, RequestContext, RoleClient};
use tokio::sync::{Notify, mpsc};

use super::asking::{Place, declined};

/// Calls under way on one connection.
#[derive(Default)]
pub(super) struct Calls(Mutex<HashMap<RequestId, Arc<UnderWay>>>);

pub(super) struct UnderWay {
    pub(super) token: ProgressToken,
    pub(super) place: Arc<Place>,
    pub(super) signs: mpsc::Sender<Sign>,
    /// Held while a person is asked: one question at a time.
    pub(super) asking: tokio::sync::Mutex<()>,
}

/// What happens during a call.
pub(super) enum Sign {
    Progress(Progress),
    /// The clock stands still while a person thinks.
    Asking,
    Asked,
}

impl Calls {
    pub(super) fn begin(self: &Arc<Self>, id: RequestId, call: UnderWay) -> Begun {
        self.lock().insert(id.clone(), Arc::new(call));
        Begun { calls: self.clone(), id }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<RequestId, Arc<UnderWay>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn by_token(&self, token: &ProgressToken) -> Option<Arc<UnderWay>> {
        self.lock().values().find(|call| call.token == *token).cloned()
    }

    /// The call that a question is about, as far as that can be known.
    fn asked_by(&self, origin: Option<&InboundStreamOrigin>) -> Option<Arc<UnderWay>> {
        let calls = self.lock();
        match origin {
            Some(InboundStreamOrigin::OutboundRequest(id)) => calls.get(id).cloned(),
            Some(InboundStreamOrigin::Unassociated) | None if calls.len() == 1 => {
                calls.values().next().cloned()
            }
            _ => None,
        }
    }
}

/// A call is under way until this is dropped.
pub(super) struct Begun {
    calls: Arc<Calls>,
    id: RequestId,
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.calls.lock().remove(&self.id);
    }
}

pub(super) struct Listener {
    pub(super) calls: Arc<Calls>,
    /// The server says that its tools are others now.
    pub(super) changed: Arc<Notify>,
    pub(super) asks_people: bool,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.asks_people {
            let both =
                ElicitationCapability::new().with_form(Default::default()).with_url(Default::default());
            capabilities.elicitation = Some(both);
        }
        ClientConfig::new(capabilities, Implementation::new("baton", env!("CARGO_PKG_VERSION")))
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_progress(&self, said: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let Some(call) = self.calls.by_token(&said.progress_token) else { return };
        let progress = Progress { done: said.progress, total: said.total, message: said.message };
        // A server that says more than can be told is told less of.
        let _ = call.signs.try_send(Sign::Progress(progress));
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let call = self.calls.asked_by(context.extensions.get::<InboundStreamOrigin>());
        let Some(call) = call else { return Ok(declined()) };
        let _one_at_a_time = call.asking.lock().await;
        // If the call is over, nobody is asked any more.
        if call.signs.send(Sign::Asking).await.is_err() {
            return Ok(declined());
        }
        let reply = tokio::select! {
            reply = call.place.ask(asked) => reply,
            () = call.signs.closed() => declined(),
        };
        let _ = call.signs.send(Sign::Asked).await;
        Ok(reply)
    }

    #[expect(
        deprecated,
        reason = "it is what the trait asks for; folders of ours are no business of a server"
    )]
    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "roots/list", None))
    }
}
