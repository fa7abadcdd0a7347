//! Fills the properties of a JSON Schema with values from the person's messages and from the context. It never makes a
//! value up: a required value that nobody gave is missing, and is asked for by name.

use baton_core::tools::ToolSpec;
use chrono::NaiveDate;
use serde_json::{Map, Value};

use crate::scene::Heard;
use crate::score::{Candidate, overlaps, properties};
use crate::values::{amount, date, ids, labelled, numbers, quoted, tidy};
use crate::words::{content, is_filler, is_question, stem, words};

/// What a form is filled from.
pub struct Sources<'a> {
    /// Oldest first.
    pub heard: Vec<&'a Heard>,
    pub facts: &'a [(String, Value)],
    pub today: NaiveDate,
}

#[derive(Debug, PartialEq)]
pub struct Filled {
    pub values: Map<String, Value>,
    /// Required, and nobody said it.
    pub missing: Vec<String>,
}

/// A message to a tool: what was said fills its parameters, the rest of the sentence the one text that is still open.
pub fn arguments(tool: &ToolSpec, candidate: &Candidate, sources: &Sources<'_>) -> Filled {
    let mut filled = fill(&tool.parameters, candidate.given.clone(), sources);
    let open: Vec<&String> = filled
        .missing
        .iter()
        .filter(|name| Kind::of(property(&tool.parameters, name), name) == Kind::Text)
        .collect();
    let first = sources.heard.first();
    if let ([name], Some(first)) = (open.as_slice(), first)
        && let Some(rest) = rest(&first.text, candidate)
    {
        let name = (*name).clone();
        // A text to pass along is taken whole: no word of it fills another parameter.
        filled.values.retain(|name, _| {
            candidate.given.contains_key(name)
                || is_action(name, property(&tool.parameters, name))
                || is_needed(&tool.parameters, name, &Map::new())
        });
        filled.missing.retain(|other| *other != name);
        filled.values.insert(name, rest.into());
    }
    filled
}

/// Fills a schema's properties from everything that was said.
pub fn fill(schema: &Value, given: Map<String, Value>, sources: &Sources<'_>) -> Filled {
    let names: Vec<&str> = properties(schema).map(|(name, _)| name.as_str()).collect();
    let mut filled = Filled { values: given, missing: Vec::new() };
    // Parameters with choices come first: some others are needed only for some choices.
    let (choosing, others): (Vec<_>, Vec<_>) =
        properties(schema).partition(|(_, field)| field.get("enum").is_some());
    for (name, field) in choosing.into_iter().chain(others) {
        if filled.values.contains_key(name) || !is_for(field, &filled.values) {
            continue;
        }
        let is_needed = is_needed(schema, name, &filled.values);
        let look = Look {
            name,
            field,
            kind: Kind::of(field, name),
            names: &names,
            today: sources.today,
            is_meant: is_needed || is_action(name, field),
        };
        let told = sources.heard.iter().rev().find_map(|heard| look.said(heard));
        let known = || sources.facts.iter().rev().find(|fact| fact.0 == *name).map(|fact| fact.1.clone());
        match told.or_else(known) {
            Some(value) => {
                filled.values.insert(name.clone(), value);
            }
            None if is_needed => filled.missing.push(name.clone()),
            None => {}
        }
    }
    filled
}

fn property<'a>(schema: &'a Value, name: &str) -> &'a Value {
    &schema["properties"][name]
}

fn about(field: &Value) -> &str {
    field.get("description").and_then(Value::as_str).unwrap_or_default()
}

/// `For read and delete: …`: the choices that a parameter belongs to.
fn belongs_to(field: &Value) -> Option<Vec<String>> {
    let (head, _) = about(field).strip_prefix("For ")?.split_once(':')?;
    Some(words(head))
}

fn is_chosen(belongs: &[String], values: &Map<String, Value>) -> bool {
    values.values().filter_map(Value::as_str).any(|value| belongs.iter().any(|word| word == value))
}

