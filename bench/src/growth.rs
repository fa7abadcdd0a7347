//! What a turn costs after many others in the same conversation, and what a call costs after many others in the same turn.

use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::json;

use crate::fake_model::calls;
use crate::http::Connection;
use crate::process::Server;
use crate::report::{Figure, megabytes, millis};
use crate::shape::Shape;
use crate::talk::{Person, text, turn};

pub const SHAPE: Shape = Shape::new(20, 0);
const PART: &str = "growth";
const WARM_UP: usize = 50;
/// So many turns are measured at each length.
const WINDOW: usize = 50;
const LENGTHS: [usize; 3] = [100, 400, 1_000];

/// CPU of a turn in a conversation of so many turns.
pub async fn measure_turns(server: &Server) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let expected = SHAPE.text();
    let mut connection = Connection::open(server.at).await?;
    let mut begun = Vec::new();
    for _ in 0..WARM_UP + WINDOW {
        let first = turn(&mut connection, &person.begin(), &expected).await?;
        begun.push(first.conversation.context("no conversation was named")?);
    }
    let cpu = async |connection: &mut Connection, conversations: &[String]| {
        let before = server.process.cpu()?;
        let mut first = Duration::ZERO;
        for conversation in conversations {
            first += turn(connection, &person.go_on(conversation), &expected).await?.first;
        }
        let each = |time: Duration| millis(time) / conversations.len() as f64;
        anyhow::Ok((each(server.process.cpu()? - before), each(first)))
    };
    cpu(&mut connection, &begun[..WARM_UP]).await?;
    let (second, heard) = cpu(&mut connection, &begun[WARM_UP..]).await?;
    let mut figures = vec![
        Figure::new(PART, "CPU per turn, second message", "ms", second),
        Figure::new(PART, "first token, second message", "ms", heard),
    ];
    let one = begun[0].clone();
    let mut turns = 2;
    for length in LENGTHS {
        while turns < length - WINDOW {
            turn(&mut connection, &person.go_on(&one), &expected).await?;
            turns += 1;
        }
        let (spent, heard) = cpu(&mut connection, &vec![one.clone(); WINDOW]).await?;
        turns += WINDOW;
        let figure =
            Figure::new(PART, format!("CPU per turn, after {length} turns"), "ms", spent).beside(second);
        figures.push(if length == 1_000 { figure.at_most_times(3.0) } else { figure });
        figures.push(Figure::new(PART, format!("first token, after {length} turns"), "ms", heard));
    }
    Ok(figures)
}

/// Bytes of each result.
const RESULT: usize = 30_000;

/// What is written to disk for a call whose result is large, in turns of few calls and of many.
pub async fn measure_calls(server: &Server) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let mut connection = Connection::open(server.at).await?;
    let mut figures = Vec::new();
    let mut few = None;
    for count in [10, 40] {
        let (model, skill) = (calls(count), format!("bench-{count}"));
        let agent = json!({ "workspaceId": person.workspace, "name": format!("Calls {count}"), "max_turns": count + 2,
            "model": format!("openai/{model}"), "system_prompt": "You read what you are told to." });
        let agent = text(&connection.json(&person.post("/api/agents", Some(&agent))).await?["id"])?;
        let made = json!({ "workspaceId": person.workspace, "name": skill, "description": "What to read.",
            "content": "word ".repeat(RESULT / 5), "agent_ids": [agent] });
        connection.json(&person.post("/api/skills", Some(&made))).await?;
        let asked =
            json!({ "message": format!("Read {skill}"), "workspaceId": person.workspace, "agentId": agent });
        let before = server.process.written()?;
        turn(&mut connection, &person.post("/api/agent-chat", Some(&asked)), &Shape::new(1, 0).text())
            .await?;
        let each = megabytes(server.process.written()? - before) / count as f64 * 1e3;
        let name = format!("written per call of {} kB, a turn of {count} calls", RESULT / 1_000);
        let figure = Figure::new(PART, name, "kB", each);
        figures.push(match few.replace(each) {
            Some(few) => figure.beside(few).at_most_times(1.5),
            None => figure,
        });
    }
    ensure!(few.is_some_and(|each| each > 0.0), "the data folder is on no disk: nothing is counted");
    Ok(figures)
}
