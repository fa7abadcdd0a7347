//! A large workspace is deleted while someone works in another one: how long the slowest of their commits takes.

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::{Value, json};

use crate::http::Connection;
use crate::process::Server;
use crate::report::{Figure, Times, millis};
use crate::shape::Shape;
use crate::talk::{Person, text, turn};

pub const SHAPE: Shape = Shape::new(1, 0);
const PART: &str = "deletion";
/// As many as one import takes.
const IMPORTED: usize = 100;
/// One conversation is long, the others are many.
const LONG: usize = 300;
const SHORT: usize = 300;
const WARM_UP: usize = 20;

pub async fn measure(server: &Server, lasts: Duration) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let mut connection = Connection::open(server.at).await?;
    let large = fill(&person, &mut connection).await?;
    for _ in 0..WARM_UP {
        work(&person, &mut connection).await?;
    }
    let before = Times::new(work_for(&person, server, lasts).await?);
    let mut deleting = Connection::open(server.at).await?;
    let delete = person.delete(&format!("/api/workspaces/{large}"));
    let deletes = async {
        let began = Instant::now();
        ensure!(deleting.skip(&delete).await? == 200, "the workspace was not deleted");
        Ok(began.elapsed())
    };
    let (told, during) = tokio::try_join!(deletes, work_for(&person, server, lasts))?;
    let during = Times::new(during);
    let mut figures = vec![Figure::new(PART, "answer to the deletion itself", "ms", millis(told))];
    for (word, share) in [("p50", 0.5), ("p99", 0.99), ("longest", 1.0)] {
        let name = |when| format!("commit of a turn elsewhere {when}, {word}");
        figures.push(Figure::new(PART, name("before it"), "ms", before.at(share)));
        figures.push(Figure::new(PART, name("during it"), "ms", during.at(share)));
    }
    Ok(figures)
}

/// A second workspace with a long conversation and many short ones.
async fn fill(person: &Person, connection: &mut Connection) -> anyhow::Result<String> {
    let made = connection.json(&person.post("/api/workspaces", Some(&json!({ "name": "Large" })))).await?;
    let workspace = text(&made["id"])?;
    let agents = connection.json(&person.get(&format!("/api/agents?workspaceId={workspace}"))).await?;
    let agent = text(&agents["agents"][0]["localAgentId"])?;
    let messages: Vec<Value> = (0..IMPORTED)
        .map(|n| json!({ "role": "user", "content": format!("message {n} ").repeat(20) }))
        .collect();
    let messages = json!({ "messages": messages });
    for imports in std::iter::once(LONG).chain(std::iter::repeat_n(1, SHORT)) {
        let new = json!({ "agentId": agent, "workspaceId": workspace });
        let made = connection.json(&person.post("/api/agent-conversations", Some(&new))).await?;
        let import = format!("/api/agent-conversations/{}/messages", text(&made["id"])?);
        for _ in 0..imports {
            connection.json(&person.post(&import, Some(&messages))).await?;
        }
    }
    Ok(workspace)
}

/// A turn in a new conversation, until its first word: the commit that accepts it, and a model that answers at once.
async fn work(person: &Person, connection: &mut Connection) -> anyhow::Result<Duration> {
    Ok(turn(connection, &person.begin(), &SHAPE.text()).await?.first)
}

async fn work_for(person: &Person, server: &Server, lasts: Duration) -> anyhow::Result<Vec<Duration>> {
    let mut connection = Connection::open(server.at).await?;
    let end = Instant::now() + lasts;
    let mut times = Vec::new();
    while Instant::now() < end {
        times.push(work(person, &mut connection).await?);
    }
    Ok(times)
}
