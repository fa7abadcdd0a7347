//! Reading a tool's JSON Schema: its parameters, and what each one seems to want, judged by type, format and name.

use serde_json::Value;

use super::look::are_currencies;
use super::words::{act_of, concept, name_words, words};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Text,
    Number,
    Integer,
    Flag,
    List,
    Object,
}

/// What kind of thing a parameter asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wants {
    /// One of the tool's actions.
    Action,
    Choice,
    Query,
    /// Free text: a note, a message, a description.
    Body,
    /// A short name of the thing: path, title, key.
    Title,
    Id,
    Date,
    Time,
    Email,
    Url,
    Number,
    Language,
    Currency,
    Person,
    Place,
    /// A time zone by its IANA name.
    Zone,
    Flag,
    List,
    Object,
    Other,
}

#[derive(Debug, Clone)]
pub struct Choice {
    pub value: Value,
    pub label: String,
    pub words: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Param {
    pub name: String,
    /// Lower case, as in the name.
    pub words: Vec<String>,
    pub description: String,
    pub shape: Shape,
    pub wants: Wants,
    pub choices: Vec<Choice>,
    pub required: bool,
    pub default: Option<Value>,
    /// Bounds of a number.
    pub range: (Option<f64>, Option<f64>),
    pub date_time: bool,
    pub fields: Vec<Param>,
    /// Of a list.
    pub item: Option<Box<Param>>,
}

/// Schemas nest; what lies deeper than this is left alone.
const DEEPEST: usize = 4;

pub fn read(schema: &Value) -> Vec<Param> {
    fields(schema, DEEPEST)
}

fn fields(schema: &Value, depth: usize) -> Vec<Param> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Vec::new() };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut params: Vec<Param> = properties
        .iter()
        .map(|(name, schema)| param(name, schema, required.contains(&name.as_str()), depth))
        .collect();
    // Objects lose the order of their keys; the list of what is required keeps the author's.
    params.sort_by_key(|param| required.iter().position(|name| *name == param.name).unwrap_or(usize::MAX));
    params
}

fn param(name: &str, schema: &Value, required: bool, depth: usize) -> Param {
    let choices = choices(schema);
    let shape = shape(schema, &choices);
    let words = name_words(name);
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let nested = depth > 0;
    Param {
        name: name.to_owned(),
        wants: wants(&words, &description, shape, &choices, format),
        words,
        description,
        shape,
        choices,
        required,
        default: schema.get("default").filter(|value| !value.is_null()).cloned(),
        range: (schema.get("minimum").and_then(Value::as_f64), schema.get("maximum").and_then(Value::as_f64)),
        date_time: format == "date-time",
        fields: if shape == Shape::Object && nested { fields(schema, depth - 1) } else { Vec::new() },
        item: schema
            .get("items")
            .filter(|_| shape == Shape::List && nested)
            .map(|items| Box::new(param(name, items, false, depth - 1))),
    }
}

fn shape(schema: &Value, choices: &[Choice]) -> Shape {
    let named = match schema.get("type") {
        Some(Value::String(name)) => Some(name.as_str()),
        // A type that may also be null.
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    };
    let inner = || {
        let any = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array)?;
        any.iter().filter_map(|one| one.get("type").and_then(Value::as_str)).find(|name| *name != "null")
    };
    match named.or_else(inner) {
        Some("number") => Shape::Number,
        Some("integer") => Shape::Integer,
        Some("boolean") => Shape::Flag,
        Some("array") => Shape::List,
        Some("object") => Shape::Object,
        None if schema.get("properties").is_some() => Shape::Object,
        None if choices.first().is_some_and(|choice| choice.value.is_i64()) => Shape::Integer,
        _ => Shape::Text,
    }
}

/// `enum`, `const`, or a `oneOf` of constants with titles.
fn choices(schema: &Value) -> Vec<Choice> {
    let choice = |value: &Value, about: &str| {
        let label = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut words = name_words(&label);
        words.extend(name_words(about));
        Choice { value: value.clone(), label, words }
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().filter(|value| !value.is_null()).map(|value| choice(value, "")).collect();
    }
    if let Some(value) = schema.get("const") {
        return vec![choice(value, "")];
    }
    let any = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array);
    let constants = any.into_iter().flatten().filter_map(|one| {
        let title = one.get("title").and_then(Value::as_str).unwrap_or_default();
        one.get("const").map(|value| choice(value, title))
    });
    constants.collect()
}

