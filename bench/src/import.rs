//! A large file of transactions comes in while someone talks to an agent: rows a second, what it takes of memory, and how long
//! the slowest turn waits. `--rows` says how large.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::json;

use crate::http::Connection;
use crate::process::Server;
use crate::report::{Figure, Times, megabytes, millis};
use crate::shape::Shape;
use crate::talk::{Person, text, turn};

pub const SHAPE: Shape = Shape::new(1, 0);
const PART: &str = "import";
/// Between two looks at how far it is.
const LOOK: Duration = Duration::from_millis(100);
/// Between two turns beside it.
const PAUSE: Duration = Duration::from_millis(30);

pub async fn measure(server: &Server, rows: usize) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let mut connection = Connection::open(server.at).await?;
    let account = json!({ "name": "Giro", "currency": "EUR" });
    let path = format!("/api/data/accounts?workspaceId={}", person.workspace);
    connection.json(&person.post(&path, Some(&account))).await?;
    let before = server.process.memory()?.resident;
    let path = format!(
        "/api/data/transactions/import?workspaceId={}&filename=large.csv&account=Giro",
        person.workspace
    );
    let began = Instant::now();
    let begun = connection.json(&person.send(&path, file(rows).as_bytes())).await?;
    let uploaded = began.elapsed();
    let import = format!("/api/data/imports/{}", text(&begun["import"]["id"])?);
    let began = Instant::now();
    let mut looking = Connection::open(server.at).await?;
    let (mut turns, mut peak) = (Vec::new(), before);
    let (mut stored_from, mut status) = (None, String::new());
    while status != "completed" {
        let told = looking.json(&person.get(&import)).await?;
        status = text(&told["import"]["status"])?;
        ensure!(status != "failed" && status != "needs_mapping", "the import: {told}");
        if status == "importing" && stored_from.is_none() {
            stored_from = Some(Instant::now());
        }
        peak = peak.max(server.process.memory()?.resident);
        let next = Instant::now() + LOOK;
        while Instant::now() < next {
            turns.push(turn(&mut connection, &person.begin(), &SHAPE.text()).await?.first);
            tokio::time::sleep(PAUSE).await;
        }
    }
    let (all, turns) = (began.elapsed(), Times::new(turns));
    let storing = stored_from.context("the import was never seen at work")?.elapsed();
    let each = |time: Duration| rows as f64 / time.as_secs_f64();
    Ok(vec![
        Figure::new(PART, "the file arrives", "ms", millis(uploaded)),
        Figure::new(PART, "rows stored", "rows/s", each(storing)).at_least(50_000.0),
        Figure::new(PART, "rows looked at and stored", "rows/s", each(all)),
        Figure::new(PART, "longest commit", "ms", millis(server.longest_commit()?)),
        Figure::new(PART, "memory beside what it had", "MB", megabytes(peak - before)).at_most(150.0),
        Figure::new(PART, "first token of a turn beside it, p50", "ms", turns.at(0.5)),
        Figure::new(PART, "first token of a turn beside it, p99", "ms", turns.at(0.99)),
        Figure::new(PART, "first token of a turn beside it, longest", "ms", turns.at(1.0)),
    ])
}

/// Three years of a busy account, day by day.
fn file(rows: usize) -> String {
    let mut file = String::from("Date,Payee,Memo,Amount,Transaction ID\n");
    for n in 0..rows {
        let day = n * 1_080 / rows;
        let (year, month, day) = (2023 + day / 360, day / 30 % 12 + 1, day % 28 + 1);
        let line = format!(
            "{year}-{month:02}-{day:02},Shop number {},Card payment {} in town,-{}.{:02},T{n:09}\n",
            n * 7 % 613,
            n % 97,
            n * 13 % 240 + 1,
            n % 100
        );
        file.push_str(&line);
    }
    file
}
