//! `kill -9` at any moment of a turn with tools: the turn goes on at the next start and completes once, and a reader who
//! resumes by cursor ends with exactly what is stored.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use baton_core::events::Event;
use baton_core::fold::Spoken;
use baton_core::ids::MessageId;
use reqwest::Client;
use serde_json::{Value, json};

use crate::process::{Server, get, post, start_with};
use crate::talk::{Got, Reading};

const ROUNDS: usize = 20;
/// A whole turn takes about this long.
const TURN: Duration = Duration::from_millis(900);

fn script() -> Value {
    let save =
        |n: &str| json!({"name": "manageMemory", "arguments": {"action": "save", "path": n, "content": n}});
    let task = json!({"name": "manageCRM", "arguments": {
        "action": "create", "record": "task", "subject": "Call", "dueOn": "2026-01-01",
    }});
    let planned = json!({"name": "manageProjects", "arguments": {
        "action": "create_tasks", "project": "Depot", "title": "Renew badges", "assignee": "me",
    }});
    let words = "a few words that take a while to say one by one ".repeat(2);
    json!({"replies": [
        {"reasoning": "First things first.", "text": words, "delay_ms_per_word": 10,
         "calls": [save("one"), {"name": "getCurrentTime", "arguments": {}}]},
        {"text": "Then the next.", "delay_ms_per_word": 10, "calls": [save("two"), task, planned]},
        {"text": format!("And so it ends. {words}"), "delay_ms_per_word": 10},
    ]})
}

/// A client that folds what it reads and remembers where it was.
#[derive(Default)]
struct Folded {
    conversation: Option<String>,
    cursor: Option<String>,
    asked: Vec<String>,
    spoken: BTreeMap<MessageId, Spoken>,
    is_done: bool,
}

impl Folded {
    fn take(&mut self, got: &Got) {
        if let Some(id) = &got.id {
            let number = |id: &str| -> (i64, u64) {
                let (seq, off) = id.split_once('.').expect("a cursor");
                (seq.parse().expect("a number"), off.parse().expect("a number"))
            };
            assert!(
                self.cursor.as_deref().is_none_or(|last| number(id) > number(last)),
                "{id} after {:?}",
                self.cursor
            );
            self.cursor = Some(id.clone());
        }
        let event: Event = serde_json::from_value(got.data.clone()).expect("an event");
        match &event {
            Event::Session { conversation_id, .. } => self.conversation = Some(conversation_id.to_string()),
            Event::UserMessage { content, .. } => self.asked.push(content.clone()),
            Event::MessageStart { message_id, agent_id, .. } => {
                self.spoken.entry(*message_id).or_insert_with(|| Spoken::new(*message_id, *agent_id));
            }
            Event::Done { .. } => self.is_done = true,
            Event::Reset {} | Event::Lagged { .. } => panic!("{got:?}"),
            _ => {}
        }
        if let Some(id) = got.data["messageId"].as_str()
            && let Some(message) = self.spoken.get_mut(&MessageId(id.parse().expect("an id")))
        {
            message.apply(&event);
        }
    }

    /// Reads until the turn is done or the connection breaks.
    async fn read(&mut self, mut reading: Reading) {
        while let Some(got) = reading.next().await {
            self.take(&got);
            if self.is_done {
                return;
            }
        }
    }
}

struct Person {
    client: Client,
    cookie: String,
    body: Value,
}

async fn sign_in(server: &Server) -> Person {
    let redeem = format!("{}/api/auth/links/redeem", server.url);
    let (_, me, cookie) = post(&redeem, json!({"token": server.link})).await;
    let workspace = me["workspaces"][0]["id"].clone();
    let workspace_id = workspace.as_str().expect("a workspace");
    let agents =
        get(&format!("{}/api/agents?workspaceId={workspace_id}&search=project", server.url), &cookie).await;
    let agent = agents["agents"][0]["localAgentId"].as_str().expect("an agent");
    let client = Client::builder().no_proxy().build().expect("a client");
    // It writes notes and data, and nobody is asked.
    let tools = json!({"tools": ["memory", "tasks", "projectTasks"], "permission_mode": "acceptEdits"});
    let request = client.patch(format!("{}/api/agents/{agent}", server.url)).header("cookie", &cookie);
    let changed = request.json(&tools).send().await.expect("an answer");
    assert_eq!(changed.status(), 200, "{}", changed.text().await.unwrap_or_default());
    let project = client.post(format!("{}/api/data/projects?workspaceId={workspace_id}", server.url));
    let made =
        project.header("cookie", &cookie).json(&json!({"name": "Depot"})).send().await.expect("an answer");
    assert_eq!(made.status(), 201);
    let body = json!({"message": "Go through it", "workspaceId": workspace, "agentId": agent});
    Person { client, cookie, body }
}

