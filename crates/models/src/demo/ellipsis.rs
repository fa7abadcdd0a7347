//! Messages that only say what is different: "And in Tokyo?" after the time was asked for. They are read as the earlier
//! question with the new value in it.

use super::clauses::{Clause, Mood, Verbs, clauses};
use super::dates::days;
use super::keep;
use super::lexicon::Act;
use super::moods::is_small_talk;
use super::offer::{Kind, Offered};
use super::params::Wants;
use super::quote::has_verb;
use super::reply::Planned;
use super::scene::Scene;
use super::vain;
use super::values::names_after;
use super::words::{Word, words};
use super::zones::zone_in;

/// Whether a message opens as one that goes on with the question before.
pub fn goes_on(asked: &str) -> bool {
    rest(asked).is_some()
}

/// What follows "and", "what about", "how about".
fn rest(asked: &str) -> Option<&str> {
    // "Thanks, and in Mumbai?"
    let asked = match asked.split_once(',') {
        Some((thanks, after)) if is_small_talk(&words(thanks)) && !thanks.trim().is_empty() => {
            after.trim_start()
        }
        _ => asked,
    };
    let all = words(asked.get(..120).unwrap_or(asked));
    let lower = |at: usize| all.get(at).map(|word| word.text.to_lowercase()).unwrap_or_default();
    let skip = match (lower(0).as_str(), lower(1).as_str()) {
        ("and" | "und", "what" | "how") if lower(2) == "about" => 3,
        ("what" | "how", "about") => 2,
        ("and" | "und", _) => 1,
        _ => return None,
    };
    let rest = &asked[all.get(skip)?.start..];
    (all.len() <= skip + 5).then_some(rest)
}

/// The earlier question with what this message says in place of its like.
pub fn completed(scene: &Scene<'_>, earlier: &str) -> Option<String> {
    let new = rest(&scene.asked).unwrap_or(&scene.asked).trim_end_matches(['?', '!', '.', ' ']);
    if words(new).len() > 5 || new.is_empty() || earlier.len() > 300 {
        return None;
    }
    let place = |text: &str| {
        let named = || names_after(text, &["in", "at", "for", "near"]).map(|(_, start, end)| (start, end));
        zone_in(text).map(|(_, start, end)| (start, end)).or_else(named)
    };
    let day = |text: &str| days(text, None).first().map(|day| (day.start, day.end));
    let new_place = place(new);
    // Without an opening that says so, only a bare value goes on with what was asked.
    let covers = |(start, end): (usize, usize)| {
        let leads = ["in", "at", "for", "on", "the", "am", "um", "now", "please", "then"];
        let led = |word: &Word<'_>| leads.contains(&word.lower.as_str());
        words(new).iter().all(|word| led(word) || (word.start >= start && word.end() <= end))
    };
    if !goes_on(&scene.asked) && !new_place.or_else(|| day(new)).is_some_and(covers) {
        return None;
    }
    let (old, new) = match (new_place, day(new)) {
        (Some((start, _)), _) => (place(earlier), format!("in {}", &new[start..])),
        (None, Some((start, _))) => (day(earlier), new[start..].to_owned()),
        (None, None) => return None,
    };
    let (before, after) = match old {
        Some((start, end)) => (&earlier[..start], &earlier[end..]),
        None => (earlier, ""),
    };
    let before = before.trim_end().trim_end_matches('?');
    let before = before.strip_suffix(" in").or_else(|| before.strip_suffix(" for")).unwrap_or(before);
    Some(format!("{before} {new}{}", after.trim_end()).trim_end_matches('?').to_owned() + "?")
}

/// "I sing on Tuesdays. Please remember that.": what the pronoun stands for is put in its place.
pub fn resolved(scene: &Scene<'_>) -> Option<String> {
    agreed(scene).or_else(|| supplied(scene)).or_else(|| forgets(scene)).or_else(|| keeps(scene))
}

fn keeps(scene: &Scene<'_>) -> Option<String> {
    if scene.asked.len() > 600 {
        return None;
    }
    // "I like tea, remember it", "I like tea, please remember"
    if let Some((told, tail)) = scene.asked.rsplit_once(',')
        && clauses(tail, &Verbs::new()).first().is_some_and(|tail| {
            tail.act == Some(Act::Save) && (points(tail.body) || words(tail.body).len() == 1)
        })
        && clauses(told, &Verbs::new()).iter().all(|clause| clause.mood == Mood::Statement)
    {
        return Some(format!("Remember this: {}", told.trim()));
    }
    let parts = clauses(&scene.asked, &Verbs::new());
    let order = parts.iter().find(|clause| clause.act == Some(Act::Save))?;
    let before: Vec<&Clause<'_>> = parts.iter().take_while(|clause| clause.text != order.text).collect();
    let told = before.iter().filter(|clause| tells(clause)).map(|clause| clause.body).next_back();
    if points(order.body) {
        // A question is nothing to keep, and neither is an order.
        let earlier =
            || scene.earlier.first().filter(|text| text.len() < 400).and_then(|text| statement(text));
        let told = told.map(str::to_owned).or_else(earlier)?;
        return Some(format!("Remember this: {}", told.trim()));
    }
    // "I'm Tom. Remember my name": what it is was said a moment ago.
    let thing = order.body.split_once(' ').map(|(_, thing)| thing.trim_end_matches(['.', '!', ' ']))?;
    told.filter(|_| keep::only_names(thing)).map(|told| kept_of(thing, told))
}

