//! Which of the things found is the one meant. Something is changed or removed only where that is sure: all that the
//! person named occurs in it, and in nothing else. Otherwise they are asked, and their reply narrows it down.

use serde_json::Value;

use super::clauses::{Clause, Mood, Verbs, clauses, is_weak, plain};
use super::keep::is_note_word;
use super::lexicon::{Act, GENERIC};
use super::offer::Offered;
use super::params::Param;
use super::quote::quoted;
use super::render;
use super::reply::Planned;
use super::results::{text_of, title_of};
use super::scene::Scene;
use super::words::{Word, concept, name_words, shorten, words};

/// The end of every question about which of several is meant, by which its reply is known.
pub const WHICH: &str = "Which one do you mean?";
const ALL: &[&str] = &["all", "both", "every", "everything", "alle", "alles", "beide"];
/// What may stand beside "everything" without narrowing it.
#[rustfmt::skip]
const EVERYTHING: &[&str] = &[
    "me", "my", "mine", "myself", "i", "we", "us", "our", "you", "your", "have", "know", "remember", "remembered",
    "noted", "saved", "stored", "kept", "told", "said", "ever", "of", "about", "in", "the", "that", "from", "please",
    "now", "right", "away", "mich", "mir", "meine", "über", "von", "du", "weißt", "was", "bitte", "ich", "dir", "hast",
];
const NONE: &[&str] =
    &["none", "neither", "no", "nothing", "cancel", "stop", "nevermind", "keine", "nein", "okay"];
#[rustfmt::skip]
const ORDINALS: &[(&str, usize)] = &[
    ("first", 0), ("1", 0), ("1st", 0), ("erste", 0), ("second", 1), ("2", 1), ("2nd", 1), ("zweite", 1),
    ("third", 2), ("3", 2), ("3rd", 2), ("fourth", 3), ("4", 3), ("fifth", 4), ("5", 4),
];

/// The words by which an order names its thing, without the verb and what any such thing is called.
pub fn named(tool: &Offered<'_>, clause: &Clause<'_>, call: &Planned) -> Vec<String> {
    let from = usize::from(clause.verb.is_some());
    let all = words(clause.body);
    let body = all.iter().skip(from).filter(|word| !word.stop && !word.lower.is_empty());
    // "All my data" is data in general; "all about my data" is not.
    let about = all.iter().find(|word| ["about", "regarding", "über"].contains(&word.lower.as_str()));
    let about = about.map_or(clause.body.len(), |word| word.start);
    let each = wants_all(clause);
    let generic = |word: &Word<'_>| each && word.start < about && GENERIC.contains(&plain(&word.lower));
    let names: Vec<&Word<'_>> = match tool.recalls() {
        true => body.filter(|word| !is_note_word(tool, &word.lower) && !generic(word)).collect(),
        false => {
            // Beside what names a record stand the new values and what they are values of.
            let values: Vec<String> = call.arguments.values().flat_map(spoken).collect();
            let labels: Vec<String> = tool.params.iter().flat_map(Param::concepts).collect();
            let says = |word: &&Word<'_>| {
                !tool.is_own_word(&word.concept) && !is_weak(&word.lower) && !labels.contains(&word.concept)
            };
            body.filter(says).filter(|word| !values.contains(&word.concept) && !generic(word)).collect()
        }
    };
    let mut said: Vec<String> = Vec::new();
    for word in names {
        if !said.iter().any(|other| concept_of(other) == word.concept) {
            said.push(plain(word.text).to_owned());
        }
    }
    said
}

fn spoken(value: &Value) -> Vec<String> {
    value.as_str().map(|text| words(text).into_iter().map(|word| word.concept).collect()).unwrap_or_default()
}

fn concept_of(text: &str) -> String {
    concept(&text.to_lowercase())
}

/// "Forget everything about …": the word stands right after the verb; "forget that we all like tea" means one thing.
pub fn wants_all(clause: &Clause<'_>) -> bool {
    words(clause.body).iter().skip(1).take(2).any(|word| is_all(word))
}

/// Whether nothing narrows an order about all: "everything you know about me", but not "everything about her", "all but
/// the tea", "everything else".
pub fn is_everything(tool: &Offered<'_>, clause: &Clause<'_>) -> bool {
    let general = |word: &Word<'_>| {
        let lower = word.text.to_lowercase();
        is_all(word)
            || EVERYTHING.contains(&plain(&lower))
            || GENERIC.contains(&lower.as_str())
            || is_note_word(tool, &lower)
    };
    words(clause.body).iter().skip(1).all(general)
}

/// Whether an order about all leaves something out.
pub fn excepts(clause: &Clause<'_>) -> bool {
    let except = ["except", "but", "besides", "without", "not", "other", "else", "außer", "ohne", "nicht"];
    words(clause.body).iter().any(|word| except.contains(&word.text.to_lowercase().as_str()))
}

fn is_all(word: &Word<'_>) -> bool {
    ALL.contains(&word.text.to_lowercase().as_str())
}

/// "Both", "delete all of them", but not "all right, Bob's".
fn says_all(answer: &str) -> bool {
    let all = words(answer);
    let only = |word: &Word<'_>| word.stop || is_all(word) || word.act() == Some(Act::Remove);
    all.iter().any(is_all) && all.iter().all(only)
}

