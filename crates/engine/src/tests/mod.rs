//! Tests that need the engine's inside: properties over random logs, and simulations over random schedules.
//!
//! Each case is made from a seed, and a failure names it: `BATON_SEED=<seed> cargo test -p baton-engine <test>` plays
//! that case alone. `BATON_PROPTEST_CASES` plays more of them than the normal run does.

mod backend;
mod changed;
mod client;
mod cluster;
mod cluster_end;
#[path = "../../../store/tests/it/database.rs"]
mod database;
mod effects;
mod faults;
mod faulty_store;
mod handoffs;
mod kept_logs;
mod lease;
mod meanwhile;
mod memory_rows;
mod memory_store;
mod messages;
#[path = "../../../store/tests/it/proxy.rs"]
mod proxy;
mod random_commits;
mod random_log;
mod random_model;
mod random_replies;
mod random_text;
pub(crate) mod ready_agents;
mod real_backend;
mod real_house;
mod real_rows;
mod relay;
mod requests;
mod rooms;
mod rules;
mod same_answers;
mod scenes;
mod setbacks;
mod stage;
mod stops;
mod streams;
mod strict;
mod strict_anthropic;
mod strict_openai;
mod subtasks;
pub(crate) mod teams;
mod unanswered;
mod well_formed;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays every seed, on all cores; names the first that fails.
pub fn for_seeds(cases: u64, play: impl Fn(u64) + Sync) {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    if let Some(seed) = number("BATON_SEED") {
        return play(seed);
    }
    let cases = number("BATON_PROPTEST_CASES").unwrap_or(cases);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let (play, failed) = (&play, &AtomicBool::new(false));
    std::thread::scope(|scope| {
        let work = |first: u64| {
            for seed in (first..cases).step_by(threads as usize) {
                if failed.load(Ordering::Relaxed) {
                    return;
                }
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| play(seed))) {
                    failed.store(true, Ordering::Relaxed);
                    eprintln!("failed with BATON_SEED={seed}");
                    resume_unwind(panic);
                }
            }
        };
        let handles: Vec<_> = (0..threads).map(|first| scope.spawn(move || work(first))).collect();
        for handle in handles {
            if let Err(panic) = handle.join() {
                resume_unwind(panic);
            }
        }
    });
}
