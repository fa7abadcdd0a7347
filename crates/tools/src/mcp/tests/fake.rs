//! An MCP server over HTTP that does what a test says, and remembers what it was asked.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

/// What a request is answered with.
pub enum Answer {
    Result(Value),
    Error(i64, &'static str),
    /// HTTP as it is written here.
    Http(String),
    /// Events as they are told, until the sender is dropped.
    Events(mpsc::UnboundedReceiver<String>),
    /// The connection stays open and nothing comes.
    Silence,
    /// The connection ends without an answer.
    HangUp,
}

pub struct Fake {
    pub at: SocketAddr,
    seen: Arc<Mutex<Vec<Value>>>,
    count: watch::Receiver<usize>,
    listening: tokio::task::JoinHandle<()>,
}

impl Fake {
    /// A server that answers what a test says; what it says nothing about is answered as a server of 2025-11-25 does.
    pub async fn start(answer: impl Fn(&Value) -> Option<Answer> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let at = listener.local_addr().expect("an address");
        let seen = Arc::<Mutex<Vec<Value>>>::default();
        let (counted, count) = watch::channel(0);
        let (answer, remembered, counted) = (Arc::new(answer), seen.clone(), Arc::new(counted));
        let listening = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (answer, seen, counted) = (answer.clone(), remembered.clone(), counted.clone());
                tokio::spawn(async move {
                    let mut socket = socket;
                    let Some(asked) = request(&mut socket).await else { return };
                    let said = answer(&asked).unwrap_or_else(|| usual(&asked));
                    seen.lock().expect("a lock").push(asked.clone());
                    counted.send_modify(|count| *count += 1);
                    reply(socket, &asked, said).await;
                });
            }
        });
        Self { at, seen, count, listening }
    }

    /// From now on nobody is there. What was accepted before is still answered.
    pub async fn end(&self) {
        self.listening.abort();
        while !self.listening.is_finished() {
            tokio::task::yield_now().await;
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.at)
    }

    pub fn seen(&self, method: &str) -> Vec<Value> {
        let seen = self.seen.lock().expect("a lock");
        seen.iter().filter(|asked| asked["method"] == method).cloned().collect()
    }

    /// Waits until it was asked that as often.
    pub async fn was_asked(&self, method: &str, times: usize) {
        let mut count = self.count.clone();
        while self.seen(method).len() < times {
            count.changed().await.expect("the server runs");
        }
    }
}

/// The JSON of a request, with its HTTP method and the headers that tests look at under `http`.
async fn request(socket: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    let head = loop {
        let mut piece = [0; 4096];
        let read = socket.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&piece[..read]);
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let header = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}:")))?;
        Some(line.trim().to_owned())
    };
    let length: usize = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    while bytes.len() < head + length {
        let mut piece = [0; 4096];
        let read = socket.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&piece[..read]);
    }
    let mut asked: Value = serde_json::from_slice(&bytes[head..]).unwrap_or_else(|_| json!({}));
    let mut line = text.split(' ');
    let (verb, path) = (line.next().unwrap_or_default(), line.next().unwrap_or_default());
    if verb == "delete" {
        asked["method"] = json!("delete");
    }
    asked["http"] = json!({
        "verb": verb,
        "path": path,
        "session": header("mcp-session-id"),
        "authorization": header("authorization"),
        "body": String::from_utf8_lossy(&bytes[head..]),
    });
    Some(asked)
}

/// An answer with a body of JSON, whatever its status and its other headers (each with its line end).
pub fn http(status: &str, headers: &str, body: &Value) -> Answer {
    let body = body.to_string();
    let length = body.len();
    Answer::Http(format!(
        "HTTP/1.1 {status}\r\n{headers}content-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))
}

fn usual(asked: &Value) -> Answer {
    let Some(method) = asked["method"].as_str() else {
        let status = if asked["http"]["verb"] == "post" { "202 Accepted" } else { "405 Method Not Allowed" };
        return Answer::Http(format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"));
    };
    match method {
        "initialize" => Answer::Result(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "fake", "version": "1"},
        })),
        "tools/list" => {
            Answer::Result(json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}))
        }
        "tools/call" => Answer::Result(json!({"content": [{"type": "text", "text": "done"}]})),
        _ if asked.get("id").is_none() => {
            Answer::Http("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".into())
        }
        _ => Answer::Error(-32601, "Method not found"),
    }
}

async fn reply(mut socket: TcpStream, asked: &Value, said: Answer) {
    let id = &asked["id"];
    let body = match said {
        Answer::Result(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Answer::Error(code, message) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
        }
        Answer::Http(text) => return write(&mut socket, &text).await,
        Answer::Events(mut events) => {
            write(
                &mut socket,
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
            )
            .await;
            while let Some(event) = events.recv().await {
                write(&mut socket, &format!("data: {event}\n\n")).await;
            }
            return;
        }
        Answer::Silence => return std::future::pending().await,
        Answer::HangUp => return,
    };
    let (body, kind) = (body.to_string(), "application/json");
    write(
        &mut socket,
        &format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
    )
    .await;
}

async fn write(socket: &mut TcpStream, text: &str) {
    // The client may have seen enough.
    let _ = socket.write_all(text.as_bytes()).await;
}
