//! Conversations in tests: a scripted model, and streams as lists of events.

use futures::StreamExt;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::test_app::{Actor, TestApp};
use baton_core::people::SignUp;
use baton_server::settings::Given;

/// An event as a client gets it.
#[derive(Debug, Clone, PartialEq)]
pub struct Got {
    pub id: Option<String>,
    pub name: String,
    pub data: Value,
}

/// A stream that is being read.
pub struct Reading {
    body: futures::stream::BoxStream<'static, reqwest::Result<bytes::Bytes>>,
    buffer: String,
}

impl Reading {
    pub async fn open(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("an answer");
        if response.status() != StatusCode::OK {
            panic!("{} {}", response.status(), response.text().await.unwrap_or_default());
        }
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        Self::of(response)
    }

    pub fn of(response: Response) -> Self {
        Self { body: response.bytes_stream().boxed(), buffer: String::new() }
    }

    /// The next event, or none at the end.
    pub async fn next(&mut self) -> Option<Got> {
        loop {
            if let Some(end) = self.buffer.find("\n\n") {
                let block: String = self.buffer.drain(..end + 2).collect();
                match parse(&block) {
                    Some(got) => return Some(got),
                    None => continue,
                }
            }
            let chunk = self.body.next().await?.ok()?;
            self.buffer.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }

    pub async fn rest(mut self) -> Vec<Got> {
        let mut all = Vec::new();
        while let Some(got) = self.next().await {
            all.push(got);
        }
        all
    }

    /// Reads on until an event of this name.
    pub async fn until(&mut self, name: &str) -> Got {
        loop {
            let got = self.next().await.unwrap_or_else(|| panic!("the stream ended before {name}"));
            if got.name == name {
                return got;
            }
        }
    }
}

pub fn parse(block: &str) -> Option<Got> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    let name = field("event: ")?;
    let data: Value = serde_json::from_str(&field("data: ")?).expect("JSON");
    assert_eq!(data["type"], name);
    Some(Got { id: field("id: "), name, data })
}

impl Actor<'_> {
    pub async fn chat_body(&self, agent: &str, message: &str) -> Value {
        let id = self.agent(agent).await["localAgentId"].clone();
        json!({"message": message, "agentId": id, "workspaceId": self.workspace})
    }

    /// Says something to an agent, in a new conversation, and reads the turn to its end.
    pub async fn chat(&self, agent: &str, message: &str) -> Vec<Got> {
        let body = self.chat_body(agent, message).await;
        self.send(&body).await.rest().await
    }

    pub async fn send(&self, body: &Value) -> Reading {
        Reading::open(self.request(Method::POST, "/api/agent-chat").json(body)).await
    }

    /// Says something in a conversation.
    pub async fn say(&self, conversation: &str, message: &str) -> Vec<Got> {
        self.saying(conversation, message).await.rest().await
    }

    pub async fn saying(&self, conversation: &str, message: &str) -> Reading {
        let body = json!({"message": message, "workspaceId": self.workspace, "conversationId": conversation});
        self.send(&body).await
    }

    pub async fn follow(&self, conversation: &str, after: &str) -> Reading {
        let path = format!("/api/agent-chat/{conversation}/stream?after={after}");
        Reading::open(self.request(Method::GET, &path)).await
    }

    pub async fn read(&self, conversation: &str) -> Value {
        self.get_owned(format!("/api/agent-conversations/{conversation}")).await
    }
}

pub fn names(events: &[Got]) -> Vec<&str> {
    events.iter().map(|got| got.name.as_str()).collect()
}

/// All text of a stream.
pub fn text_of(events: &[Got]) -> String {
    events.iter().filter(|got| got.name == "text").filter_map(|got| got.data["content"].as_str()).collect()
}

pub fn conversation_of(events: &[Got]) -> String {
    let session = events.iter().find(|got| got.name == "session").expect("a session");
    session.data["conversationId"].as_str().expect("an id").to_owned()
}

/// A server whose models follow a script.
pub async fn scripted(replies: Value) -> (TestApp, tempfile::NamedTempFile) {
    scripted_with(replies, Given { sign_up: Some(SignUp::Open), ..Given::default() }).await
}

/// The same with other settings.
pub async fn scripted_with(replies: Value, given: Given) -> (TestApp, tempfile::NamedTempFile) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), json!({"replies": replies}).to_string()).expect("written");
    let given = Given { model_script: Some(file.path().to_owned()), ..given };
    (TestApp::with(given).await, file)
}
