//! One connection to one server, from the greeting to the end. A task of its own owns it, so that it ends in order (a
//! session is given back, a child's process group is gone) whoever lets go of it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use baton_core::server_tools::{Definition, Endpoint, Server};
use http::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientRequest, ListToolsRequest, PaginatedRequestParams, ProtocolVersion, ServerResult,
    SubscriptionFilter,
};
use rmcp::service::{
    ClientCacheConfig, ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RoleClient,
    RunningService,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationManager};
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{Peer, ServiceError};
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot, watch};

use super::Options;
use super::child::{self, Process};
use super::definitions::{self, MAX_TOOLS};
use super::failure::{self, NotConnected};
use super::http::Http;
use super::listener::{Calls, Listener};
use crate::outbound::Outbound;

/// The most pages of a list of tools that are read.
const MAX_PAGES: usize = 50;
/// How long the end of a connection may take, until it is simply dropped.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// Which protocol a server speaks: since 2026-07-28 there is no greeting, and a client asks what a server can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    Greeted,
    Asked,
}

pub(super) struct Connection {
    pub(super) peer: Peer<RoleClient>,
    pub(super) calls: Arc<Calls>,
    pub(super) era: Era,
    /// The server says that its tools are others now.
    pub(super) changed: Arc<Notify>,
    /// Becomes true when a child said more in one line than is read.
    too_long: Option<Arc<AtomicBool>>,
    stop: std::sync::Mutex<Option<oneshot::Sender<()>>>,
    closed: watch::Receiver<bool>,
}

/// How to reach a server.
pub(super) struct Way<'a> {
    pub(super) server: &'a Server,
    pub(super) out: &'a Arc<Outbound>,
    pub(super) options: &'a Options,
    pub(super) sign_in: Option<AuthorizationManager>,
}

impl Connection {
    /// Connects in the way the server is known to understand, or finds out which that is.
    pub(super) async fn open(way: Way<'_>, era: Option<Era>) -> Result<Self, NotConnected> {
        let server = way.server;
        match &server.endpoint {
            Endpoint::Url { url, headers } => {
                let headers = custom_headers(headers)?;
                let http = Http::new(way.out.clone(), way.options.max_bytes);
                let client = match way.sign_in {
                    Some(manager) => Client::SignedIn(AuthClient::new(http, manager)),
                    None => Client::Plain(http),
                };
                let over = OverHttp { url, headers, client, options: way.options };
                match over.open(lifecycle(era)).await {
                    // It answered what it wasn't asked: it may know the older protocol only.
                    Err(error) if era.is_none() && failure::misunderstood(&error) => {
                        over.open(lifecycle(Some(Era::Greeted))).await
                    }
                    opened => opened,
                }
                .map_err(|error| NotConnected::of(&error))
            }
            Endpoint::Command { .. } => match era {
                Some(era) => to_child(&way, lifecycle(Some(era))).await,
                // A command may first have to be installed, and some servers end at a question they don't know: so
                // a child is greeted, and only one that refuses the greeting is asked.
                None => match to_child(&way, lifecycle(Some(Era::Greeted))).await {
                    Err(NotConnected::Down(why)) => {
                        to_child(&way, lifecycle(Some(Era::Asked))).await.map_err(|_| NotConnected::Down(why))
                    }
                    connected => connected,
                },
            },
        }
    }

    pub(super) fn is_open(&self) -> bool {
        !*self.closed.borrow() && !self.peer.is_transport_closed()
    }

    /// Whether a child's line was too long; it ended the connection.
    pub(super) fn said_too_much(&self) -> bool {
        self.too_long.as_ref().is_some_and(|too_long| too_long.load(Ordering::Acquire))
    }

    /// Is done when the connection has ended.
    pub(super) fn ending(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closed = self.closed.clone();
        async move {
            // Fails only when the task is gone, and with it the connection.
            let _ = closed.wait_for(|closed| *closed).await;
        }
    }

    /// Ends it, and waits until that is done.
    pub(super) async fn close(&self) {
        let stop = self.stop.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        drop(stop);
        self.ending().await;
    }

    /// All tools of the server, and why some can't be used.
    pub(super) async fn tools(&self) -> Result<(Vec<Definition>, Vec<String>), ServiceError> {
        let (mut tools, mut left_out) = (Vec::new(), Vec::new());
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let page = self.page(cursor.clone()).await?;
            let (more, unusable) = definitions::read(&page);
            tools.extend(more);
            left_out.extend(unusable);
            let next = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
            if next.is_none() || next == cursor || tools.len() >= MAX_TOOLS {
                break;
            }
            cursor = next;
        }
        tools.truncate(MAX_TOOLS);
        Ok((definitions::without_doubles(tools), left_out))
    }

    async fn page(&self, cursor: Option<String>) -> Result<Value, ServiceError> {
        let page = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = ListToolsRequest { params: page, ..Default::default() };
        match self.peer.send_request(ClientRequest::ListToolsRequest(request)).await? {
            ServerResult::ListToolsResult(page) => {
                serde_json::to_value(page).map_err(|_| ServiceError::UnexpectedResponse)
            }
            // One tool of it isn't as the protocol says; the others are read nevertheless.
            ServerResult::CustomResult(page) => Ok(page.0),
            ServerResult::EmptyResult(_) => Ok(json!({})),
            _ => Err(ServiceError::UnexpectedResponse),
        }
    }
}

fn lifecycle(era: Option<Era>) -> ClientLifecycleMode {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    match era {
        Some(Era::Greeted) => ClientLifecycleMode::Initialize,
        Some(Era::Asked) => ClientLifecycleMode::Discover { preferred_versions },
        None => ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        },
    }
}

