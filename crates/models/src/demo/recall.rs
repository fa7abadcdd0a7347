//! What no tool's own subject fits: looked up in what remembers, knows or searches the web. Notes that are to change or
//! to go are found first.

use serde_json::{Map, Value};

use super::clauses::{Clause, Mood, plain};
use super::lexicon::Act;
use super::offer::Offered;
use super::params::{Choice, Param, Wants};
use super::plan::{Request, Step, Then, call};
use super::quote::is_foreign;
use super::reply::Planned;
use super::scene::Scene;
use super::words::{act_of, words};
use super::{keep, meant};

/// Verbs that are done to notes; others that remove mean the thing a note is about.
const FORGETS: &[&str] = &["forget", "delete", "remove", "erase", "clear", "lösche", "vergiss"];
/// Of what is searched for.
const MOST_WORDS: usize = 8;

pub fn look_it_up(scene: &Scene<'_>, request: &Request<'_>) -> Option<Step> {
    let unplaced = |clause: &&Clause<'_>| matches!(clause.act, Some(Act::Remove | Act::Change));
    if let Some(step) =
        request.clauses.iter().find(unplaced).and_then(|clause| of_notes(scene, request, clause))
    {
        return Some(step);
    }
    let clause = request.clauses.iter().find(|clause| clause.asks())?;
    of_clause(scene, request, clause)
}

/// One question, where something on offer may have its answer.
pub fn of_clause(scene: &Scene<'_>, request: &Request<'_>, clause: &Clause<'_>) -> Option<Step> {
    let tool = source(scene, clause)?;
    let why = format!("No tool is about this itself, so I look whether {} has it.", tool.human());
    let asked = Clause { act: Some(Act::Find), ..clause.clone() };
    Some(call(scene, request, &asked, tool, why))
}

/// Where a question may have its answer.
fn source<'s, 'a>(scene: &'s Scene<'a>, clause: &Clause<'_>) -> Option<&'s Offered<'a>> {
    let recall = || scene.plain_tools().find(|tool| tool.recalls());
    let pages = || scene.plain_tools().find(|tool| tool.searches("document"));
    let web = || scene.plain_tools().find(|tool| tool.searches("web"));
    let said = Said::of(clause.text);
    let named = clause.topics.iter().any(|topic| !topic.weak);
    if is_foreign(clause.text) {
        return None;
    }
    let asks = clause.mood == Mood::Question || (clause.act.is_some_and(Act::reads) && said.asks_inside());
    // "Show my budgets" wants the budgets themselves, not a note.
    let wants_things = clause.act == Some(Act::List) && clause.own_words.ends_with('s');
    match () {
        () if wants_things => pages(),
        () if said.wants_reasons() && !said.any(&["my", "mein", "meine"]) => web().or_else(pages),
        () if said.own() && (clause.mood != Mood::Fragment || named) => recall(),
        () if clause.mood == Mood::Fragment => None,
        () if said.known_to_me() => recall(),
        () if said.any(&["our", "ours", "we", "us"]) => pages().or_else(recall),
        () if said.any(&["you", "your", "du", "dein", "deine"]) || !named || !asks => None,
        // "Is this private?" asks about what is before us, which no note can know.
        () => web().or_else(pages).or_else(|| recall().filter(|_| !said.any(&["this", "it", "these"]))),
    }
}

/// A text in small letters, to ask for whole words.
struct Said(String);

impl Said {
    fn of(text: &str) -> Self {
        let spaced: String = text
            .to_lowercase()
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '\'' { c } else { ' ' })
            .collect();
        Self(format!(" {} ", spaced.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    fn any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.0.contains(&format!(" {word} ")))
    }

    /// About the person: what they have, said or are.
    fn own(&self) -> bool {
        self.any(&[
            "my", "mine", "did i", "about me", "do i", "am i", "have i", "i told", "i said", "told you",
            "was i", "mein", "meine", "meinen", "meinem", "meiner", "ich", "mich", "mir",
        ])
    }

    /// "What do you know about the flight?"
    fn known_to_me(&self) -> bool {
        self.any(&["you", "du"])
            && self.any(&["know", "remember", "noted", "saved", "stored", "weißt", "weisst", "kennst"])
    }

