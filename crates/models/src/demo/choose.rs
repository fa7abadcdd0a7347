//! Choosing a tool for a clause: how much of what is asked a tool's texts speak of, with a clear margin to the next.

use std::collections::HashMap;

use super::clauses::{Clause, Mood};
use super::lexicon::Act;
use super::offer::{Bag, Kind, Offered};
use super::params::Wants;
use super::words::{act_of, concept, is_general};
use super::zones::zones_in;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fit {
    /// To compare with others: what many speak of counts less.
    pub score: f32,
    /// By itself.
    pub strength: f32,
    /// The words that matched, as the person said them.
    pub hits: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    Nothing,
    Tool {
        at: usize,
        fit: Fit,
    },
    /// Two that fit alike.
    Unsure(usize, usize),
}

const MARGIN: f32 = 1.15;
/// A meaning counts as spoken of from here; less is a mention in passing.
const SPOKEN: f32 = 0.45;
const IN_NAME: f32 = 2.5;
/// What it is worth that a bag speaks of the very verb.
pub const VERB: f32 = 3.0;
/// What it is worth that an action such as `create_task` says the verb and its object.
const NAMED_ACTION: f32 = 2.5;

pub fn choose(clause: &Clause<'_>, tools: &[Offered<'_>]) -> Choice {
    if matches!(clause.mood, Mood::SmallTalk | Mood::Statement | Mood::Refusal) {
        return Choice::Nothing;
    }
    let mut common: HashMap<&str, f32> = HashMap::new();
    for tool in tools.iter().filter(|tool| tool.kind == Kind::Plain) {
        for meaning in tool.bag.keys() {
            *common.entry(meaning).or_default() += 1.0;
        }
    }
    let mut fits: Vec<(usize, Fit)> = tools
        .iter()
        .enumerate()
        .filter(|(_, tool)| tool.kind == Kind::Plain && may_do(clause, tool))
        .filter_map(|(at, tool)| tool_fit(clause, tool, &common).map(|fit| (at, fit)))
        .collect();
    fits.sort_by(|left, right| right.1.score.total_cmp(&left.1.score));
    let mut fits = fits.into_iter();
    match (fits.next(), fits.next()) {
        (None, _) => Choice::Nothing,
        (Some((at, fit)), Some((next, second))) if fit.score < second.score * MARGIN => {
            // Reading twice harms nobody; what is written must be meant.
            if clause.asks() { Choice::Tool { at, fit } } else { Choice::Unsure(at, next) }
        }
        (Some((at, fit)), _) => Choice::Tool { at, fit },
    }
}

/// A question doesn't write, an order to write doesn't read.
fn may_do(clause: &Clause<'_>, tool: &Offered<'_>) -> bool {
    let acts = tool.acts();
    if acts.is_empty() {
        return true;
    }
    match clause.act {
        Some(act) if act.reads() => acts.iter().any(|act| act.reads()),
        Some(act) => acts.contains(&act) || acts.iter().any(|own| !own.reads()),
        None if clause.mood == Mood::Question => acts.iter().any(|act| act.reads()),
        None => true,
    }
}

