//! Everything that can happen to a conversation, in any order and at once, against the real server on the real
//! database: people switch, write, stop and decide, models hand off, take notes, fail and fall silent, the server is
//! killed. After each step the conversation must be in one of the states that the reference allows, and what is always
//! true must be true.
//!
//! Each case is made from a seed, and a failure names it: `BATON_SEED=<seed>` plays that case alone (which of two
//! things that happen at once comes first is not in the seed). `BATON_PROPTEST_CASES` plays more of them.

mod dice;
mod holds;
mod reference;
mod vendor;
mod world;

use dice::Dice;
use reference::{Answer, At, Decision, Op, State};
use world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_the_conversation_is_as_it_should_be() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let mut world = World::open().await;
    // Half a minute of them, on two cores.
    let few = if world.is_postgres() { 8 } else { 20 };
    let cases = number("BATON_PROPTEST_CASES").unwrap_or(few);
    let seeds = number("BATON_SEED").map_or(0..cases, |seed| seed..seed + 1);
    let mut steps = 0;
    for seed in seeds {
        println!("BATON_SEED={seed}");
        steps += play(&mut world, Dice::new(seed)).await;
    }
    println!("{steps} steps, {} requests, {} crashes", world.requests, world.crashes);
    world.close().await;
}

async fn play(world: &mut World, mut dice: Dice) -> usize {
    let kind = dice.kind();
    world.begin(kind).await;
    let mut possible = vec![State::new(kind)];
    let steps = dice.steps();
    for _ in 0..steps {
        let now = &possible[0];
        match dice.race(now) {
            Some((one, other)) => {
                println!("  {one:?} while {other:?}");
                world.race(&one, &other, dice.moment()).await;
                possible = world.settle(outcomes(&possible, &one, &other)).await;
            }
            None => {
                let op = dice.op(now);
                println!("  {op:?}");
                world.act(&op).await;
                possible = world.settle(distinct(possible.iter().map(|state| state.after(&op)))).await;
            }
        }
    }
    while let Some(turn) = &possible[0].turn {
        let op = match turn.at {
            At::Routing => Op::Reply(Answer::Route(None)),
            At::Speaking => Op::Reply(Answer::Text),
            At::Waiting { .. } => Op::Decide(Decision::Approve),
        };
        println!("  {op:?}");
        world.act(&op).await;
        possible = world.settle(distinct(possible.iter().map(|state| state.after(&op)))).await;
    }
    steps
}

/// What can come of two things at once: either is first, and of what is cut by a crash all or nothing has happened.
fn outcomes(possible: &[State], one: &Op, other: &Op) -> Vec<State> {
    distinct(possible.iter().flat_map(|state| {
        let mut all = vec![state.after(one).after(other), state.after(other).after(one)];
        if *other == Op::Crash {
            // It was lost, or what it began came through only afterwards.
            all.extend([state.after(other), state.after(one)]);
        }
        if let (Op::Reply(Answer::Fail | Answer::BreakOff), Op::Stop) = (one, other) {
            all.push(state.after_failing_stopped());
        }
        all
    }))
}

fn distinct(states: impl Iterator<Item = State>) -> Vec<State> {
    let mut all: Vec<State> = Vec::new();
    for state in states {
        if !all.contains(&state) {
            all.push(state);
        }
    }
    all
}
