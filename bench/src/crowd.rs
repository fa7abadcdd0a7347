//! Many streams that all begin in the same moment: through Baton, and as many directly from the model.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::process::{FakeModel, Server};
use crate::report::{Figure, Times, megabytes};
use crate::shape::Shape;
use crate::talk::{Person, direct, turn, turn_since};

pub const SHAPE: Shape = Shape::new(50, 20);
const PART: &str = "crowd";
const WARM_UP: usize = 10;
/// A stream that takes longer counts as an error.
const PATIENCE: Duration = Duration::from_secs(60);
/// What is left to do when the last stream has ended.
const SETTLE: Duration = Duration::from_millis(300);

/// What came of one crowd.
#[derive(Default)]
struct Crowd {
    ends: Vec<Duration>,
    errors: BTreeMap<String, usize>,
}

/// The server should be fresh: what it once used it keeps.
pub async fn measure(
    server: &Server,
    model: &FakeModel,
    size: usize,
    rounds: usize,
) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let mut connection = Connection::open(server.at).await?;
    for _ in 0..WARM_UP {
        // The first turns also fill caches.
        turn(&mut connection, &person.begin(), &SHAPE.text()).await?;
    }
    let idle = server.process.memory()?.resident;
    server.process.forget_peak()?;
    let (mut through, mut straight) = (Crowd::default(), Crowd::default());
    let (mut spent, mut models) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..rounds {
        let before = model.process.cpu()?;
        gather(model.at, direct(SHAPE), size, &mut straight).await?;
        models += model.process.cpu()? - before;
        let before = server.process.cpu()?;
        gather(server.at, person.begin(), size, &mut through).await?;
        spent += server.process.cpu()? - before;
    }
    let peak = server.process.memory()?.peak;
    for (word, crowd) in [("through Baton", &through), ("directly", &straight)] {
        for (error, count) in &crowd.errors {
            eprintln!("{size} streams {word}: {count} × {error}");
        }
    }
    Ok(figures(size, size * rounds, [&through, &straight], [spent, models], [idle, peak], server))
}

fn figures(
    size: usize,
    streams: usize,
    [through, straight]: [&Crowd; 2],
    [spent, models]: [Duration; 2],
    [idle, peak]: [u64; 2],
    server: &Server,
) -> Vec<Figure> {
    let figure = |name: &str, unit, baton| Figure::new(PART, format!("{size} streams: {name}"), unit, baton);
    let errors = |crowd: &Crowd| crowd.errors.values().sum::<usize>() as f64;
    let per_1000 = |time: Duration| time.as_secs_f64() * 1e3 / streams as f64;
    let (baton, alone) = (Times::new(through.ends.clone()), Times::new(straight.ends.clone()));
    let kilobytes = peak.saturating_sub(idle) as f64 / 1e3;
    let wrong = figure("errors", "", errors(through)).beside(errors(straight)).at_most(0.0);
    let p50 = figure("end, p50", "ms", baton.at(0.5)).beside(alone.at(0.5));
    let p99 = figure("end, p99", "ms", baton.at(0.99)).beside(alone.at(0.99));
    // Beside it, what the fake model spends.
    let cpu = figure("CPU per 1,000 streams", "s", per_1000(spent)).beside(per_1000(models));
    let memory = figure("peak memory", "MB", megabytes(peak));
    let each = figure("memory per open stream", "kB", kilobytes / size as f64);
    match size {
        1_000 if server.is_on_postgres() => {
            vec![wrong, p50.at_most_times(1.5), p99, cpu.at_most(1.2), memory, each]
        }
        1_000 => vec![
            wrong,
            p50.at_most_times(1.2),
            p99.at_most_times(1.4),
            cpu.at_most(0.8),
            memory.at_most(100.0),
            each,
        ],
        4_000 if !server.is_on_postgres() => vec![wrong, p50.at_most_times(1.5), p99, cpu, memory, each],
        _ => vec![wrong, p50, p99, cpu, memory, each],
    }
}

/// Begins so many streams at once and reads them all to their ends.
async fn gather(at: SocketAddr, question: Vec<u8>, size: usize, crowd: &mut Crowd) -> anyhow::Result<()> {
    let question: Arc<[u8]> = question.into();
    let expected: Arc<str> = SHAPE.text().into();
    let began = Instant::now();
    let streams: Vec<_> = (0..size)
        .map(|_| {
            let (question, expected) = (question.clone(), expected.clone());
            tokio::spawn(tokio::time::timeout(PATIENCE, async move {
                let mut connection = Connection::open(at).await?;
                turn_since(began, &mut connection, &question, &expected).await
            }))
        })
        .collect();
    for stream in streams {
        match stream.await? {
            Ok(Ok(turn)) => crowd.ends.push(turn.end),
            Ok(Err(error)) => *crowd.errors.entry(format!("{error:#}")).or_default() += 1,
            Err(_) => *crowd.errors.entry("took too long".to_owned()).or_default() += 1,
        }
    }
    tokio::time::sleep(SETTLE).await;
    Ok(())
}
