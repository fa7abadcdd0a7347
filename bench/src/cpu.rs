//! How much processor time a turn costs, with one client and with many.

use std::time::Instant;

use anyhow::ensure;

use crate::http::Connection;
use crate::process::{FakeModel, Server};
use crate::report::{Figure, millis};
use crate::shape::Shape;
use crate::talk::{Person, direct, turn};

pub const SHAPE: Shape = Shape::new(20, 0);
const PART: &str = "cpu";
const WARM_UP: usize = 50;

pub async fn measure(server: &Server, model: &FakeModel, turns: usize) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    many(server.at, person.begin(), WARM_UP, 8).await?;
    let mut figures = Vec::new();
    for (clients, turns, goal) in [(1, turns, 1.5), (32, turns * 4, 0.6)] {
        let (before, began) = (server.process.cpu()?, Instant::now());
        many(server.at, person.begin(), turns, clients).await?;
        let (spent, took) = (server.process.cpu()? - before, began.elapsed());
        let (before, began) = (model.process.cpu()?, Instant::now());
        many(model.at, direct(SHAPE), turns, clients).await?;
        let (models, alone) = (model.process.cpu()? - before, began.elapsed());
        let each = |time| millis(time) / turns as f64;
        let at = if clients == 1 { "1 client".to_owned() } else { format!("{clients} clients") };
        // Beside it stands what the fake model spends on a call: the least a server can.
        figures.push(
            Figure::new(PART, format!("CPU per turn, {at}"), "ms", each(spent))
                .beside(each(models))
                .at_most(goal),
        );
        let rate = |time: std::time::Duration| turns as f64 / time.as_secs_f64();
        figures
            .push(Figure::new(PART, format!("turns a second, {at}"), "/s", rate(took)).beside(rate(alone)));
    }
    Ok(figures)
}

/// Asks the same, so often, from so many clients at once; every answer must be right.
async fn many(
    at: std::net::SocketAddr,
    question: Vec<u8>,
    turns: usize,
    clients: usize,
) -> anyhow::Result<()> {
    let question: std::sync::Arc<[u8]> = question.into();
    let workers: Vec<_> = (0..clients)
        .map(|client| {
            let question = question.clone();
            let share = turns / clients + usize::from(client < turns % clients);
            tokio::spawn(async move {
                let expected = SHAPE.text();
                let mut connection = Connection::open(at).await?;
                for _ in 0..share {
                    turn(&mut connection, &question, &expected).await?;
                }
                anyhow::Ok(share)
            })
        })
        .collect();
    let mut done = 0;
    for worker in workers {
        done += worker.await??;
    }
    ensure!(done == turns, "some turns were not made");
    Ok(())
}
