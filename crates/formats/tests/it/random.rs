//! Random input from a seed, and how a case is played again: a failure names its seed, and `BATON_SEED=<seed>` plays that
//! case alone. `BATON_PROPTEST_CASES` plays more of them than the normal run does.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use fastrand::Rng;

pub fn for_seeds(cases: u64, play: impl Fn(&mut Rng)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    if let Some(seed) = number("BATON_SEED") {
        return play(&mut Rng::with_seed(seed));
    }
    for seed in 0..number("BATON_PROPTEST_CASES").unwrap_or(cases) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| play(&mut Rng::with_seed(seed)))) {
            eprintln!("failed with BATON_SEED={seed}");
            resume_unwind(panic);
        }
    }
}

pub fn pick<'a, T: ?Sized>(dice: &mut Rng, from: &[&'a T]) -> &'a T {
    from[dice.usize(..from.len())]
}

/// A text made of pieces that mean something somewhere, and of any letters.
pub fn text(dice: &mut Rng, pieces: &[&str], length: usize) -> String {
    let mut text = String::new();
    for _ in 0..dice.usize(..=length) {
        match dice.u8(..8) {
            0 => text.push(dice.char(..)),
            1 => text.push(dice.char(' '..'~')),
            _ => text.push_str(pick(dice, pieces)),
        }
    }
    text
}

/// Real input with some of it changed, doubled, cut out or cut off.
pub fn mutated(dice: &mut Rng, input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..dice.usize(1..8) {
        if bytes.is_empty() {
            break;
        }
        let at = dice.usize(..bytes.len());
        let end = (at + dice.usize(..40)).min(bytes.len());
        match dice.u8(..5) {
            0 => bytes[at] = dice.u8(..),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            3 => bytes.truncate(at),
            _ => bytes.insert(at, dice.u8(..)),
        }
    }
    bytes
}
