//! The time to the first word with one client: directly from the model, through Baton in a new conversation, and
//! through Baton in an existing one. The three are measured in turns, so that all meet the same machine.

use anyhow::Context;

use crate::http::Connection;
use crate::process::{FakeModel, Server};
use crate::report::{Figure, Times};
use crate::shape::Shape;
use crate::talk::{Person, direct, turn};

pub const SHAPE: Shape = Shape::new(1, 0);
const PART: &str = "first token";
const WARM_UP: usize = 50;

pub async fn measure(server: &Server, model: &FakeModel, rounds: usize) -> anyhow::Result<Vec<Figure>> {
    let person = Person::sign_in(server).await?;
    let expected = SHAPE.text();
    let (question, begin) = (direct(SHAPE), person.begin());
    let mut to_model = Connection::open(model.at).await?;
    let mut to_baton = Connection::open(server.at).await?;
    let (mut directly, mut new, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..WARM_UP + rounds {
        let asked = turn(&mut to_model, &question, &expected).await?;
        let begun = turn(&mut to_baton, &begin, &expected).await?;
        let conversation = begun.conversation.context("no conversation was named")?;
        let again = turn(&mut to_model, &question, &expected).await?;
        let gone_on = turn(&mut to_baton, &person.go_on(&conversation), &expected).await?;
        if round >= WARM_UP {
            directly.extend([asked.first, again.first]);
            new.push(begun.first);
            known.push(gone_on.first);
        }
    }
    let (directly, new, known) = (Times::new(directly), Times::new(new), Times::new(known));
    let mut figures = Vec::new();
    let goal = |on_sqlite: f64| Some(if server.is_on_postgres() { 1.5 } else { on_sqlite });
    for (name, times, goal) in [("new conversation", &new, goal(1.5)), ("second message", &known, goal(0.8))]
    {
        for (word, share) in [("p50", 0.5), ("p99", 0.99)] {
            let (through, straight) = (times.at(share), directly.at(share));
            figures.push(
                Figure::new(PART, format!("{name}: first token, {word}"), "ms", through).beside(straight),
            );
            let added = Figure::new(PART, format!("{name}: added, {word}"), "ms", through - straight);
            figures.push(match goal.filter(|_| word == "p50") {
                Some(goal) => added.at_most(goal),
                None => added,
            });
        }
    }
    Ok(figures)
}
