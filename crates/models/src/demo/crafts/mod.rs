//! Work that a demo can do with what it was handed: plain texts built from the facts, with nothing made up. What an agent
//! does is told by its prompt, and what it has by the names of the facts.

mod facts;
mod mail;
mod tender;
mod ticket;
mod translation;

pub use tender::draft;

use super::clauses::{Clause, Mood};
use super::params::Param;
use super::resume::resumes;
use super::scene::Scene;
use super::told::is_note;
use super::words::{concept, shorten, words};

/// What an agent is for stands at the beginning of its prompt.
const HEAD: usize = 400;

/// Whether the person has written to this agent, or whether there is only what was handed to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    New,
    None,
}

/// The work on what was handed over, unless it is done already.
pub fn work(scene: &Scene<'_>, said: &[Clause<'_>]) -> Option<String> {
    let asks = said.iter().any(|clause| clause.mood == Mood::Question);
    // What is asked is answered first.
    if !scene.context.handed || is_spoken_to(scene) || (asks && scene.said.is_some()) {
        return None;
    }
    let none = Words::None;
    translation::given_back(scene, none)
        .or_else(|| ticket::noted(scene, none))
        .or_else(|| mail::drafted(scene, none))
}

/// The work that the person's own message asks for; what was passed along only fills its gaps.
pub fn asked_for(scene: &Scene<'_>, said: &[Clause<'_>]) -> Option<String> {
    let asks = said.iter().any(|clause| clause.mood == Mood::Question);
    if !is_spoken_to(scene) {
        return None;
    }
    let others = || ticket::noted(scene, Words::New).or_else(|| mail::drafted(scene, Words::New));
    translation::given_back(scene, Words::New).or_else(|| others().filter(|_| !asks))
}

/// Whether the last message is the person's to this agent, and says something.
pub fn is_spoken_to(scene: &Scene<'_>) -> bool {
    !scene.just_handed && !is_note(&scene.asked) && resumes(&scene.asked).is_none()
}

/// Whether a tool on offer takes this: then it is somebody else's work.
fn is_anothers(scene: &Scene<'_>, key: &Param) -> bool {
    scene.tools.iter().any(|tool| tool.params.iter().any(|param| param.words == key.words))
}

/// Whether the prompt speaks of this before anything else.
fn is_about(scene: &Scene<'_>, meaning: &str) -> bool {
    let head = shorten(scene.standing, HEAD);
    words(&head).iter().any(|word| word.concept == concept(meaning))
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