/// What the parts of a connection share.
struct Shared {
    calls: Arc<Calls>,
    changed: Arc<Notify>,
}

impl Shared {
    fn new() -> Self {
        Self { calls: Arc::default(), changed: Arc::default() }
    }

    fn listener(&self, options: &Options) -> Listener {
        Listener {
            calls: self.calls.clone(),
            changed: self.changed.clone(),
            asks_people: options.people.is_some(),
        }
    }
}

struct OverHttp<'a> {
    url: &'a str,
    headers: HashMap<HeaderName, HeaderValue>,
    client: Client,
    options: &'a Options,
}

#[derive(Clone)]
enum Client {
    Plain(Http),
    SignedIn(AuthClient<Http>),
}

impl OverHttp<'_> {
    async fn open(&self, lifecycle: ClientLifecycleMode) -> Result<Connection, ClientInitializeError> {
        let mut config =
            StreamableHttpClientTransportConfig::with_uri(self.url).custom_headers(self.headers.clone());
        // A stream that broke is gone on with where it broke, but not for ever.
        let mut resumes = ExponentialBackoff::default();
        resumes.max_times = Some(5);
        resumes.max_delay = Some(Duration::from_secs(10));
        config.retry_config = Arc::new(resumes);
        let shared = Shared::new();
        let listener = shared.listener(self.options);
        let own = match &self.client {
            Client::Plain(http) => http.clone(),
            Client::SignedIn(http) => http.http_client.clone(),
        };
        let service = match self.client.clone() {
            Client::SignedIn(http) => {
                let transport = StreamableHttpClientTransport::with_client(http, config);
                listener.serve_with_lifecycle(transport, lifecycle).await?
            }
            Client::Plain(http) => {
                let transport = StreamableHttpClientTransport::with_client(http, config);
                listener.serve_with_lifecycle(transport, lifecycle).await?
            }
        };
        own.own_stream_is_open().await;
        Ok(begin(service, shared, None).await)
    }
}

fn custom_headers(
    headers: &[(String, baton_core::secrets::SecretText)],
) -> Result<HashMap<HeaderName, HeaderValue>, NotConnected> {
    let bad = |name: &str| NotConnected::Down(format!("its header {name} can't be sent"));
    let header = |(name, value): &(String, baton_core::secrets::SecretText)| {
        let mut value = HeaderValue::from_str(value.reveal()).map_err(|_| bad(name))?;
        value.set_sensitive(true);
        Ok((HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad(name))?, value))
    };
    headers.iter().map(header).collect()
}

async fn to_child(way: &Way<'_>, lifecycle: ClientLifecycleMode) -> Result<Connection, NotConnected> {
    let Endpoint::Command { program, arguments, environment } = &way.server.endpoint else {
        return Err(NotConnected::Down("it is no command".into()));
    };
    let (process, lines, input) = child::start(program, arguments, environment, way.options.max_bytes)
        .map_err(|error| NotConnected::Down(format!("its command did not start ({})", error.kind())))?;
    let too_long = lines.too_long();
    let transport = AsyncRwTransport::new_client(lines, input).with_max_line_length(usize::MAX);
    let shared = Shared::new();
    match shared.listener(way.options).serve_with_lifecycle(transport, lifecycle).await {
        Ok(service) => Ok(begin(service, shared, Some((process, too_long))).await),
        Err(error) => {
            tracing::info!(
                server = way.server.slug,
                said = process.complaints(),
                "an MCP server did not start"
            );
            process.end().await;
            Err(NotConnected::of(&error))
        }
    }
}

async fn begin(
    service: RunningService<RoleClient, Listener>,
    shared: Shared,
    child: Option<(Process, Arc<AtomicBool>)>,
) -> Connection {
    let peer = service.peer().clone();
    // Lists are kept by `Connections`, which also knows when nobody needs them any more.
    peer.set_response_cache_config(ClientCacheConfig::disabled()).await;
    let info = peer.peer_info();
    let era = match info.as_deref().is_none_or(|info| info.protocol_version.has_initialize()) {
        true => Era::Greeted,
        false => Era::Asked,
    };
    let tells_changes = info
        .as_deref()
        .and_then(|info| info.capabilities.tools.as_ref())
        .is_some_and(|tools| tools.list_changed == Some(true));
    let listening = (era == Era::Asked && tells_changes)
        .then(|| tokio::spawn(listen(peer.clone(), shared.changed.clone())));
    let (stop, stopped) = oneshot::channel();
    let (closing, closed) = watch::channel(false);
    let (process, too_long) = child.unzip();
    tokio::spawn(async move {
        let cancel = service.cancellation_token();
        let mut waiting = std::pin::pin!(service.waiting());
        tokio::select! {
            _ = &mut waiting => {}
            // Sent or dropped: either way nobody wants it any more.
            _ = stopped => {
                cancel.cancel();
                let _ = tokio::time::timeout(ENDS_WITHIN, waiting).await;
            }
        }
        if let Some(listening) = listening {
            listening.abort();
        }
        if let Some(process) = process {
            process.end().await;
        }
        let _ = closing.send(true);
    });
    Connection {
        peer,
        calls: shared.calls,
        era,
        changed: shared.changed,
        too_long,
        stop: std::sync::Mutex::new(Some(stop)),
        closed,
    }
}

/// Hears of changed tools from a server of the newer protocol, which tells only those who listen. When that ends, the
/// list is still read anew from time to time.
async fn listen(peer: Peer<RoleClient>, changed: Arc<Notify>) {
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let Ok(mut subscription) = peer.listen(filter).await else { return };
    while let Ok(Some(_)) = subscription.next().await {
        changed.notify_one();
    }
}
