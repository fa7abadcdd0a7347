//! Answers that lie in the conversation itself: what was just said, by whom, and what the person told earlier.

use super::clauses::{Clause, Mood, Topic, Verbs, clauses};
use super::lexicon::Act;
use super::quote::{is_german, quoted, told};
use super::scene::Scene;
use super::words::{shorten, words};

const SPEAKS: &[&str] = &[
    "say",
    "said",
    "ask",
    "asked",
    "tell",
    "told",
    "write",
    "wrote",
    "mention",
    "mentioned",
    "gesagt",
    "gefragt",
    "geschrieben",
    "erzählt",
];

/// "What did I just say?", "what was your last answer?", "what did I say about the budget?"
pub fn recalled(scene: &Scene<'_>, parts: &[Clause<'_>]) -> Option<String> {
    let [clause] = parts else { return None };
    let all: Vec<String> = words(clause.text).iter().map(|word| word.text.to_lowercase()).collect();
    let has = |names: &[&str]| all.iter().any(|word| names.contains(&word.as_str()));
    let line = all.join(" ");
    if ["repeat that", "say that again", "repeat please", "repeat"].contains(&line.as_str()) {
        return scene.said.map(|said| format!("I said:\n\n> {}", shorten(said, 600).replace('\n', "\n> ")));
    }
    let recaps = ["summarize", "summarise", "recap"].iter().any(|word| line.starts_with(word));
    let here = ["conversation", "chat", "so far", "this"].iter().any(|word| line.contains(word));
    if all.len() <= 10 && here && (recaps || (line.contains("so far") && has(&["i"]) && has(SPEAKS))) {
        return Some(recap(scene));
    }
    if !has(&["what", "what's", "which", "was"])
        || all.len() > 12
        || clause.mood != Mood::Question
        || !has(SPEAKS)
    {
        return None;
    }
    let spoken = |topic: &&Topic| !topic.weak && !SPEAKS.contains(&topic.text.to_lowercase().as_str());
    let about: Vec<&Topic> = clause.topics.iter().filter(spoken).collect();
    let mine = has(&["you", "du"]) && !has(&["i", "ich"]);
    match (mine, about.is_empty()) {
        (true, true) => Some(match scene.said {
            Some(said) => format!("I said:\n\n> {}", shorten(said, 600).replace('\n', "\n> ")),
            None => "I haven't said anything here yet.".to_owned(),
        }),
        (false, true) if has(&["i", "ich"]) => {
            let first = has(&["first", "beginning", "zuerst"]);
            let said = if first { scene.earlier.last() } else { scene.earlier.first() };
            Some(match said {
                Some(said) => format!("You said: {}", quoted(&shorten(said, 400))),
                None => "That was your first message here; you said nothing before it.".to_owned(),
            })
        }
        (false, false) => {
            let about: Vec<Topic> = about.into_iter().cloned().collect();
            said_before(scene, &about).map(|said| format!("You said: {}", quoted(&shorten(&said, 400))))
        }
        _ => None,
    }
}

fn recap(scene: &Scene<'_>) -> String {
    let said = scene
        .earlier
        .iter()
        .rev()
        .map(|said| format!("- {}", quoted(&shorten(&said.replace('\n', " "), 120))));
    let said: Vec<String> = said.collect();
    match said.is_empty() {
        true => "Nothing was said here before this.".to_owned(),
        false => format!("This is what you said here:\n\n{}", said.join("\n")),
    }
}

/// What the person told in this conversation about what they now ask.
pub fn told_before(scene: &Scene<'_>, parts: &[Clause<'_>]) -> Option<String> {
    let clause = parts.iter().find(|clause| clause.asks())?;
    let strong: Vec<Topic> = clause.topics.iter().filter(|topic| !topic.weak).cloned().collect();
    let said = said_before(scene, &strong)?;
    Some(if is_german(&said) { told(&said) } else { format!("You told me earlier: {}", told(&said)) })
}

/// The latest sentence of the person's that tells of all these.
fn said_before(scene: &Scene<'_>, topics: &[Topic]) -> Option<String> {
    if topics.is_empty() {
        return None;
    }
    let tells = |clause: &Clause<'_>| {
        let all = words(clause.text);
        let speaks = |topic: &Topic| all.iter().any(|word| word.concept == topic.concept);
        let kept = clause.act == Some(Act::Save) && !scene.plain_tools().any(|tool| tool.recalls());
        (clause.mood == Mood::Statement || kept) && topics.iter().all(speaks)
    };
    scene.earlier.iter().find_map(|message| {
        let parts = clauses(message, &Verbs::new());
        parts.iter().find(|clause| tells(clause)).map(|clause| clause.text.to_owned())
    })
}