/// Those in which all of the words occur; the very one that bears them as its name comes before others.
pub fn fitting<'i>(items: &'i [Value], named: &[String]) -> Vec<&'i Value> {
    let meanings: Vec<String> = named.iter().map(|word| concept_of(word)).collect();
    let holds = |item: &&Value| {
        let all = meanings_of(item);
        !meanings.is_empty() && meanings.iter().all(|meaning| all.contains(meaning))
    };
    let found: Vec<&Value> = items.iter().filter(holds).collect();
    let bears = |item: &&&Value| {
        let name = title_of(item).unwrap_or_default();
        let name = words(name.rsplit('/').next().unwrap_or(name));
        name.len() == meanings.len() && name.iter().all(|word| meanings.contains(&word.concept))
    };
    let by_name: Vec<&Value> = found.iter().filter(bears).copied().collect();
    if by_name.len() == 1 { by_name } else { found }
}

fn meanings_of(item: &Value) -> Vec<String> {
    let text = match text_of(item) {
        Some(text) => format!("{} {text}", title_of(item).unwrap_or_default()),
        None => item.to_string(),
    };
    words(&text).into_iter().map(|word| word.concept).collect()
}

/// What the replies to "which one?" leave of several.
pub fn narrowed<'i>(found: Vec<&'i Value>, answers: &[String]) -> Vec<&'i Value> {
    answers.iter().fold(found, |found, answer| {
        let all = words(answer);
        let says = |names: &[&str]| all.iter().any(|word| names.contains(&word.text.to_lowercase().as_str()));
        if says_all(answer) {
            return found;
        }
        if says(&["last", "letzte"]) {
            return found.last().copied().into_iter().collect();
        }
        let content: Vec<&Word<'_>> = all.iter().filter(|word| !word.stop).collect();
        let holds = |item: &&Value| {
            let meanings = meanings_of(item);
            content.iter().all(|word| meanings.contains(&word.concept))
        };
        let held: Vec<&Value> = found.iter().copied().filter(holds).collect();
        let place = ORDINALS.iter().find(|(name, _)| says(&[name])).and_then(|(_, at)| found.get(*at));
        match place {
            Some(item) if held.is_empty() || held.len() == found.len() => vec![*item],
            _ => held,
        }
    })
}

pub fn answers_all(answers: &[String]) -> bool {
    answers.last().is_some_and(|answer| says_all(answer))
}

/// The question that stands between an order and several things it may mean.
pub fn which(found: &[&Value], things: &str) -> String {
    let lines: Vec<String> =
        found.iter().take(10).enumerate().map(|(at, item)| format!("{}. {}", at + 1, label(item))).collect();
    format!(
        "I have {} {things} that this fits:\n\n{}\n\n{WHICH} Nothing was changed yet.",
        found.len(),
        lines.join("\n")
    )
}

pub fn label(item: &Value) -> String {
    match (text_of(item), title_of(item)) {
        (Some(text), _) => quoted(&shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "), 160)),
        (None, Some(title)) => thing(title),
        (None, None) => render::plain(item),
    }
}

/// What a key names: "people/7/budget-review" the budget review. A digest at its end says nothing to people.
pub fn thing(key: &str) -> String {
    let mut named = name_words(key.rsplit('/').next().unwrap_or(key));
    let is_digest = |word: &String| {
        word.len() >= 8
            && word.chars().all(|c| c.is_ascii_hexdigit())
            && word.chars().any(|c| c.is_ascii_digit())
    };
    if named.len() > 1 && named.last().is_some_and(is_digest) {
        named.pop();
    }
    named.join(" ")
}

/// What a reply to "which one?" comes to.
pub enum Settled {
    /// The order, and all replies since, oldest first.
    Order(String, Vec<String>),
    Dropped,
}

pub fn settled(scene: &Scene<'_>) -> Option<Settled> {
    let asked_which = |said: &str| said.contains(WHICH);
    let (said, answer) = scene.history.last()?;
    if !asked_which(said) || answer.len() > 200 {
        return None;
    }
    let all = words(answer);
    let picks = |names: &[&str]| all.iter().any(|word| names.contains(&word.lower.as_str()));
    let parts = clauses(answer, &Verbs::new());
    let points =
        says_all(answer) || picks(&["one", "last"]) || ORDINALS.iter().any(|(name, _)| picks(&[name]));
    if all.len() <= 4 && picks(NONE) && !points {
        return Some(Settled::Dropped);
    }
    let removes = |clause: &Clause<'_>| clause.act == Some(Act::Remove) && points;
    let replies =
        |clause: &Clause<'_>| matches!(clause.mood, Mood::Fragment | Mood::Statement) || removes(clause);
    if !((points && parts.len() == 1) || parts.iter().all(replies)) {
        return None;
    }
    let order = scene.history.iter().rposition(|(said, _)| !asked_which(said))?;
    let answers = scene.history[order + 1..].iter().map(|(_, text)| text.clone()).collect();
    Some(Settled::Order(scene.history[order].1.clone(), answers))
}
