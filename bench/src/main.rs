//! Baton under load, compared with calling its model directly. `make bench` runs all of it; README.md explains the
//! figures.
//!
//! The load, the server and the fake model are one process each on the same machine, so compare figures within one
//! run, not between runs.

mod cpu;
mod crowd;
mod deletion;
mod fake_model;
mod growth;
mod handoff;
mod http;
mod import;
mod latency;
mod options;
mod process;
mod report;
mod requests;
mod shape;
mod sse;
mod start;
mod stop;
mod talk;
mod tools;

use anyhow::ensure;
use options::{Asked, Options, Part};
use process::{FakeModel, Setup, raise_file_limit};
use report::Report;
use shape::Shape;

/// One thread: the other core is for the server.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let files = raise_file_limit()?;
    match Asked::from_args(std::env::args().skip(1))? {
        Asked::Help => {
            print!("{}", options::USAGE);
            Ok(())
        }
        Asked::FakeModel(at) => fake_model::serve(at).await,
        Asked::Load(options) => load(&options, files).await,
    }
}

async fn load(options: &Options, files: u64) -> anyhow::Result<()> {
    let mut report = Report::default();
    let mut failed = Vec::new();
    for part in options.parts.iter().copied() {
        eprintln!("measuring: {}", part.name());
        // What the others found out is worth having.
        if let Err(error) = measure(part, options, files, &mut report).await {
            eprintln!("{}: {error:#}", part.name());
            failed.push(part.name());
        }
    }
    if let Some(path) = &options.json {
        report.write(path)?;
    }
    ensure!(failed.is_empty(), "could not be measured: {}", failed.join(", "));
    Ok(())
}

/// Processes are fresh for each part: what one once used it keeps.
async fn measure(part: Part, options: &Options, files: u64, report: &mut Report) -> anyhow::Result<()> {
    let model = FakeModel::start()?;
    let setup = |shape: Shape| Setup {
        binary: &options.server,
        shape,
        model_at: model.at,
        postgres: options.postgres.as_deref(),
    };
    let start = |shape| setup(shape).start();
    match part {
        // Starting on Postgres is mostly Postgres.
        Part::Start if options.postgres.is_some() => {}
        Part::Start => report.add("Start and rest", start::measure(setup(Shape::new(1, 0))).await?),
        Part::FirstToken => {
            let figures = latency::measure(&start(latency::SHAPE)?, &model, options.rounds(400)).await?;
            report.add("First token, one client", figures);
        }
        Part::Cpu => {
            let figures = cpu::measure(&start(cpu::SHAPE)?, &model, options.rounds(1_000)).await?;
            report.add("CPU of a turn of 20 pieces that come at once, in a new conversation", figures);
        }
        Part::Handoff => {
            let figures = handoff::measure(&start(handoff::SHAPE)?, &model, options.rounds(400)).await?;
            report.add("Handoff: one agent calls switch_agent, the next says 20 pieces at once", figures);
        }
        Part::Crowd => {
            for size in options.crowds.iter().copied() {
                // Two per stream on the server, and some for everything else.
                ensure!(
                    size as u64 * 2 + 200 < files,
                    "{size} streams need more open files than {files}: raise `ulimit -Hn`, or use --crowds"
                );
                let rounds = if size > 1_000 { 1 } else { options.rounds(3) };
                let figures = crowd::measure(&start(crowd::SHAPE)?, &model, size, rounds).await?;
                report.add(&format!("{size} streams of 50 pieces, one every 20 ms"), figures);
            }
        }
        Part::Stop => {
            let figures = stop::measure(&start(stop::SHAPE)?, &model, options.rounds(50)).await?;
            report.add("Stop", figures);
        }
        Part::Deletion => {
            let figures = deletion::measure(&start(deletion::SHAPE)?, options.load_time).await?;
            report.add("A workspace of 60,000 messages is deleted, another one works", figures);
        }
        Part::Growth => {
            let figures = growth::measure_turns(&start(growth::SHAPE)?).await?;
            report.add("One conversation that grows, turns of 20 pieces that come at once", figures);
            // What Postgres writes is not the server's.
            if options.postgres.is_some() {
                return Ok(());
            }
            let figures = growth::measure_calls(&start(growth::SHAPE)?).await?;
            report.add("One turn with many calls", figures);
        }
        Part::Requests => {
            let figures = requests::measure(&start(Shape::new(1, 0))?, options.load_time).await?;
            report.add("Requests, 32 clients", figures);
        }
        Part::Tools => {
            let figures = tools::measure(&start(tools::SHAPE)?, options.rounds(400)).await?;
            report.add("An agent that could use 200 tools and uses none, beside one without tools", figures);
        }
        Part::Import => {
            let figures = import::measure(&start(import::SHAPE)?, options.rows).await?;
            report.add(
                &format!("A file of {} transactions comes in, someone talks meanwhile", options.rows),
                figures,
            );
        }
    }
    Ok(())
}