fn is_for(field: &Value, values: &Map<String, Value>) -> bool {
    belongs_to(field).is_none_or(|belongs| is_chosen(&belongs, values))
}

fn is_needed(schema: &Value, name: &str, values: &Map<String, Value>) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|one| one == name))
        || belongs_to(property(schema, name)).is_some_and(|belongs| is_chosen(&belongs, values))
}

/// What a tool of many actions is asked to do. It may be left out; what a message means by its words is chosen all the same.
fn is_action(name: &str, field: &Value) -> bool {
    name == "action" && field.get("enum").is_some()
}

/// The values of an enum, each with what the description says of it (`save: write a note.`).
pub fn choices(field: &Value) -> Vec<(&str, &str)> {
    let values = field.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let meaning = |value: &str| {
        let (_, behind) = about(field).split_once(&format!("{value}: "))?;
        Some(behind.split_once(". ").map_or(behind, |(meaning, _)| meaning))
    };
    values.map(|value| (value, meaning(value).unwrap_or_default())).collect()
}

/// What a description gives as examples: `such as a, b or c`.
fn examples(field: &Value) -> Vec<String> {
    let Some((_, list)) = about(field).split_once("such as ") else { return Vec::new() };
    let list = list.split(['.', ';', ')']).next().unwrap_or_default().replace(" or ", ", ");
    list.split(", ").map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Choice,
    Number,
    Flag,
    Date,
    Id,
    Amount,
    Text,
    /// Whether the parameter is a list or an object, which a sentence can't give.
    Other,
}

impl Kind {
    fn of(field: &Value, name: &str) -> Self {
        let names = words(name);
        let ends = |endings: &[&str]| names.last().is_some_and(|last| endings.contains(&last.as_str()));
        let is_date = || {
            field.get("format").is_some_and(|format| format == "date")
                || about(field).contains("YYYY-MM-DD")
                || names.iter().any(|word| word == "date")
        };
        match field.get("type").and_then(Value::as_str).unwrap_or("string") {
            _ if field.get("enum").is_some() => Self::Choice,
            "integer" | "number" => Self::Number,
            "boolean" => Self::Flag,
            "string" if is_date() => Self::Date,
            "string" if ends(&["id", "number", "code", "key", "path"]) => Self::Id,
            "string" if ends(&["amount", "budget", "price"]) => Self::Amount,
            "string" => Self::Text,
            _ => Self::Other,
        }
    }
}

/// Looking for one parameter in one message.
struct Look<'a> {
    name: &'a str,
    field: &'a Value,
    kind: Kind,
    names: &'a [&'a str],
    today: NaiveDate,
    /// Choices count by what is said of them too, not only by their own words.
    is_meant: bool,
}

