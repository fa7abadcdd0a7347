//! Filling a tool's arguments: from the clause, the rest of the message, the answers to our questions, the context and
//! what was said before. What is required and nowhere to be found is reported, never invented.

use serde_json::{Map, Value};

use super::answers::answer_the_missing;
use super::clauses::{Clause, Mood};
use super::context::Context;
use super::files::File;
use super::free::{self, Used};
use super::keep;
use super::lexicon::Act;
use super::look::{Need, Reading, as_number, look};
use super::offer::Offered;
use super::params::{Param, Shape, Wants};
use super::recall::choice_for;
use super::values::number;
use super::words::{act_of, capitalised, concept, name_words, shorten, words};

/// Where values may come from.
pub struct Sources<'s> {
    pub clause: &'s Clause<'s>,
    pub message: &'s str,
    /// What the person replied to our questions since, oldest first.
    pub answers: &'s [String],
    /// Newest first.
    pub earlier: &'s [String],
    pub context: &'s Context,
    pub files: &'s [File],
}

#[derive(Debug, Clone)]
pub struct Filled {
    pub arguments: Map<String, Value>,
    pub missing: Vec<Param>,
}

pub fn fill(tool: &Offered<'_>, sources: &Sources<'_>) -> Filled {
    let reading = Reading::of(sources.clause.text, sources.context.today);
    let mut work = Work { tool, sources, reading, used: Used::new(), act: None };
    let mut arguments = Map::new();
    work.act = tool.own_act().or(sources.clause.act);
    if let Some((_, param)) = tool.action()
        && let Some(chosen) = choose_action(param, tool, sources.clause)
    {
        work.act = param.choices[chosen].words.first().and_then(|verb| act_of(verb));
        arguments.insert(param.name.clone(), param.choices[chosen].value.clone());
    }
    let mut missing = Vec::new();
    // Free text comes last: it is what the others leave.
    let is_free =
        |param: &Param| matches!(param.wants, Wants::Query | Wants::Body | Wants::Title | Wants::Other);
    let (loose, typed): (Vec<&Param>, Vec<&Param>) = tool.params.iter().partition(|param| is_free(param));
    let whole = |param: &&Param| matches!(param.wants, Wants::List | Wants::Object | Wants::Flag);
    let (late, early): (Vec<&Param>, Vec<&Param>) = typed.into_iter().partition(whole);
    for param in early.into_iter().chain(late).chain(loose) {
        if arguments.contains_key(&param.name) {
            continue;
        }
        match work.value(param) {
            Some(value) => {
                arguments.insert(param.name.clone(), value);
            }
            None if param.required => missing.push(param.clone()),
            None => {}
        }
    }
    // What is to be saved is needed, even where the schema can't say for which action.
    let body = tool.params.iter().find(|param| param.wants == Wants::Body);
    if let Some(body) = body.filter(|_| work.act == Some(Act::Save) && tool.action().is_some())
        && !arguments.contains_key(&body.name)
        && !missing.iter().any(|param| param.name == body.name)
    {
        missing.push(body.clone());
    }
    settle_search(tool, &mut arguments, work.act, sources.clause);
    missing.sort_by_key(|param| tool.params.iter().position(|other| other.name == param.name));
    answer_the_missing(&mut arguments, &mut missing, sources.answers);
    Filled { arguments, missing }
}

/// A search for nothing is an error. Light words will do ("What do I like?"); without any, what there is is listed.
fn settle_search(
    tool: &Offered<'_>,
    arguments: &mut Map<String, Value>,
    act: Option<Act>,
    clause: &Clause<'_>,
) {
    let query = tool.params.iter().find(|param| param.wants == Wants::Query);
    let (Some(query), Some((_, action)), Some(Act::Find)) = (query, tool.action(), act) else { return };
    if arguments.contains_key(&query.name) {
        return;
    }
    if let Some(words) = free::light(clause) {
        arguments.insert(query.name.clone(), Value::String(words));
    } else if let Some(list) = choice_for(action, Act::List) {
        arguments.insert(action.name.clone(), list.value.clone());
    }
}

struct Work<'w> {
    tool: &'w Offered<'w>,
    sources: &'w Sources<'w>,
    reading: Reading,
    used: Used,
    /// What the call will do.
    act: Option<Act>,
}