/// Whether something is said of something, be it after a greeting: "Hi, I'm Tom".
fn tells(clause: &Clause<'_>) -> bool {
    clause.mood == Mood::Statement
        || (clause.mood == Mood::SmallTalk && has_verb(clause.body) && clause.body != clause.text)
}

/// The whole of a message that only tells.
fn statement(text: &str) -> Option<String> {
    let parts = clauses(text, &Verbs::new());
    let spoken = parts.iter().filter(|clause| clause.mood != Mood::SmallTalk || tells(clause));
    let told: Vec<&str> = spoken.clone().filter(|clause| tells(clause)).map(|clause| clause.body).collect();
    (!told.is_empty() && told.len() == spoken.count()).then(|| told.join(" "))
}

/// What a yes to "Shall I remember that?" orders. What took something back still does.
fn agreed(scene: &Scene<'_>) -> Option<String> {
    scene.said.filter(|said| said.contains("Shall I remember"))?;
    let first = words(&scene.asked).first().map(|word| word.lower.clone())?;
    let told = scene.earlier.first()?;
    if !["yes", "yep", "sure", "please", "ja", "ok", "okay"].contains(&first.as_str()) {
        return None;
    }
    let corrects = clauses(told, &Verbs::new()).first().is_some_and(keep::corrects);
    let said = statement(told).unwrap_or_else(|| told.clone());
    Some(if corrects { format!("Actually, remember this: {said}") } else { format!("Remember this: {said}") })
}

/// What was asked for about a thing that was only named: "Tom" to "remember my name".
fn supplied(scene: &Scene<'_>) -> Option<String> {
    scene.said.filter(|said| said.contains(vain::WHAT))?;
    let parts = clauses(&scene.asked, &Verbs::new());
    let told = |clause: &Clause<'_>| matches!(clause.mood, Mood::Fragment | Mood::Statement);
    if parts.is_empty() || !parts.iter().all(told) || scene.asked.len() > 400 {
        return None;
    }
    let order =
        clauses(scene.earlier.first()?, &Verbs::new()).into_iter().find(|one| one.act == Some(Act::Save))?;
    let all = words(order.body);
    let verb = all.iter().skip(1).take_while(|word| word.lower.is_empty()).last().or(all.first())?;
    Some(kept_of(order.body[verb.end()..].trim().trim_end_matches(['.', '!', '?']), &scene.asked))
}

/// A thing and what was said of it as one note; what names the thing itself stands alone.
fn kept_of(thing: &str, told: &str) -> String {
    let told = told.trim().trim_end_matches('.');
    let all = words(told);
    let spoken = words(thing)
        .iter()
        .filter(|word| !word.stop)
        .all(|word| all.iter().any(|other| other.concept == word.concept));
    if spoken { format!("Remember this: {told}") } else { format!("Remember this: {thing}: {told}") }
}

/// A verb and a pronoun, and nothing else.
fn points(text: &str) -> bool {
    let pronouns = ["that", "this", "it", "das", "es"];
    let all = words(text);
    let (mut rest, short) = (all.iter().skip(1), all.len() <= 4);
    short && all.iter().any(|word| pronouns.contains(&word.lower.as_str())) && rest.all(|word| word.stop)
}

/// "Forget that": the note of what was said before.
fn forgets(scene: &Scene<'_>) -> Option<String> {
    if scene.asked.len() > 60 {
        return None;
    }
    let all = words(&scene.asked);
    let verb = all.iter().find(|word| !word.stop).filter(|word| word.act() == Some(Act::Remove))?;
    if !points(&scene.asked[verb.start..]) {
        return None;
    }
    let parts = clauses(scene.earlier.first()?, &Verbs::new());
    let told = parts.iter().find(|clause| clause.act == Some(Act::Save) || clause.mood == Mood::Statement)?;
    let own_verb = |text: &str| words(text).first().is_some_and(|word| word.act() == Some(Act::Save));
    let start = words(told.body).get(1).filter(|_| own_verb(told.body)).map_or(0, |word| word.start);
    let about = told.body[start..].trim_end_matches(['.', '!']).trim_start_matches("that ");
    Some(format!("{} the note: {about}", verb.text))
}

/// A message that is nothing but a time zone or its place, where one tool takes just that.
pub fn bare_zone(scene: &Scene<'_>) -> Option<Planned> {
    let asked = scene.asked.trim().trim_end_matches(['?', '!', '.']);
    let (zone, ..) = zone_in(asked).filter(|(_, start, end)| *start == 0 && *end == asked.len())?;
    let takes = |tool: &&Offered<'_>| {
        tool.kind == Kind::Plain
            && tool.params.iter().any(|param| param.wants == Wants::Zone)
            && tool.params.iter().all(|param| param.wants == Wants::Zone || !param.required)
            && tool.acts().iter().all(|act| act.reads())
    };
    let tool = scene.tools.iter().find(takes)?;
    let param = tool.params.iter().find(|param| param.wants == Wants::Zone)?;
    let arguments = [(param.name.clone(), zone.into())].into_iter().collect();
    Some(Planned { name: tool.spec.name.clone(), arguments })
}
