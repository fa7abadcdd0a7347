//! A handoff: from the model's tool call until the next agent's request reaches the model, by the model's own clock, and
//! how many whole turns with a handoff a second has room for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::fake_model::{HANDS_OFF, NUMBER, RECEIVER};
use crate::http::{Connection, request};
use crate::process::{FakeModel, Server};
use crate::report::{Figure, Times, millis};
use crate::shape::Shape;
use crate::talk::{Person, direct, text, turn};

/// What the agent that is handed to says.
pub const SHAPE: Shape = Shape::new(20, 0);
const PART: &str = "handoff";
const WARM_UP: usize = 50;
const CLIENTS: usize = 32;

pub async fn measure(server: &Server, model: &FakeModel, rounds: usize) -> anyhow::Result<Vec<Figure>> {
    let desk = Desk::set_up(server).await?;
    let mut asking = Connection::open(model.at).await?;
    desk.many(server, WARM_UP, 8).await?;
    let mut figures = Vec::new();
    for (clients, turns) in [(1, rounds), (CLIENTS, rounds * 10)] {
        let at = if clients == 1 { "1 client".to_owned() } else { format!("{clients} clients") };
        let before = handoffs(&mut asking).await?.len();
        let (spent, began) = (server.process.cpu()?, Instant::now());
        desk.many(server, turns, clients).await?;
        let (spent, took) = (server.process.cpu()? - spent, began.elapsed());
        let times = handoffs(&mut asking).await?.split_off(before);
        ensure!(times.len() == turns, "of {turns} turns {} were handed off", times.len());
        let times = Times::new(times);
        for (word, share, goal) in [("p50", 0.5, 1.0), ("p99", 0.99, 5.0)] {
            let name = format!("tool call to next request, {at}, {word}");
            let figure = Figure::new(PART, name, "ms", times.at(share));
            // With many at once they wait for each other: that is what the turns a second are for.
            figures.push(if clients == 1 { figure.at_most(goal) } else { figure });
        }
        let rate = |time: Duration| turns as f64 / time.as_secs_f64();
        let alone = directly(model, turns, clients).await?;
        let figure =
            Figure::new(PART, format!("handoff turns a second, {at}"), "/s", rate(took)).beside(rate(alone));
        figures.push(match clients {
            1 => figure,
            _ if server.is_on_postgres() => figure.at_least(800.0),
            _ => figure.at_least_times(1.0 / 12.0),
        });
        let each = millis(spent) / turns as f64;
        figures.push(Figure::new(PART, format!("CPU per handoff turn, {at}"), "ms", each));
    }
    Ok(figures)
}

/// A swarm of two: one that hands off, and one that answers.
struct Desk {
    person: Person,
    team: String,
    /// Every turn has a number of its own.
    numbers: Arc<AtomicU64>,
}

impl Desk {
    async fn set_up(server: &Server) -> anyhow::Result<Self> {
        let person = Person::sign_in(server).await?;
        let mut connection = Connection::open(server.at).await?;
        let mut members = Vec::new();
        for (name, model) in [("bench-sender", HANDS_OFF.to_owned()), (RECEIVER, SHAPE.model())] {
            let agent = json!({ "workspaceId": person.workspace, "name": name, "model": format!("openai/{model}"),
                "system_prompt": "You hand work on, or do it." });
            let made = connection.json(&person.post("/api/agents", Some(&agent))).await?;
            members.push(json!({ "agentId": made["id"], "isDefault": members.is_empty() }));
        }
        let team =
            json!({ "workspaceId": person.workspace, "name": "Bench", "kind": "swarm", "members": members });
        let team = connection.json(&person.post("/api/teams", Some(&team))).await?;
        Ok(Self { person, team: text(&team["id"])?, numbers: Arc::default() })
    }

    /// So many turns, each in a new conversation, from so many clients at once; every answer must be right.
    async fn many(&self, server: &Server, turns: usize, clients: usize) -> anyhow::Result<()> {
        let begin = |number: u64| {
            let message = format!("{NUMBER}{number}: please see to it.");
            let body =
                json!({ "message": message, "workspaceId": self.person.workspace, "teamId": self.team });
            self.person.post("/api/agent-chat", Some(&body))
        };
        let mut workers = Vec::new();
        for client in 0..clients {
            let share = turns / clients + usize::from(client < turns % clients);
            let numbers = (0..share).map(|_| self.numbers.fetch_add(1, Ordering::Relaxed));
            let (questions, at): (Vec<_>, _) = (numbers.map(begin).collect(), server.at);
            workers.push(tokio::spawn(async move {
                let expected = SHAPE.text();
                let mut connection = Connection::open(at).await?;
                for question in questions {
                    turn(&mut connection, &question, &expected).await?;
                }
                anyhow::Ok(())
            }));
        }
        for worker in workers {
            worker.await??;
        }
        Ok(())
    }
}

/// The same two calls of each turn, made to the model itself.
async fn directly(model: &FakeModel, turns: usize, clients: usize) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let mut workers = Vec::new();
    for client in 0..clients {
        let share = turns / clients + usize::from(client < turns % clients);
        let at = model.at;
        workers.push(tokio::spawn(async move {
            let (expected, question) = (SHAPE.text(), direct(SHAPE));
            let asked = json!({ "model": HANDS_OFF, "messages": [], "stream": true });
            let handoff = request("POST", "/v1/chat/completions", "", Some(&asked));
            let mut connection = Connection::open(at).await?;
            for _ in 0..share {
                ensure!(connection.skip(&handoff).await? == 200, "the model refused");
                turn(&mut connection, &question, &expected).await?;
            }
            anyhow::Ok(())
        }));
    }
    for worker in workers {
        worker.await??;
    }
    Ok(began.elapsed())
}

/// How long each handoff took so far.
async fn handoffs(connection: &mut Connection) -> anyhow::Result<Vec<Duration>> {
    let stats = connection.json(&request("GET", "/stats", "", None)).await?;
    let times = stats["handoffMicros"].as_array().context("no times of handoffs")?;
    Ok(times.iter().filter_map(Value::as_u64).map(Duration::from_micros).collect())
}