impl Work<'_> {
    fn value(&mut self, param: &Param) -> Option<Value> {
        if self.keeps_note() && param.wants == Wants::Body && self.sources.files.is_empty() {
            return keep::content(self.sources.clause, self.tool).map(Value::String);
        }
        // A path of my making might be another note's; the tool knows which are free.
        if self.keeps_note() && !param.required && param.is_path() && param.may_be_left_out() {
            return None;
        }
        let need = if param.required { Need::Required } else { Need::Optional };
        // What is to be kept is content, not a choice of options.
        let keeps = self.act == Some(Act::Save) && need == Need::Optional;
        let typed = !keeps || matches!(param.wants, Wants::Body | Wants::Title | Wants::Query);
        if typed && param.wants != Wants::Query {
            if let Some((value, span)) = look(param, &self.reading, &self.used, need) {
                self.used.extend(span.map(|span| with_label(param, &self.reading.text, span)));
                return Some(value);
            }
            let today = self.sources.context.today;
            let replies = self.sources.answers.iter().rev().map(String::as_str);
            // What the clause holds is taken or wasn't meant; only the rest of the message is new.
            let rest = self.sources.message.replacen(self.sources.clause.text, " ", 1);
            let elsewhere = replies.chain([rest.as_str()]);
            let wide =
                matches!(param.wants, Wants::Choice | Wants::Flag | Wants::Other) && need == Need::Optional;
            for text in elsewhere.filter(|_| !wide) {
                if let Some((value, _)) = look(param, &Reading::of(text, today), &Used::new(), need) {
                    return Some(value);
                }
            }
        }
        if let Some(value) = self.free(param) {
            return Some(value);
        }
        if param.wants == Wants::Object {
            return object(param, &self.reading, &mut self.used);
        }
        if need == Need::Optional {
            return None;
        }
        from_context(param, self.sources.context)
            .or_else(|| from_earlier(param, self.sources))
            .or_else(|| param.default.clone())
            .or_else(|| {
                param.choices.first().filter(|_| param.choices.len() == 1).map(|one| one.value.clone())
            })
    }

    /// An order to keep what was said, to a tool that keeps things for people.
    fn keeps_note(&self) -> bool {
        let orders = self.sources.clause.act == Some(Act::Save) && self.sources.clause.verb.is_some();
        orders && self.act == Some(Act::Save) && self.tool.recalls()
    }

    fn free(&self, param: &Param) -> Option<Value> {
        let reads = self.act.is_some_and(Act::reads);
        let clause = self.sources.clause;
        let content = || match self.keeps_note() {
            true => keep::content(clause, self.tool),
            false => free::content(clause, self.tool, &self.reading.found, &self.used),
        };
        let query = || free::query(clause, self.tool, &self.reading.found);
        let text = match param.wants {
            Wants::Query if param.required => query().or_else(content),
            Wants::Query if self.act != Some(Act::List) && (reads || self.act.is_none()) => query(),
            Wants::Body if self.tool.asks_another() => Some(self.sources.message.to_owned()),
            Wants::Body if param.required || !(reads || self.act == Some(Act::Remove)) => self.body(content),
            Wants::Title if reads || matches!(self.act, Some(Act::Remove | Act::Change)) => {
                query().filter(|_| param.required).map(|topic| self.title(param, &topic))
            }
            Wants::Title if param.required || self.act.is_some() => {
                content().map(|text| self.title(param, &text))
            }
            Wants::Other if param.required => content().filter(|text| text.chars().count() <= 200),
            _ => None,
        };
        text.map(Value::String)
    }

    fn body(&self, content: impl Fn() -> Option<String>) -> Option<String> {
        let said = content();
        let speaks_of_file = self.sources.clause.topics.iter().all(|topic| {
            ["file", "attach", "attached", "page", "note"].iter().any(|word| concept(word) == topic.concept)
        });
        match self.sources.files.first() {
            Some(file) if said.is_none() || speaks_of_file => Some(file.body.clone()),
            _ => said,
        }
    }

    fn title(&self, param: &Param, text: &str) -> String {
        if param.is_path() {
            return free::slug(text);
        }
        let line = text.lines().next().unwrap_or_default().trim_end_matches(['.', '!']);
        let line =
            ["the ", "a ", "an "].iter().find_map(|article| line.strip_prefix(article)).unwrap_or(line);
        capitalised(&shorten(line, 80))
    }
}

