//! A timer for tests that run only where someone asks for them. It fails nothing: a read that misses its aim says so.

use std::time::{Duration, Instant};

/// Milliseconds that a read may take at p99.
pub const GOAL: f64 = 50.0;
/// So many that the slowest two of a hundred are not the slowest of all.
pub const ROUNDS: usize = 200;

/// Prints how long it takes, by many rounds.
pub async fn time(what: &str, mut run: impl AsyncFnMut(usize)) {
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let began = Instant::now();
        run(round).await;
        times.push(began.elapsed());
    }
    tell(what, times, None);
}

/// `refused`: why the read was refused; such a read took no time worth telling.
pub fn tell(what: &str, mut times: Vec<Duration>, refused: Option<String>) {
    if let Some(why) = refused {
        println!("{:>31}  {what}: {why}", "refused");
        return;
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_micros() as f64 / 1_000.0;
    let missed = if at(99) <= GOAL { "" } else { "  missed" };
    println!("{:8.2} ms p50 {:8.2} ms p99  {what}{missed}", at(50), at(99));
}