fn wants(words: &[String], description: &str, shape: Shape, choices: &[Choice], format: &str) -> Wants {
    let last = words.last().map_or("", String::as_str);
    let named = |names: &[&str]| names.contains(&last);
    if are_currencies(choices) {
        return Wants::Currency;
    }
    if !choices.is_empty() && shape != Shape::List {
        let acts = choices
            .iter()
            .filter(|choice| choice.words.first().is_some_and(|word| act_of(word).is_some()))
            .count();
        let is_action = named(&["action", "operation", "op", "command", "method", "verb"]) && acts > 0;
        return if is_action || acts * 3 >= choices.len() * 2 { Wants::Action } else { Wants::Choice };
    }
    match shape {
        Shape::Flag => return Wants::Flag,
        Shape::List => return Wants::List,
        Shape::Object => return Wants::Object,
        Shape::Number | Shape::Integer if named(&["id"]) => return Wants::Id,
        Shape::Number | Shape::Integer => return Wants::Number,
        Shape::Text => {}
    }
    match format {
        "date" | "date-time" => return Wants::Date,
        "time" => return Wants::Time,
        "email" => return Wants::Email,
        "uri" | "url" => return Wants::Url,
        "uuid" => return Wants::Id,
        _ => {}
    }
    let about = description.to_lowercase();
    let zone = words.iter().any(|word| ["zone", "timezone", "tz"].contains(&word.as_str()));
    if zone && (last != "zone" || words.len() > 1 || about.contains("time"))
        || about.contains("iana time zone")
    {
        return Wants::Zone;
    }
    match last {
        "date" | "day" | "deadline" | "due" | "when" | "birthday" => Wants::Date,
        "time" | "hour" => Wants::Time,
        "email" | "mail" => Wants::Email,
        "url" | "link" | "website" => Wants::Url,
        "id" | "ids" | "reference" | "ref" | "iban" => Wants::Id,
        "language" | "lang" | "locale" => Wants::Language,
        "currency" => Wants::Currency,
        "to" | "from" if about.contains("currency") => Wants::Currency,
        "query" | "q" | "search" | "term" | "terms" | "keyword" | "keywords" | "filter" => Wants::Query,
        "to" | "recipient" | "recipients" | "assignee" | "owner" | "person" | "attendee" | "contact"
        | "channel" => Wants::Person,
        "city" | "location" | "place" | "country" | "address" | "region" => Wants::Place,
        "path" | "key" | "slug" | "title" | "subject" | "label" | "topic" => Wants::Title,
        "name" if words.len() == 1 => Wants::Title,
        "content" | "text" | "message" | "body" | "note" | "description" | "details" | "comment"
        | "prompt" | "question" | "fact" | "memory" | "input" | "request" | "reason" | "summary"
        | "notes" | "instructions" => Wants::Body,
        _ => Wants::Other,
    }
}

impl Param {
    /// A short name in small letters.
    pub fn is_path(&self) -> bool {
        self.words.iter().any(|word| ["path", "key", "slug"].contains(&word.as_str()))
    }

    /// Whether its description says that the tool does without it.
    pub fn may_be_left_out(&self) -> bool {
        let described = self.description.to_lowercase();
        ["left out", "leave out", "omit", "generated", "made from"]
            .iter()
            .any(|said| described.contains(said))
    }

    /// The meanings of its name, without words such as "id" that fit everything.
    pub fn concepts(&self) -> Vec<String> {
        let bland =
            ["id", "ids", "name", "type", "number", "value", "target", "kind", "category", "new", "of"];
        let special: Vec<String> = self
            .words
            .iter()
            .filter(|word| !bland.contains(&word.as_str()))
            .map(|word| concept(word))
            .collect();
        if special.is_empty() { self.words.iter().map(|word| concept(word)).collect() } else { special }
    }

    pub fn described_by(&self, meaning: &str) -> bool {
        words(&self.description).iter().any(|word| !word.stop && word.concept == meaning)
    }

    /// In words a person would use.
    pub fn human(&self) -> String {
        let mut words = self.words.clone();
        if words.len() > 1 && words.last().is_some_and(|last| last == "id") {
            words.pop();
            words.push("ID".into());
        }
        words.join(" ")
    }
}
