//! What it costs that an agent could use two hundred tools, in turns that use none of them: beside it stands the same turn of
//! an agent without tools, in turns.

use std::time::Instant;

use serde_json::json;

use crate::http::Connection;
use crate::process::Server;
use crate::report::{Figure, Times, millis};
use crate::shape::Shape;
use crate::talk::{Person, text, turn};

pub const SHAPE: Shape = Shape::new(20, 0);
const PART: &str = "tools";
const WARM_UP: usize = 50;
/// As many as a workspace may have.
const TOOLS: usize = 200;

pub async fn measure(server: &Server, rounds: usize) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let mut connection = Connection::open(server.at).await?;
    let mut names = Vec::new();
    for number in 0..TOOLS {
        let name = format!("look_{number}");
        // Never called: the address is nobody's.
        let tool = json!({ "workspaceId": person.workspace, "name": name, "type": "http_api",
            "description": format!("Looks at {number}. {}", "It says at length what it does. ".repeat(20)),
            "config": { "method": "GET", "url": "http://192.88.98.1/look", "parameters": { "type": "object" } } });
        connection.json(&person.post("/api/tools", Some(&tool))).await?;
        names.push(name);
    }
    let mut agents = Vec::new();
    for (name, tools) in [("bench-without", json!([])), ("bench-with", json!(names))] {
        let agent = json!({ "workspaceId": person.workspace, "name": name, "model": format!("openai/{}", SHAPE.model()),
            "system_prompt": "You answer.", "tools": tools });
        let made = connection.json(&person.post("/api/agents", Some(&agent))).await?;
        agents.push(person.talking_to(text(&made["id"])?));
    }
    let expected = SHAPE.text();
    let (mut times, mut spent) = ([Vec::new(), Vec::new()], [0.0, 0.0]);
    for round in 0..WARM_UP + rounds {
        for (at, agent) in agents.iter().enumerate() {
            let (before, began) = (server.process.cpu()?, Instant::now());
            turn(&mut connection, &agent.begin(), &expected).await?;
            if round >= WARM_UP {
                times[at].push(began.elapsed());
                spent[at] += millis(server.process.cpu()? - before);
            }
        }
    }
    let [without, with] = times.map(Times::new);
    let each = |at: usize| spent[at] / rounds as f64;
    let turns = [("p50", 0.5), ("p99", 0.99)].map(|(word, share)| {
        Figure::new(PART, format!("turn, {word}"), "ms", with.at(share)).beside(without.at(share))
    });
    let cpu = Figure::new(PART, "CPU per turn", "ms", each(1)).beside(each(0)).at_most_times(1.25);
    Ok(turns.into_iter().chain([cpu]).collect())
}
