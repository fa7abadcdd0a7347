//! A server with the tools, prompts and resources that the official conformance suite of MCP asks for by name, behind the very
//! code that serves a workspace at `/mcp`. Only the token is missing: the suite has none. `scripts/mcp-conformance` runs it.

mod content;
mod input;
mod tools;

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use baton_server::http::{is_foreign, own_authority, read_body};
use baton_server::mcp::http;
use baton_server::settings::{Given, Mode, Settings};
use baton_tools::mcp::serve::{About, Era, Failure, Notification, Object, Offer, Reply};
use serde_json::{Value, json};

struct Fixture;

#[async_trait]
impl Offer for Fixture {
    fn about(&self) -> About {
        About {
            name: "baton-mcp-fixture".into(),
            title: "Baton's fixture".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            instructions: None,
            capabilities: json!({"tools": {}, "prompts": {}, "resources": {}, "completions": {}, "logging": {}}),
            extensions: vec![],
        }
    }

    async fn answer(&self, request: baton_tools::mcp::serve::Request) -> Result<Reply, Failure> {
        let params = &request.params;
        let named = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let result = match (request.method.as_str(), request.era) {
            ("tools/list", _) => tools::list(),
            ("tools/call", _) => return tools::call(named, &request),
            ("prompts/list", _) => content::prompts(),
            ("prompts/get", _) => content::prompt(named, &request)?,
            ("resources/list", _) => content::resources(),
            ("resources/templates/list", _) => content::templates(),
            ("resources/read", _) => content::resource(params)?,
            ("completion/complete", _) => json!({"completion": {"values": [], "total": 0, "hasMore": false}}),
            ("logging/setLevel" | "resources/subscribe" | "resources/unsubscribe", Era::Initialized) => {
                json!({})
            }
            (other, _) => return Err(Failure::no_such_method(other)),
        };
        Ok(Reply::Now(object(result)))
    }

    async fn hear(&self, _notification: Notification) {}
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        other => Object::from_iter([("value".to_owned(), other)]),
    }
}

/// The checks that `/mcp` makes before it looks for a token.
async fn serve(State(settings): State<Arc<Settings>>, request: Request) -> Response {
    if own_authority(&settings, &request).is_none() || is_foreign(&settings, &request) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let headers = request.headers().clone();
    match read_body(request, &()).await {
        Ok(body) => http::respond(&Fixture, &headers, &body).await,
        Err(unreadable) => unreadable.into_response(),
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let settings = Arc::new(Settings::resolve(Given::default(), Mode::Plain)?);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/mcp", post(serve)).with_state(settings)).await?;
    Ok(())
}