impl Look<'_> {
    fn said(&self, heard: &Heard) -> Option<Value> {
        let answers =
            asks_for(&heard.after).is_some_and(|asked| asked.name == self.name) && !is_question(&heard.text);
        let label = labelled(&heard.text, self.name, self.names);
        let behind = label.as_deref().and_then(|value| self.read(value, true));
        behind.or_else(|| self.read(&heard.text, answers))
    }

    /// `is_it`: the text is the value, or the answer to a question for it.
    fn read(&self, text: &str, is_it: bool) -> Option<Value> {
        let said = format!("{} {}", self.name, about(self.field));
        match self.kind {
            Kind::Choice => self.chosen(text).map(Value::from),
            Kind::Number => {
                let mut numbers = numbers(text).into_iter();
                let (number, _) = numbers.find(|(_, near)| is_it || overlaps(near, &said))?;
                let is_whole = self.field["type"] == "integer";
                if is_whole {
                    (number.fract() == 0.0).then(|| Value::from(number as i64))
                } else {
                    Some(number.into())
                }
            }
            Kind::Flag if is_it => match words(text).first()?.as_str() {
                "yes" | "true" | "on" => Some(true.into()),
                "no" | "false" | "off" => Some(false.into()),
                _ => None,
            },
            Kind::Date => date(text, self.today).map(|day| day.to_string().into()),
            Kind::Id => {
                let ids = ids(text);
                let own = ids
                    .iter()
                    .find(|(_, before)| before.as_deref().is_some_and(|word| overlaps(word, self.name)));
                own.or(ids.first()).map(|(id, _)| id.clone().into())
            }
            Kind::Amount => amount(text).map(Value::from).or_else(|| self.whole(text, is_it)),
            Kind::Text => self.example(text).or_else(|| self.whole(text, is_it)),
            Kind::Flag | Kind::Other => None,
        }
    }

    /// A short answer is taken as it is; a long one is about something else.
    fn whole(&self, text: &str, is_it: bool) -> Option<Value> {
        (is_it && words(text).len() <= 12).then(|| tidy(text)).flatten().map(Value::from)
    }

    fn chosen(&self, text: &str) -> Option<String> {
        let said = content(text);
        let spoken: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
        let score = |value: &str, meaning: &str| {
            let named = words(value).iter().all(|word| spoken.contains(&stem(word)));
            let meant = content(meaning).iter().filter(|word| said.contains(word)).count();
            if named {
                10
            } else if self.is_meant {
                meant
            } else {
                0
            }
        };
        let mut scored: Vec<(usize, &str)> =
            choices(self.field).into_iter().map(|(value, meaning)| (score(value, meaning), value)).collect();
        scored.sort_by_key(|one| std::cmp::Reverse(one.0));
        let next = scored.get(1).map_or(0, |one| one.0);
        scored.first().filter(|first| first.0 > next).map(|first| first.1.to_owned())
    }

    fn example(&self, text: &str) -> Option<Value> {
        let said = words(text).join(" ");
        let is_said =
            |example: &String| format!(" {said} ").contains(&format!(" {} ", words(example).join(" ")));
        examples(self.field).into_iter().find(is_said).map(Value::from)
    }
}

/// What is left of a command when the words that chose the tool are taken off its beginning.
fn rest(text: &str, candidate: &Candidate) -> Option<String> {
    if let Some(quoted) = quoted(text) {
        return Some(quoted);
    }
    if let Some((_, behind)) = text.split_once(": ").filter(|(_, behind)| !behind.trim().is_empty()) {
        return Some(behind.trim().to_owned());
    }
    let mut left = text.trim();
    while let Some((word, behind)) = left.split_once(' ') {
        let bare: String = words(word).concat();
        let leads = candidate.knows(&bare)
            || matches!(bare.as_str(), "please" | "can" | "could" | "you" | "that" | "to");
        if !leads {
            break;
        }
        left = behind.trim_start();
        if bare == "that" {
            break;
        }
    }
    let left = left.trim_end_matches(['.', '!']);
    words(left).iter().any(|word| !is_filler(word)).then(|| left.to_owned())
}

/// A question of mine for a value, as it stands in what I said.
pub struct Asked<'a> {
    pub name: &'a str,
    /// None for what a stage or a task collects.
    pub tool: Option<&'a str>,
}

/// How a missing value is asked for; `asks_for` reads it back.
pub fn question(tool: Option<&str>, name: &str, field: &Value) -> String {
    let about = about(field).trim_end_matches('.');
    let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
    let tool = tool.map(|tool| format!("For `{tool}`: ")).unwrap_or_default();
    format!("{tool}I need **{name}**{about}. What is it?")
}

pub fn asks_for(said: &str) -> Option<Asked<'_>> {
    let (before, asked) = said.rsplit_once("I need **")?;
    let (name, behind) = asked.split_once("**")?;
    let tool =
        before.strip_suffix("`: ").and_then(|before| before.rsplit_once("For `")).map(|(_, tool)| tool);
    behind.contains("What is it?").then_some(Asked { name, tool })
}

#[cfg(test)]
mod tests;
