//! One turn, through Baton or with the model directly: sent, read to its end, and checked byte by byte.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use memchr::memmem;
use serde_json::{Value, json};

use crate::http::{Connection, request};
use crate::process::Server;
use crate::shape::Shape;
use crate::sse::Events;

const MESSAGE: &str = "Please tell me what you would do first, and why.";

/// A signed-in person at a server, and the agent they talk to.
#[derive(Clone)]
pub struct Person {
    cookie: String,
    pub workspace: String,
    pub agent: String,
}

impl Person {
    pub async fn sign_in(server: &Server) -> anyhow::Result<Self> {
        Self::sign_in_at(server.at, &server.token).await
    }

    pub async fn sign_in_at(at: SocketAddr, token: &str) -> anyhow::Result<Self> {
        let mut connection = Connection::open(at).await?;
        let redeem = json!({ "token": token });
        let (head, body) =
            connection.whole(&request("POST", "/api/auth/links/redeem", "", Some(&redeem))).await?;
        ensure!(head.status == 200, "could not sign in: {}", String::from_utf8_lossy(&body));
        let cookie = head.cookie.context("no session")?;
        let me: Value = serde_json::from_slice(&body)?;
        let workspace = text(&me["workspaces"][0]["id"])?;
        let path = format!("/api/agents?workspaceId={workspace}");
        let agents = connection.json(&request("GET", &path, &cookie, None)).await?;
        let agent = text(&agents["agents"][0]["localAgentId"])?;
        Ok(Self { cookie, workspace, agent })
    }

    pub fn get(&self, path: &str) -> Vec<u8> {
        request("GET", path, &self.cookie, None)
    }

    pub fn post(&self, path: &str, body: Option<&Value>) -> Vec<u8> {
        request("POST", path, &self.cookie, body)
    }

    pub fn delete(&self, path: &str) -> Vec<u8> {
        request("DELETE", path, &self.cookie, None)
    }

    /// A file as the body.
    pub fn send(&self, path: &str, file: &[u8]) -> Vec<u8> {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {}\r\ncontent-length: {}\r\n\r\n",
            self.cookie,
            file.len()
        );
        [head.as_bytes(), file].concat()
    }

    /// The same person, who talks to another agent.
    pub fn talking_to(&self, agent: String) -> Self {
        Self { agent, ..self.clone() }
    }

    /// The first message of a new conversation.
    pub fn begin(&self) -> Vec<u8> {
        let body = json!({ "message": MESSAGE, "workspaceId": self.workspace, "agentId": self.agent });
        self.post("/api/agent-chat", Some(&body))
    }

    /// A message in a conversation that exists.
    pub fn go_on(&self, conversation: &str) -> Vec<u8> {
        let body =
            json!({ "message": MESSAGE, "workspaceId": self.workspace, "conversationId": conversation });
        self.post("/api/agent-chat", Some(&body))
    }
}

pub fn text(value: &Value) -> anyhow::Result<String> {
    Ok(value.as_str().context("text was expected")?.to_owned())
}

/// The same question, asked of the model itself.
pub fn direct(shape: Shape) -> Vec<u8> {
    let body = json!({ "model": shape.model(), "messages": [{ "role": "user", "content": MESSAGE }], "stream": true,
        "stream_options": { "include_usage": true } });
    request("POST", "/v1/chat/completions", "", Some(&body))
}

/// What came of a turn.
pub struct Turn {
    /// Until the first word.
    pub first: Duration,
    /// Until the end of the answer.
    pub end: Duration,
    /// Baton's id of the conversation.
    pub conversation: Option<String>,
}

/// Sends a request and reads the turn that answers it, which must be complete and say exactly `expected`.
pub async fn turn(connection: &mut Connection, request: &[u8], expected: &str) -> anyhow::Result<Turn> {
    turn_since(Instant::now(), connection, request, expected).await
}

pub async fn turn_since(
    began: Instant,
    connection: &mut Connection,
    request: &[u8],
    expected: &str,
) -> anyhow::Result<Turn> {
    let mut listening = Listening::open(connection, request, expected).await?;
    let mut first = None;
    while listening.read().await? {
        if first.is_none() && listening.heard > 0 {
            first = Some(began.elapsed());
        }
    }
    let end = began.elapsed();
    listening.check()?;
    Ok(Turn { first: first.context("nothing was said")?, end, conversation: listening.conversation })
}

/// An answer that is being read.
pub struct Listening<'a> {
    connection: &'a mut Connection,
    expected: &'a [u8],
    events: Events,
    /// How many bytes were said.
    pub heard: usize,
    pub conversation: Option<String>,
    /// The status of `done`, or `[DONE]`.
    pub ended: Option<String>,
    wrong: Option<String>,
}

impl<'a> Listening<'a> {
    pub async fn open(
        connection: &'a mut Connection,
        request: &[u8],
        expected: &'a str,
    ) -> anyhow::Result<Self> {
        let head = connection.ask(request).await?;
        if head.status != 200 {
            let piece = connection.piece().await?.unwrap_or_default();
            bail!("{}: {}", head.status, String::from_utf8_lossy(piece));
        }
        Ok(Self {
            connection,
            expected: expected.as_bytes(),
            events: Events::default(),
            heard: 0,
            conversation: None,
            ended: None,
            wrong: None,
        })
    }

    /// Reads what has arrived; false at the end.
    pub async fn read(&mut self) -> anyhow::Result<bool> {
        let Self { connection, expected, events, heard, conversation, ended, wrong } = self;
        let Some(piece) = connection.piece().await? else { return Ok(false) };
        events.push(piece, |name, data| match name {
            // The model itself names no events.
            b"" if data == b"[DONE]" => *ended = Some("[DONE]".to_owned()),
            b"" | b"text" => {
                let Some(said) = field(data, b"\"content\":\"") else { return };
                let fits = expected.get(*heard..*heard + said.len()) == Some(said);
                *heard += said.len();
                if !fits {
                    wrong.get_or_insert_with(|| "the text is not what the model said".to_owned());
                }
            }
            b"session" => *conversation = owned(data, b"\"conversationId\":\""),
            b"done" => *ended = owned(data, b"\"status\":\""),
            b"error" | b"lagged" | b"reset" => *wrong = Some(String::from_utf8_lossy(data).into_owned()),
            _ => {}
        });
        Ok(true)
    }

    fn check(&self) -> anyhow::Result<()> {
        if let Some(wrong) = &self.wrong {
            bail!("{wrong}");
        }
        ensure!(self.heard == self.expected.len(), "only a part of the text came");
        match self.ended.as_deref() {
            Some("completed" | "[DONE]") => Ok(()),
            Some(other) => bail!("the turn ended as {other}"),
            None => bail!("the end was not said"),
        }
    }
}

/// A field's text, as long as it holds no escapes.
fn field<'a>(data: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let value = &data[memmem::find(data, name)? + name.len()..];
    value.get(..memchr::memchr(b'"', value)?)
}

fn owned(data: &[u8], name: &[u8]) -> Option<String> {
    field(data, name).map(|value| String::from_utf8_lossy(value).into_owned())
}
