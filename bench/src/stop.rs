//! The time from a person's stop until the model's connection is closed, by the model's own clock.

use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::http::{Connection, request};
use crate::process::{FakeModel, Server, monotonic_micros};
use crate::report::{Figure, Times};
use crate::shape::Shape;
use crate::talk::{Listening, Person};

/// Long enough that it never ends by itself.
pub const SHAPE: Shape = Shape::new(3_000, 20);
const PART: &str = "stop";
const WARM_UP: usize = 3;

pub async fn measure(server: &Server, model: &FakeModel, rounds: usize) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let mut streaming = Connection::open(server.at).await?;
    let mut stopping = Connection::open(server.at).await?;
    let mut asking = Connection::open(model.at).await?;
    let expected = SHAPE.text();
    let (mut cancelled, mut told) = (Vec::new(), Vec::new());
    for round in 0..WARM_UP + rounds {
        let before = cancelled_at(&mut asking).await?.len();
        let mut listening = Listening::open(&mut streaming, &person.begin(), &expected).await?;
        while listening.heard == 0 {
            ensure!(listening.read().await?, "the stream ended before its first word");
        }
        let conversation = listening.conversation.clone().context("no conversation was named")?;
        let stop = person.post(&format!("/api/agent-chat/{conversation}/stop"), None);
        let began = monotonic_micros();
        ensure!(stopping.skip(&stop).await? == 200, "the stop was refused");
        while listening.ended.is_none() {
            ensure!(listening.read().await?, "the stream ended before it said so");
        }
        let heard = monotonic_micros();
        while listening.read().await? {}
        ensure!(listening.ended.as_deref() == Some("stopped"), "the turn was not stopped");
        let at = loop {
            let all = cancelled_at(&mut asking).await?;
            if let Some(at) = all.get(before) {
                break *at;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        if round >= WARM_UP {
            cancelled.push(Duration::from_micros(at.saturating_sub(began)));
            told.push(Duration::from_micros(heard - began));
        }
    }
    let mut figures = Vec::new();
    for (name, times) in [("model cancelled", Times::new(cancelled)), ("stream says so", Times::new(told))] {
        for (word, share) in [("p50", 0.5), ("p99", 0.99)] {
            figures.push(Figure::new(PART, format!("stop to {name}, {word}"), "ms", times.at(share)));
        }
    }
    Ok(figures)
}

async fn cancelled_at(connection: &mut Connection) -> anyhow::Result<Vec<u64>> {
    let stats = connection.json(&request("GET", "/stats", "", None)).await?;
    let times = stats["cancelledAtMicros"].as_array().context("no times of cancelled calls")?;
    Ok(times.iter().filter_map(Value::as_u64).collect())
}
