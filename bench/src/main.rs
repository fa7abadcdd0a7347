//! Load on a running Baton over HTTP: how many answers a second, and how long the slow ones take.
//!
//! `baton-bench URL TOKEN [SECONDS] [CLIENTS]`, with the token of a one-time sign-in link. `make bench` starts a server for
//! it. Client and server share the machine, so compare the rows of one run with each other, not runs with runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use reqwest::{Client, Method, header};
use serde_json::{Value, json};

struct Target {
    client: Client,
    url: String,
    cookie: String,
    workspace: String,
    agent: String,
    conversation: String,
}

#[derive(Clone, Copy)]
enum Case {
    Health,
    ListAgents,
    ReadConversation,
    ImportMessage,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: baton-bench URL TOKEN [SECONDS] [CLIENTS]";
    let (url, token) = (args.next().context(usage)?, args.next().context(usage)?);
    let seconds: u64 = args.next().map_or(Ok(5), |text| text.parse())?;
    let clients: usize = args.next().map_or(Ok(32), |text| text.parse())?;
    baton_tools::outbound::install_tls();
    let target = Arc::new(prepare(&url, &token).await?);
    println!("{clients} clients, {seconds} s each\n");
    println!("{:<44} {:>10} {:>9} {:>9} {:>9}", "", "answers/s", "p50 ms", "p99 ms", "max ms");
    for (name, case) in [
        ("GET /healthz (no database)", Case::Health),
        ("GET /api/agents (7 hired)", Case::ListAgents),
        ("GET /api/agent-conversations/{id} (100 messages)", Case::ReadConversation),
        ("POST …/messages (one commit)", Case::ImportMessage),
    ] {
        let mut times = load(&target, case, clients, Duration::from_secs(seconds)).await?;
        times.sort_unstable();
        let at = |share: f64| {
            let index = ((times.len() - 1) as f64 * share) as usize;
            times[index].as_secs_f64() * 1e3
        };
        let rate = times.len() as f64 / seconds as f64;
        println!("{name:<44} {rate:>10.0} {:>9.1} {:>9.1} {:>9.1}", at(0.5), at(0.99), at(1.0));
    }
    Ok(())
}

async fn load(
    target: &Arc<Target>,
    case: Case,
    clients: usize,
    lasts: Duration,
) -> anyhow::Result<Vec<Duration>> {
    let end = Instant::now() + lasts;
    let workers: Vec<_> = (0..clients)
        .map(|_| {
            let target = target.clone();
            tokio::spawn(async move {
                let mut times = Vec::new();
                while Instant::now() < end {
                    let began = Instant::now();
                    target.run(case).await?;
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

async fn prepare(url: &str, token: &str) -> anyhow::Result<Target> {
    let client = Client::builder().no_proxy().build()?;
    let answer =
        client.post(format!("{url}/api/auth/links/redeem")).json(&json!({"token": token})).send().await?;
    let cookie = answer.headers().get(header::SET_COOKIE).context("no session")?.to_str()?;
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    let me: Value = answer.json().await?;
    let workspace = text(&me["workspaces"][0]["id"])?;
    let mut target = Target {
        client,
        url: url.to_owned(),
        cookie,
        workspace,
        agent: String::new(),
        conversation: String::new(),
    };
    let agents =
        target.send(Method::GET, &format!("/api/agents?workspaceId={}", target.workspace), None).await?;
    target.agent = text(&agents["agents"][0]["localAgentId"])?;
    target.conversation = target.new_conversation().await?;
    let messages: Vec<Value> =
        (0..100).map(|n| json!({"role": "user", "content": format!("message {n} ").repeat(20)})).collect();
    let path = format!("/api/agent-conversations/{}/messages", target.conversation);
    target.send(Method::POST, &path, Some(json!({"messages": messages}))).await?;
    Ok(target)
}

impl Target {
    async fn run(&self, case: Case) -> anyhow::Result<()> {
        match case {
            Case::Health => {
                self.client.get(format!("{}/healthz", self.url)).send().await?.bytes().await?;
            }
            Case::ListAgents => {
                self.send(Method::GET, &format!("/api/agents?workspaceId={}", self.workspace), None).await?;
            }
            Case::ReadConversation => {
                self.send(Method::GET, &format!("/api/agent-conversations/{}", self.conversation), None)
                    .await?;
            }
            Case::ImportMessage => {
                let path = format!("/api/agent-conversations/{}/messages", self.conversation);
                let body = json!({"messages": [{"role": "user", "content": "One more thing to remember."}]});
                self.send(Method::POST, &path, Some(body)).await?;
            }
        }
        Ok(())
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let mut request =
            self.client.request(method, format!("{}{path}", self.url)).header(header::COOKIE, &self.cookie);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await?;
        let status = answer.status();
        let bytes = answer.bytes().await?;
        ensure!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&bytes));
        // The first answers are read; under load parsing them would measure the client.
        if self.conversation.is_empty() || path.ends_with("/agent-conversations") {
            return Ok(serde_json::from_slice(&bytes)?);
        }
        Ok(Value::Null)
    }

    async fn new_conversation(&self) -> anyhow::Result<String> {
        let body = json!({"agentId": self.agent, "workspaceId": self.workspace});
        text(&self.send(Method::POST, "/api/agent-conversations", Some(body)).await?["id"])
    }
}

fn text(value: &Value) -> anyhow::Result<String> {
    Ok(value.as_str().context("text was expected")?.to_owned())
}