/// The place of a value with the words that say what it is: "limit of 400", "6 people".
fn with_label(param: &Param, text: &str, (mut start, mut end): (usize, usize)) -> (usize, usize) {
    let names = param.concepts();
    let all = words(text);
    let before = all.iter().rev().filter(|word| word.end() <= start).take(3);
    let labels = before.take_while(|word| word.stop || names.contains(&word.concept));
    if let Some(label) = labels.filter(|word| names.contains(&word.concept)).last() {
        start = label.start;
    }
    if let Some(unit) = all.iter().find(|word| word.start >= end).filter(|word| names.contains(&word.concept))
    {
        end = unit.end();
    }
    (start, end)
}

/// The action whose verb fits the clause, and whose noun does where it has one.
pub fn choose_action(param: &Param, tool: &Offered<'_>, clause: &Clause<'_>) -> Option<usize> {
    let own = |meaning: &str| tool.is_own_word(meaning);
    let said = words(clause.text);
    let narrows = clause.topics.iter().any(|topic| !own(&topic.concept) && !topic.weak);
    let wanted = match clause.act {
        Some(act) if !act.reads() => act,
        Some(Act::Find) => Act::Find,
        _ if clause.mood == Mood::Wish => Act::Create,
        _ if narrows => Act::Find,
        _ => Act::List,
    };
    let score = |words: &[String]| {
        let verb = words.first().map_or("", String::as_str);
        let mut score = match act_of(verb) {
            Some(act) if act == wanted => 3.0,
            Some(Act::Create) if wanted == Act::Save => 1.5,
            Some(Act::Save) if wanted == Act::Create => 1.5,
            // What is saved over is changed.
            Some(Act::Save) if wanted == Act::Change => 0.5,
            Some(act) if act.reads() && wanted.reads() => 1.0,
            Some(act) if act.reads() != wanted.reads() => -3.0,
            _ => 0.0,
        };
        // "budget status": the action itself is named.
        if words.len() == 1
            && wanted.reads()
            && clause.act != Some(Act::Find)
            && said.iter().any(|word| word.lower == verb)
        {
            score += 2.5;
        }
        if clause.verb.as_deref().is_some_and(|said| concept(said) == concept(verb)) {
            score += 2.0;
        }
        let nouns = words.iter().skip(1).filter(|word| clause.has_topic(&concept(word))).count();
        score + nouns as f32 * 1.2
    };
    let scored = param.choices.iter().enumerate().map(|(at, choice)| (at, score(&choice.words)));
    // The first of equals: schemas name their main action first.
    let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    (best.1 > 0.0).then_some(best.0)
}

fn object(param: &Param, reading: &Reading, used: &mut Used) -> Option<Value> {
    let mut map = Map::new();
    for field in &param.fields {
        let need = if field.required { Need::Required } else { Need::Optional };
        let value = match field.wants {
            Wants::Object => object(field, reading, used),
            _ => look(field, reading, used, need).map(|(value, span)| {
                used.extend(span);
                value
            }),
        };
        if let Some(value) = value {
            map.insert(field.name.clone(), value);
        } else if field.required {
            return None;
        }
    }
    (!map.is_empty()).then_some(Value::Object(map))
}

/// A value of the same name in the context.
pub fn from_context(param: &Param, context: &Context) -> Option<Value> {
    let same = |name: &str| name_words(name) == param.words;
    let (_, value) = context.data.iter().find(|(name, _)| same(name))?;
    fitted(param, value)
}

/// A value in the type the schema wants.
pub fn fitted(param: &Param, value: &Value) -> Option<Value> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match param.shape {
        _ if !param.choices.is_empty() => {
            let same = |label: &str| label.eq_ignore_ascii_case(&text);
            param.choices.iter().find(|choice| same(&choice.label)).map(|choice| choice.value.clone())
        }
        Shape::Text => Some(Value::String(text)),
        Shape::Number | Shape::Integer => {
            number(&text.to_lowercase()).map(|(value, _)| as_number(value, param.shape))
        }
        Shape::Flag => value.as_bool().map(Value::Bool),
        Shape::List => value.is_array().then(|| value.clone()),
        Shape::Object => value.is_object().then(|| value.clone()),
    }
}

/// Only what is unmistakable: free text of an earlier message meant something else.
fn from_earlier(param: &Param, sources: &Sources<'_>) -> Option<Value> {
    let loose =
        matches!(param.wants, Wants::Body | Wants::Title | Wants::Query | Wants::Flag | Wants::Number);
    let need = if loose { Need::Optional } else { Need::Required };
    sources.earlier.iter().take(6).find_map(|text| {
        let reading = Reading::of(text, sources.context.today);
        look(param, &reading, &Used::new(), need).map(|(value, _)| value)
    })
}
