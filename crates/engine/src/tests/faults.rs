//! The simulation on a real database that fails: on SQLite, or with `BATON_TEST_ENGINE=postgres` on Postgres. Random
//! numbers decide what is done and what breaks. When things happen depends on the machine, so two runs of one seed are
//! alike but not the same.
//!
//! It runs for `BATON_FAULT_SECONDS`. `BATON_SEED` plays only one seed, again and again for as long.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::cluster::Cluster;
use super::faulty_store::Notes;
use super::real_backend::RealBackend;

const SECONDS: u64 = 30;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

struct ToldIfWrong(Arc<Notes>);

impl Drop for ToldIfWrong {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.print();
        }
    }
}

fn play(seed: u64) {
    let mut dice = Rng::with_seed(seed);
    let (backend, cast) = RealBackend::new(&mut dice);
    let _notes = ToldIfWrong(backend.notes.clone());
    let nodes = dice.usize(1..=backend.most_nodes());
    Cluster::on(backend.clone(), cast, nodes, dice).play();
    backend.end();
}

#[test]
fn turns_survive_a_database_that_fails() {
    // Shown by the test runner if it fails.
    let _ = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_test_writer().try_init();
    let ends = Instant::now() + Duration::from_secs(number("BATON_FAULT_SECONDS").unwrap_or(SECONDS));
    let first = number("BATON_SEED");
    let mut played = 0;
    while Instant::now() < ends {
        let seed = first.unwrap_or(played);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| play(seed))) {
            eprintln!("failed with BATON_SEED={seed}");
            resume_unwind(panic);
        }
        played += 1;
    }
    println!("{played} schedules");
}