impl Person {
    /// Sends the message, or the same one again; none if the server is gone.
    async fn send(&self, server: &Server, key: &str) -> Option<Reading> {
        let request = self.client.post(format!("{}/api/agent-chat", server.url));
        let request = request.header("cookie", &self.cookie).header("idempotency-key", key).json(&self.body);
        let response = request.send().await.ok()?;
        assert_eq!(response.status(), 200);
        Some(Reading::of(response))
    }

    async fn follow(&self, server: &Server, conversation: &str, cursor: &str) -> Reading {
        let url = format!("{}/api/agent-chat/{conversation}/stream?after={cursor}", server.url);
        Reading::open(self.client.get(url).header("cookie", &self.cookie)).await
    }
}

fn serve(dir: &Path) -> Server {
    start_with(dir, &["--demo"], &[("BATON_MODEL_SCRIPT", &dir.join("script.json"))])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_anywhere_every_turn_completes_once() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("script.json"), script().to_string()).expect("written");
    let mut server = serve(dir.path());
    let person = sign_in(&server).await;
    let seed = uuid::Uuid::now_v7().as_u128() as u64;
    println!("seed {seed}");
    let mut interrupted = 0;
    for round in 0..ROUNDS {
        let key = format!("round {round}");
        // A moment spread over the turn, each round in its own twentieth of it.
        let jitter = seed.rotate_left(round as u32 * 3) % 1_000;
        let moment = TURN.mul_f64((round as f64 + jitter as f64 / 1_000.0) / ROUNDS as f64);
        let mut folded = Folded::default();
        let begun = Instant::now();
        let reading = async {
            if let Some(reading) = person.send(&server, &key).await {
                folded.read(reading).await;
            }
        };
        let _ = tokio::time::timeout(moment.saturating_sub(begun.elapsed()), reading).await;
        drop(server); // SIGKILL
        server = serve(dir.path());
        if !folded.is_done {
            interrupted += 1;
            let reading = match (&folded.conversation, &folded.cursor) {
                (Some(id), Some(cursor)) => person.follow(&server, id, cursor).await,
                _ => person.send(&server, &key).await.expect("the server is back"),
            };
            let read = tokio::time::timeout(Duration::from_secs(20), folded.read(reading));
            read.await.unwrap_or_else(|_| panic!("round {round}: the turn went silent"));
        }
        check(&server, &person, &folded, round).await;
    }
    assert!(interrupted > ROUNDS / 2, "most turns are to be cut, not {interrupted}");
}

async fn check(server: &Server, person: &Person, folded: &Folded, round: usize) {
    let id = folded.conversation.as_deref().expect("a conversation");
    let stored = get(&format!("{}/api/agent-conversations/{id}", server.url), &person.cookie).await;
    let messages = stored["messages"].as_array().expect("messages");
    assert_eq!(messages.len(), 2, "round {round}: {stored}");
    assert_eq!(stored["turn"], json!(null), "round {round}");
    let answer = &messages[1];
    let [spoken] = folded.spoken.values().collect::<Vec<_>>()[..] else {
        panic!("round {round}: one message")
    };
    assert_eq!(answer["status"], "complete", "round {round}");
    assert_eq!(answer["parts"], serde_json::to_value(&spoken.parts).expect("parts"), "round {round}");
    assert_eq!(answer["attempt"], json!(spoken.attempt), "round {round}");
    let calls: Vec<_> = spoken.parts.iter().map(|part| serde_json::to_value(part).expect("a part")).collect();
    let calls: Vec<_> = calls.iter().filter(|part| part["type"] == "tool-call").collect();
    assert_eq!(calls.len(), 5, "round {round}: {calls:?}");
    assert!(calls.iter().all(|call| call["state"] == "completed"), "round {round}: {calls:?}");
    assert!(answer["content"].as_str().expect("text").contains("And so it ends."), "round {round}");
    // Each turn has made its task once, whatever cut it.
    let workspace = person.body["workspaceId"].as_str().expect("a workspace");
    let path = format!("{}/api/data/activities?workspaceId={workspace}&dueOnTo=2026-01-01", server.url);
    let tasks = get(&path, &person.cookie).await;
    let made = tasks["rows"].as_array().expect("rows").iter().filter(|row| row["subject"] == "Call").count();
    assert_eq!(made, round + 1, "round {round}: {tasks}");
    let path = format!("{}/api/data/project_tasks?workspaceId={workspace}&search=badges", server.url);
    let tasks = get(&path, &person.cookie).await;
    assert_eq!(tasks["total"], json!(round + 1), "round {round}: {tasks}");
}
