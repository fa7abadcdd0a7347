//! How soon a server answers after it is started, and how much memory it holds while nobody uses it.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::http::{Connection, request};
use crate::process::{Process, Setup, free_port};
use crate::report::{Figure, Times, megabytes};
use crate::talk::Person;

const RUNS: usize = 10;
const PART: &str = "start";
/// The fewest transactions of the demo workspace's year.
const YEAR: u64 = 300;

pub async fn measure(setup: Setup<'_>) -> anyhow::Result<Vec<Figure>> {
    let (mut fresh, mut again, mut demo) = (Vec::new(), Vec::new(), Vec::new());
    let mut idle = None;
    for _ in 0..RUNS {
        let dir = tempfile::tempdir()?;
        let (took, process) = start(setup, dir.path(), &[]).await?;
        fresh.push(took);
        process.end()?;
        let (took, process) = start(setup, dir.path(), &[]).await?;
        again.push(took);
        if idle.is_none() {
            tokio::time::sleep(Duration::from_secs(2)).await;
            idle = Some(process.memory()?);
        }
        process.end()?;
        let dir = tempfile::tempdir()?;
        let (took, mut process) = start(setup, dir.path(), &["--demo"]).await?;
        demo.push(took);
        // Whoever asks at once finds the whole year: it is part of the time.
        let there = transactions(&mut process).await?;
        ensure!(there >= YEAR, "the demo workspace has {there} transactions: its year was not made yet");
        process.end()?;
    }
    let figure = |name: &str, times: Vec<Duration>, aim: f64| {
        let name = format!("start to first healthy answer, {name}, p50");
        Figure::new(PART, name, "ms", Times::new(times).at(0.5)).at_most(aim)
    };
    let mut figures = vec![
        figure("existing data", again, 100.0),
        figure("empty folder", fresh, 100.0),
        // It makes a year of a household first.
        figure("empty folder with --demo", demo, 2_000.0),
    ];
    if let Some(memory) = idle {
        let resident = Figure::new(PART, "memory when idle", "MB", megabytes(memory.resident)).at_most(30.0);
        figures.push(resident);
        figures.extend(
            memory
                .proportional
                .map(|bytes| Figure::new(PART, "memory when idle, its share (PSS)", "MB", megabytes(bytes))),
        );
    }
    Ok(figures)
}

/// How many transactions the demo workspace has.
async fn transactions(process: &mut Process) -> anyhow::Result<u64> {
    let (at, token) = process.sign_in_link()?;
    let person = Person::sign_in_at(at, &token).await?;
    let path = format!("/api/data/transactions?workspaceId={}&limit=1", person.workspace);
    let page = Connection::open(at).await?.json(&person.get(&path)).await?;
    page["total"].as_u64().context("transactions without a total")
}

/// Starts a server and waits for its first healthy answer.
async fn start(
    setup: Setup<'_>,
    dir: &std::path::Path,
    options: &[&str],
) -> anyhow::Result<(Duration, Process)> {
    let port = free_port()?;
    let mut command = setup.command(dir, port, options);
    let began = Instant::now();
    let process = Process::start(&mut command)?;
    let health = request("GET", "/healthz", "", None);
    loop {
        ensure!(began.elapsed() < Duration::from_secs(30), "the server did not start");
        // It listens before it serves; the answer comes when it does.
        if let Ok(mut connection) = Connection::open(([127, 0, 0, 1], port).into()).await {
            ensure!(connection.skip(&health).await? == 200, "the server is not healthy");
            return Ok((began.elapsed(), process));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
