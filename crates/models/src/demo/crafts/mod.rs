//! Work that a demo can do with what it was handed: plain texts built from the facts, with nothing made up. What an agent
//! does is told by its prompt, and what it has by the names of the facts.

mod mail;
mod tender;
mod ticket;
mod translation;

pub use tender::draft;

use super::clauses::{Clause, Mood};
use super::render;
use super::scene::Scene;
use super::words::{concept, name_words, shorten, words};

/// What an agent is for stands at the beginning of its prompt.
const HEAD: usize = 400;

/// The work on what was handed over, unless it is done already.
pub fn work(scene: &Scene<'_>, said: &[Clause<'_>]) -> Option<String> {
    let asks = said.iter().any(|clause| clause.mood == Mood::Question);
    // What is asked is answered first.
    if !scene.context.handed || (asks && scene.said.is_some()) {
        return None;
    }
    translation::given_back(scene).or_else(|| ticket::noted(scene)).or_else(|| mail::drafted(scene))
}

/// Whether the prompt speaks of this before anything else.
fn is_about(scene: &Scene<'_>, meaning: &str) -> bool {
    let head = shorten(scene.standing, HEAD);
    words(&head).iter().any(|word| word.concept == concept(meaning))
}

/// A fact by the words of its name.
fn fact(scene: &Scene<'_>, name: &[&str]) -> Option<String> {
    let (_, value) = scene.context.data.iter().find(|(key, _)| name_words(key) == name)?;
    Some(render::plain(value)).filter(|text| !text.trim().is_empty())
}

/// Whether I said this before.
fn has_said(scene: &Scene<'_>, mark: &str) -> bool {
    scene.said.is_some_and(|said| said.contains(mark))
        || scene.history.iter().any(|(said, _)| said.contains(mark))
}

/// What I am, where nobody has said so yet.
fn once(scene: &Scene<'_>) -> &'static str {
    match scene.introduced {
        true => "",
        false => {
            " I'm Baton's demo model: this comes from a pattern, and a full model would write it freely."
        }
    }
}