fn tool_fit(clause: &Clause<'_>, tool: &Offered<'_>, common: &HashMap<&str, f32>) -> Option<Fit> {
    let verb_hit = does_it(clause, &tool.bag);
    if verb_hit
        && clause.act == Some(Act::Save)
        && clause.topics.iter().filter(|topic| !topic.weak).count() < 2
    {
        // "Keep going", "save it": nothing that could be kept.
        let says_number = clause.topics.iter().any(|topic| topic.weak);
        if !says_number && !clause.body.contains([':', '"']) {
            return None;
        }
    }
    let by_verb = || verb_hit.then(|| Fit { hits: clause.verb.iter().cloned().collect(), ..Fit::default() });
    let mut fit = fit(clause, &tool.bag, common).or_else(by_verb)?;
    if verb_hit {
        fit.score += VERB;
    }
    match (tool.own_act(), clause.act) {
        (Some(own), Some(asked)) if own == asked => fit.score += 1.5,
        (Some(own), Some(asked)) if own.reads() != asked.reads() => return None,
        (Some(_), Some(_)) => fit.score -= 0.5,
        _ => {}
    }
    // A place that the tool takes is no topic beside its own.
    let takes_zone = tool.params.iter().any(|param| param.wants == Wants::Zone);
    let places: String = if takes_zone { place_words(clause.text) } else { String::new() };
    let strong = clause.topics.iter().filter(|topic| !topic.weak && !places.contains(&topic.text));
    let (mut all, mut hit, mut in_name) = (0.0, 0.0, false);
    for topic in strong {
        let weight = tool.bag.get(&topic.concept).copied().unwrap_or_default();
        all += 1.0;
        hit += f32::from(u8::from(weight >= SPOKEN));
        in_name |= weight >= IN_NAME;
    }
    let coverage = if all > 0.0 { hit / all } else { 0.0 };
    let object_hit = clause
        .object
        .as_ref()
        .is_none_or(|object| tool.bag.get(object).is_some_and(|weight| *weight >= SPOKEN));
    let named_action = names_action(clause, tool);
    if named_action {
        fit.score += NAMED_ACTION;
    }
    // Another agent is asked where the person says so, or where nobody here can do it.
    if tool.asks_another() && !verb_hit {
        fit.score *= 0.5;
    }
    let fits = verb_hit
        || named_action
        || (in_name && (coverage >= 0.4 || (object_hit && coverage >= 0.15)))
        || (hit >= 2.0 && coverage >= 0.4 && fit.strength >= 2.0)
        || (coverage >= 0.6 && fit.strength >= 1.4);
    fits.then_some(fit)
}

fn place_words(text: &str) -> String {
    zones_in(text).into_iter().map(|(_, start, end)| &text[start..end]).collect::<Vec<_>>().join(" ")
}

fn names_action(clause: &Clause<'_>, tool: &Offered<'_>) -> bool {
    let choices = tool.action().map(|(_, param)| param.choices.as_slice()).unwrap_or_default();
    let (Some(act), Some(object)) = (clause.act, &clause.object) else { return false };
    choices.iter().any(|choice| match choice.words.as_slice() {
        [verb, nouns @ ..] => act_of(verb) == Some(act) && nouns.iter().any(|noun| concept(noun) == *object),
        [] => false,
    })
}

/// Whether a bag speaks of the clause's own verb, where that says something.
pub fn does_it(clause: &Clause<'_>, bag: &Bag) -> bool {
    let verb = clause.verb.as_deref().filter(|verb| !is_general(verb)).map(concept);
    verb.is_some_and(|verb| bag.get(&verb).is_some_and(|weight| *weight >= 1.2))
}

/// How much of a clause's topics a bag speaks of. A word that many bags hold counts less.
pub fn fit(clause: &Clause<'_>, bag: &Bag, common: &HashMap<&str, f32>) -> Option<Fit> {
    let (mut score, mut strength) = (0.0, 0.0);
    let mut hits = Vec::new();
    let mut concepts = Vec::new();
    for topic in &clause.topics {
        let weight = bag.get(&topic.concept).copied().unwrap_or_default();
        if weight < SPOKEN {
            continue;
        }
        let share = common.get(topic.concept.as_str()).copied().unwrap_or(1.0).max(1.0).sqrt();
        let weight = weight * if topic.weak { 0.3 } else { 1.0 };
        score += weight / share;
        strength += weight;
        hits.push(topic.text.clone());
        concepts.push(&topic.concept);
    }
    // "My budget review" is about a review: a thing that only knows budgets has nothing to say about it.
    let outside = concepts.iter().any(|concept| !clause.own_thing.contains(concept));
    let head = clause.own_thing.last();
    let knows_head = head.is_none_or(|head| bag.get(head).is_some_and(|weight| *weight >= SPOKEN));
    let finds_first = matches!(clause.act, Some(Act::Change | Act::Remove));
    let wrong_thing = (clause.asks() || finds_first) && !outside && !knows_head;
    (!hits.is_empty() && !wrong_thing).then_some(Fit { score, strength, hits })
}
