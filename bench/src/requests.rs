//! Plain requests under load: how many answers a second, and how long the slow ones take.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::{Value, json};

use crate::http::Connection;
use crate::process::Server;
use crate::report::{Figure, Times};
use crate::talk::{Person, text};

const PART: &str = "requests";
const CLIENTS: usize = 32;

pub async fn measure(server: &Server, lasts: Duration) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let mut connection = Connection::open(server.at).await?;
    let new = json!({ "agentId": person.agent, "workspaceId": person.workspace });
    let made = connection.json(&person.post("/api/agent-conversations", Some(&new))).await?;
    let conversation = format!("/api/agent-conversations/{}", text(&made["id"])?);
    let messages: Vec<Value> =
        (0..100).map(|n| json!({ "role": "user", "content": format!("message {n} ").repeat(20) })).collect();
    let import = format!("{conversation}/messages");
    connection.json(&person.post(&import, Some(&json!({ "messages": messages })))).await?;
    let message = json!({ "messages": [{ "role": "user", "content": "One more thing to remember." }] });
    let mut figures = Vec::new();
    for (name, request) in [
        ("GET /healthz (no database)", person.get("/healthz")),
        ("GET /api/agents", person.get(&format!("/api/agents?workspaceId={}", person.workspace))),
        ("GET a conversation of 100 messages", person.get(&conversation)),
        ("POST …/messages (one commit)", person.post(&import, Some(&message))),
    ] {
        let times = Times::new(load(server, request, lasts).await?);
        let rate = times.len() as f64 / lasts.as_secs_f64();
        figures.push(Figure::new(PART, format!("{name}: answers a second"), "/s", rate));
        for (word, share) in [("p50", 0.5), ("p99", 0.99)] {
            figures.push(Figure::new(PART, format!("{name}: {word}"), "ms", times.at(share)));
        }
    }
    Ok(figures)
}

async fn load(server: &Server, request: Vec<u8>, lasts: Duration) -> anyhow::Result<Vec<Duration>> {
    let (at, request): (_, Arc<[u8]>) = (server.at, request.into());
    let end = Instant::now() + lasts;
    let workers: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let request = request.clone();
            tokio::spawn(async move {
                let mut connection = Connection::open(at).await?;
                let mut times = Vec::new();
                while Instant::now() < end {
                    let began = Instant::now();
                    let status = connection.skip(&request).await?;
                    ensure!((200..300).contains(&status), "an answer was {status}");
                    times.push(began.elapsed());
                }
                anyhow::Ok(times)
            })
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await??);
    }
    ensure!(!all.is_empty(), "nothing was answered");
    Ok(all)
}