    /// "Tell me who Tom is", "look up the wifi password".
    fn asks_inside(&self) -> bool {
        self.any(&["about", "who", "what", "when", "where", "which", "find", "look up", "search", "recall"])
    }

    /// Reasons and recipes are no notes.
    fn wants_reasons(&self) -> bool {
        let old = ["how old", "how many", "how much", "how tall", "how long", "how big", "how far"];
        self.any(&["why", "warum"]) || (self.any(&["how"]) && !self.any(&old))
    }
}

/// An order about notes: "Change my budget review to Mondays", "Delete everything you know about me".
fn of_notes(scene: &Scene<'_>, request: &Request<'_>, clause: &Clause<'_>) -> Option<Step> {
    let tool = scene.plain_tools().find(|tool| tool.recalls())?;
    let said = Said::of(clause.text);
    let named = clause.topics.iter().any(|topic| !clause.is_verb_of(topic));
    // One changes a note's text; one sets an alarm and closes a door.
    let rewrites =
        ["change", "update", "correct", "edit", "replace", "rename", "modify", "correction", "ändere"];
    let verb = clause.verb.as_deref().unwrap_or_default();
    let fits = clause.act == Some(Act::Remove) || rewrites.contains(&verb);
    if !(said.own() || said.known_to_me() || (named && fits)) {
        return None;
    }
    let why = "No tool is about this itself, but I may have a note of it.".to_owned();
    match clause.act {
        Some(Act::Change) => amend(tool, clause, why),
        _ => Some(call(scene, request, clause, tool, why)),
    }
}

fn amend(tool: &Offered<'_>, clause: &Clause<'_>, why: String) -> Option<Step> {
    let (_, action) = tool.action()?;
    let write = choice_for(action, Act::Change).or_else(|| choice_for(action, Act::Save))?;
    let text = tool.params.iter().find(|param| param.wants == Wants::Body)?;
    let key = tool.params.iter().find(|param| is_key(param))?.name.clone();
    let arguments = [(action.name.clone(), write.value.clone())].into_iter().collect();
    let mut call = Planned { name: tool.spec.name.clone(), arguments };
    // "Update: my review is on Tuesdays" says the whole anew.
    if let Some(statement) = keep::restated(clause, tool) {
        call.arguments.insert(text.name.clone(), Value::String(statement.clone()));
        let found = correction(tool, action, call, statement, key)?;
        return Some(Step::Lookup {
            first: found.first,
            then: found.then,
            key: found.key,
            named: found.named,
            why,
        });
    }
    let Some((about, value)) = divided(clause.text) else {
        let own = !clause.own_words.is_empty();
        return own.then(|| Step::Ask("What should it be instead?".to_owned()));
    };
    let start = clause.text.len() - clause.body.len();
    let about = Clause { text: about, body: about.get(start..)?, ..clause.clone() };
    let named = meant::named(tool, &about, &call);
    let first = search(tool, action, &named)?;
    // "Change Berlin to Munich" names the old value itself, "change my address" the thing that has one.
    let old = about_of(about.text).filter(|_| clause.own_words.is_empty());
    let then = Then::Amend { call, text: text.name.clone(), old, value };
    Some(Step::Lookup { first, then, key, named, why })
}

fn about_of(order: &str) -> Option<String> {
    let all = words(order);
    let first = all.iter().skip(1).find(|word| !word.stop)?;
    Some(order[first.start..].trim().to_owned())
}

/// What is to change, and into what: "my budget review" and "Mondays".
fn divided(text: &str) -> Option<(&str, String)> {
    let at = [" to ", ": ", " auf ", " zu ", " into "]
        .iter()
        .filter_map(|mark| Some((text.rfind(mark)?, mark.len())));
    let (start, length) = at.max_by_key(|(at, _)| *at)?;
    let value = text[start + length..].trim().trim_end_matches(['.', '!', '?']);
    (!value.is_empty()).then(|| (&text[..start], value.to_owned()))
}

/// What has to be found before a call can be made.
pub struct Lookup {
    pub first: Planned,
    pub then: Then,
    pub key: String,
    pub named: Vec<String>,
}

