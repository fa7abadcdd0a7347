//! Benchmarks of the pure functions, each on made-up input of a known size. `scripts/bench pure` runs them;
//! bench/README.md explains the figures.

mod material;

use std::collections::{HashMap, HashSet};
use std::hint::black_box;

use baton_core::events::{Cursor, Event};
use baton_core::fold::Spoken;
use baton_core::ids::{AgentId, MessageId, TaskId};
use baton_core::prompt;
use baton_core::providers::WireFormat;
use baton_core::tape::{Tape, Voice};
use baton_engine::{Sight, frame, view};
use baton_models::{anthropic, openai, replay};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use material::{Talk, anthropic_stream, events, openai_stream, request, rules};

/// A call of 400 pieces whose readers are sent what is new after each third.
fn tape(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tape");
    group.throughput(Throughput::Elements(400));
    group.bench_function("400 pieces said, every third sent", |bench| {
        bench.iter(|| {
            let (mut tape, mut place, mut sent) = (Tape::default(), 0, 0);
            for piece in 0..400 {
                tape.say(Voice::Text, black_box("ten bytes "));
                if piece % 3 == 0 {
                    sent += tape.pieces_from(place).map_or(0, |pieces| pieces.len());
                    place = tape.len();
                }
            }
            tape.end_block();
            (tape, sent)
        });
    });
    group.finish();
}

fn frames(criterion: &mut Criterion) {
    let (message_id, agent_id) = (MessageId::new(), AgentId::new());
    let text =
        Event::Text { message_id, agent_id, content: "A few words of text. ".into(), is_complete: false };
    let cursor = Some(Cursor { seq: 12, off: 345 });
    criterion.bench_function("frame/text", |bench| bench.iter(|| frame(black_box(&text), cursor)));
}

fn views(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("view");
    for steps in [200, 2_000] {
        let talk = Talk::new(steps);
        let (offered, files) = (HashSet::from(["search".to_owned()]), HashMap::new());
        let log: Vec<_> = talk.log.iter().collect();
        let sight = Sight {
            log: &log,
            reader: talk.agent_id,
            task_id: TaskId::new(),
            model: "openai/some-model",
            prompt_hash: "",
            offered: &offered,
            files: &files,
        };
        group.throughput(Throughput::Elements(steps as u64));
        group.bench_function(format!("{steps} steps"), |bench| bench.iter(|| view(black_box(&sight))));
    }
    group.finish();
}

fn fold(criterion: &mut Criterion) {
    let (message_id, agent_id) = (MessageId::new(), AgentId::new());
    let events = events(1_000, message_id, agent_id);
    let mut group = criterion.benchmark_group("fold");
    group.throughput(Throughput::Elements(1_000));
    group.bench_function("1000 events", |bench| {
        bench.iter(|| {
            let mut spoken = Spoken::new(message_id, agent_id);
            black_box(&events).iter().for_each(|event| spoken.apply(event));
            spoken
        });
    });
    group.finish();
}

fn streams(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stream");
    for (name, wire, pieces) in [
        ("openai, 400 pieces", WireFormat::Openai, openai_stream(400)),
        ("anthropic, 400 pieces", WireFormat::Anthropic, anthropic_stream(400)),
    ] {
        assert!(replay(wire, &pieces).is_ok(), "the material is right");
        group.throughput(Throughput::Elements(400));
        group.bench_function(name, |bench| bench.iter(|| replay(wire, black_box(&pieces))));
    }
    group.finish();
}

fn requests(criterion: &mut Criterion) {
    let talk = Talk::new(200);
    let request = request(&talk);
    let mut group = criterion.benchmark_group("request body, 200 steps");
    group.bench_function("openai", |bench| {
        bench.iter(|| {
            openai::request::body(black_box(&request), openai::request::Dialect::Lookalike).to_string()
        });
    });
    group.bench_function("anthropic", |bench| {
        bench.iter(|| anthropic::request::body(black_box(&request)).to_string());
    });
    group.finish();
    let rules = rules(20);
    criterion.bench_function("standing prompt, 20 rules", |bench| {
        bench.iter(|| prompt::fixed_part(black_box("You are careful, brief and kind."), black_box(&rules)));
    });
}

criterion_group!(pure, tape, frames, views, fold, streams, requests);
criterion_main!(pure);
