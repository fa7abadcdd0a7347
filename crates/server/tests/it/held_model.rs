//! A vendor of chat completions that answers when the test says so, and shows what it was asked. It outlives the server
//! that asks.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use baton_core::people::SignUp;
use baton_server::settings::Given;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// Longer than any turn takes to come to its next request, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct HeldModel {
    pub url: String,
    asked: mpsc::UnboundedReceiver<Asked>,
}

/// A request that waits for its answer. Dropped, it is never answered.
pub struct Asked {
    pub body: Value,
    answer: oneshot::Sender<Reply>,
}

#[derive(Debug)]
pub enum Reply {
    Says {
        text: String,
        calls: Vec<(String, Value)>,
    },
    /// Word by word, as the test says them.
    Speaks(mpsc::UnboundedReceiver<String>),
    /// Breaks off after this.
    BreaksOff(String),
    /// Refuses, and it helps nothing to ask again.
    Refuses,
}

impl Reply {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Says { text: text.into(), calls: Vec::new() }
    }

    pub fn call(name: &str, arguments: Value) -> Self {
        Self::Says { text: String::new(), calls: vec![(name.to_owned(), arguments)] }
    }
}

impl HeldModel {
    pub async fn start() -> Self {
        let (tell, asked) = mpsc::unbounded_channel();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let app = Router::new().route("/v1/chat/completions", post(answer)).with_state(tell);
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, asked }
    }

    /// Settings for a server whose only vendor this is.
    pub fn given(&self) -> Given {
        Given {
            sign_up: Some(SignUp::Open),
            openai_base_url: Some(self.url.clone()),
            openai_model: Some("fake".into()),
            ..Given::default()
        }
    }

    /// The next request.
    pub async fn next(&mut self) -> Asked {
        let next = tokio::time::timeout(PATIENCE, self.asked.recv()).await;
        next.expect("nobody asked").expect("the vendor is there")
    }
}

/// An answer that has begun, and goes on when the test says so. Dropped, it breaks off.
pub struct Speech(mpsc::UnboundedSender<String>);

impl Speech {
    pub fn say(&self, text: &str) {
        // Whoever listened may be gone.
        let _ = self.0.send(said(text));
    }

    pub fn end(self, calls: &[(&str, Value)]) {
        let calls: Vec<_> =
            calls.iter().map(|(name, arguments)| ((*name).to_owned(), arguments.clone())).collect();
        let _ = self.0.send(format!("{}{}", called(&calls), ended(&calls)));
    }
}

impl Asked {
    pub fn reply(self, reply: Reply) {
        // Whoever asked may be gone.
        let _ = self.answer.send(reply);
    }

    pub fn speak(self) -> Speech {
        let (speech, spoken) = mpsc::unbounded_channel();
        self.reply(Reply::Speaks(spoken));
        Speech(speech)
    }

    /// Whether whoever asked is gone.
    pub fn is_gone(&self) -> bool {
        self.answer.is_closed()
    }

    pub async fn hung_up(&mut self) {
        self.answer.closed().await;
    }

    pub fn system(&self) -> &str {
        self.body["messages"][0]["content"].as_str().expect("a system prompt")
    }

    pub fn offers(&self, tool: &str) -> bool {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        tools.into_iter().any(|offered| offered["function"]["name"] == tool)
    }
}

async fn answer(State(tell): State<mpsc::UnboundedSender<Asked>>, Json(body): Json<Value>) -> Response {
    let (answer, answered) = oneshot::channel();
    let _ = tell.send(Asked { body, answer });
    let Ok(reply) = answered.await else { return std::future::pending().await };
    let body = match reply {
        Reply::Refuses => {
            let error = json!({"error": {"message": "no", "type": "invalid_request_error"}});
            return (StatusCode::BAD_REQUEST, Json(error)).into_response();
        }
        Reply::BreaksOff(text) => said(&text).into(),
        Reply::Says { text, calls } => format!("{}{}{}", said(&text), called(&calls), ended(&calls)).into(),
        Reply::Speaks(spoken) => Body::from_stream(futures::stream::unfold(spoken, async |mut spoken| {
            let piece = spoken.recv().await?;
            Some((Ok::<_, Infallible>(piece), spoken))
        })),
    };
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

fn chunk(delta: Value, finish: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

fn said(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("data: {}\n\n", chunk(json!({"content": text}), Value::Null))
}

fn called(calls: &[(String, Value)]) -> String {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let calls = calls.iter().enumerate().map(|(index, (name, arguments))| {
        let id = format!("call_{}", CALLS.fetch_add(1, Ordering::Relaxed));
        let function = json!({"name": name, "arguments": arguments.to_string()});
        let call = json!({"index": index, "id": id, "type": "function", "function": function});
        format!("data: {}\n\n", chunk(json!({"tool_calls": [call]}), Value::Null))
    });
    calls.collect()
}

fn ended(calls: &[(String, Value)]) -> String {
    let mut last = chunk(json!({}), json!(if calls.is_empty() { "stop" } else { "tool_calls" }));
    last["usage"] = json!({"prompt_tokens": 100, "completion_tokens": 10});
    format!("data: {last}\n\ndata: [DONE]\n\n")
}