/// The call that finds what a change or removal is about, where the tool can search and the key isn't known. So does a
/// note that corrects another, and one that says no more than what it would be about.
pub fn lookup(tool: &Offered<'_>, clause: &Clause<'_>, call: &Planned) -> Option<Lookup> {
    let (_, action) = tool.action()?;
    let chosen = call.arguments.get(&action.name)?;
    let act = action.choices.iter().find(|choice| choice.value == *chosen).and_then(act_for)?;
    if act == Act::Save && tool.recalls() {
        return of_kept(tool, action, clause, call);
    }
    if !matches!(act, Act::Remove | Act::Change) {
        return None;
    }
    let key = tool.params.iter().find(|param| is_key(param) && !call.arguments.contains_key(&param.name))?;
    let key = key.name.clone();
    let mut named = meant::named(tool, clause, call);
    let mut all = meant::wants_all(clause) && act == Act::Remove;
    if all && (meant::excepts(clause) || (named.is_empty() && !meant::is_everything(tool, clause))) {
        // What is left out I can't tell from what is meant.
        (all, named) = (false, Vec::new());
    }
    let verb = clause.verb.clone().unwrap_or_default();
    let then = match () {
        () if tool.recalls() && act == Act::Remove && !FORGETS.contains(&verb.as_str()) => Then::Leave(verb),
        () if all => Then::Each(call.clone()),
        () => Then::One(call.clone()),
    };
    Some(Lookup { first: search(tool, action, &named)?, then, key, named })
}

fn of_kept(tool: &Offered<'_>, action: &Param, clause: &Clause<'_>, call: &Planned) -> Option<Lookup> {
    let key = tool.params.iter().find(|param| is_key(param))?.name.clone();
    let text = tool.params.iter().find(|param| param.wants == Wants::Body)?;
    let content = call.arguments.get(&text.name)?.as_str()?.to_owned();
    if keep::only_names(&content) {
        let named: Vec<String> = topics_of(&content);
        return Some(Lookup { first: search(tool, action, &named)?, then: Then::Tell, key, named });
    }
    if !keep::corrects(clause) {
        return None;
    }
    let mut call = call.clone();
    call.arguments.remove(&key);
    correction(tool, action, call, content, key)
}

fn correction(
    tool: &Offered<'_>,
    action: &Param,
    call: Planned,
    statement: String,
    key: String,
) -> Option<Lookup> {
    let named = keep::subject(&statement)?.words;
    let first = search(tool, action, &named)?;
    Some(Lookup { first, then: Then::Correct { call, statement }, key, named })
}

fn topics_of(text: &str) -> Vec<String> {
    words(text).iter().filter(|word| !word.stop).map(|word| plain(word.text).to_owned()).collect()
}

/// A search for these words; a search for nothing is an error, a list is not.
fn search(tool: &Offered<'_>, action: &Param, named: &[String]) -> Option<Planned> {
    let query = tool.params.iter().find(|param| param.wants == Wants::Query).filter(|_| !named.is_empty());
    let find = choice_for(action, Act::Find).filter(|_| query.is_some());
    let chosen = find.or_else(|| choice_for(action, Act::List))?;
    let mut arguments = Map::new();
    arguments.insert(action.name.clone(), chosen.value.clone());
    if let Some(query) = query.filter(|_| find.is_some()) {
        let words = named.iter().take(MOST_WORDS).map(|word| singular(word)).collect::<Vec<_>>().join(" ");
        arguments.insert(query.name.clone(), Value::String(words));
    }
    Some(Planned { name: tool.spec.name.clone(), arguments })
}

/// Searches look for letters: what is written of one is found in what is written of many, not the other way round.
fn singular(word: &str) -> &str {
    let ends = ["ss", "us", "is", "ies", "es"].iter().any(|end| word.ends_with(end));
    word.strip_suffix('s').filter(|one| !ends && one.chars().count() > 2).unwrap_or(word)
}

pub fn choice_for(action: &Param, act: Act) -> Option<&Choice> {
    action.choices.iter().find(|choice| act_for(choice) == Some(act))
}

fn act_for(choice: &Choice) -> Option<Act> {
    act_of(choice.words.first()?)
}

fn is_key(param: &Param) -> bool {
    param.words.last().is_some_and(|last| ["path", "key", "slug", "id"].contains(&last.as_str()))
}
