//! What a call of an MCP server's tool costs through Baton's connections, beside the same request made directly:
//! `cargo bench -p baton-bench --bench mcp`. The server is a bare socket with every byte rendered beforehand, so that what
//! is measured is the client.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Instant;

use baton_core::data::areas::Areas;
use baton_core::data::rows::Once;
use baton_core::ids::{ProfileId, ToolId, WorkspaceId};
use baton_core::server_tools::{Endpoint, Server, ServerCall, ServerTools, Trust};
use baton_core::tools::{Cancelled, TellProgress, ToolContext};
use baton_core::visitors::Person;
use baton_tools::mcp::{Connections, Options};
use baton_tools::outbound::Outbound;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const CALLS: usize = 2_000;

fn main() {
    tokio::runtime::Runtime::new().unwrap().block_on(measure());
}

async fn measure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(serve(socket));
        }
    });
    let out = Outbound::new(vec!["127.0.0.0/8".parse().unwrap()]);
    let direct = reqwest::Client::builder().no_proxy().build().unwrap();
    let connections = Connections::start(Arc::new(out), Options::default());
    let server = Server {
        id: ToolId::new(),
        workspace_id: WorkspaceId::new(),
        slug: "bench".into(),
        endpoint: Endpoint::Url { url: url.clone(), headers: vec![] },
        trust: Trust::Untrusted,
    };
    let (mut directly, mut through) = (Vec::new(), Vec::new());
    // In turns, so that whatever else the machine does falls on both; the first ones connect.
    for call in 0..CALLS + 100 {
        let began = Instant::now();
        ask(&direct, &url).await;
        let asked = began.elapsed();
        let began = Instant::now();
        let (_waits, context) = context();
        let asks = ServerCall {
            server: &server,
            raw_name: "echo",
            arguments: json!({"message": "hello"}).as_object().unwrap().clone(),
            context: &context,
        };
        connections.call(asks).await.unwrap();
        let called = began.elapsed();
        if call >= 100 {
            directly.push(asked);
            through.push(called);
        }
    }
    connections.close().await;
    for (name, mut took) in [("directly", directly), ("through Baton", through)] {
        took.sort();
        println!("{name}: p50 {:?}, p99 {:?}", took[took.len() / 2], took[took.len() * 99 / 100]);
    }
}

async fn ask(client: &reqwest::Client, url: &str) {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"message": "hello"}}});
    let sent = client.post(url).header("content-type", "application/json").body(body.to_string()).send();
    let answer: Value = serde_json::from_slice(&sent.await.unwrap().bytes().await.unwrap()).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "hello");
}

async fn serve(mut socket: TcpStream) {
    let mut bytes = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        let Some(head) = bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4) else {
            match socket.read(&mut piece).await {
                Ok(read) if read > 0 => bytes.extend_from_slice(&piece[..read]),
                _ => return,
            }
            continue;
        };
        let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
        while bytes.len() < head + length {
            let read = socket.read(&mut piece).await.unwrap();
            bytes.extend_from_slice(&piece[..read]);
        }
        let asked: Value = serde_json::from_slice(&bytes[head..head + length]).unwrap_or_default();
        bytes.drain(..head + length);
        let result = match asked["method"].as_str() {
            Some("initialize") => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "bench", "version": "1"}}),
            Some("tools/call") => json!({"content": [{"type": "text", "text": "hello"}]}),
            Some("server/discover") => Value::Null,
            _ => json!({}),
        };
        let mut answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
        if result.is_null() {
            answer = json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}});
        }
        let body = if asked["id"].is_null() { String::new() } else { answer.to_string() };
        let status = if body.is_empty() { "202 Accepted" } else { "200 OK" };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        socket.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    }
}

fn context() -> (baton_core::tools::CancelOnDrop, ToolContext) {
    let (waits, cancelled) = Cancelled::new();
    let context = ToolContext {
        once: Once::Unkeyed,
        progress: TellProgress::default(),
        cancelled,
        workspace_id: WorkspaceId::new(),
        agent: None,
        person: Person::Profile(ProfileId::new()),
        may_change_agent: false,
        areas: Areas::WRITE,
        time_zone: "UTC".into(),
        context_data: Map::new(),
        teammates: vec![],
    };
    (waits, context)
}
