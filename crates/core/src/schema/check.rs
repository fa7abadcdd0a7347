//! Checks a value against a schema. Each comparison costs a little of a budget, so no schema and no value can keep the
//! check running for ever: when the budget is used up, the value is said not to fit.

use std::collections::{HashMap, HashSet};

use regex::Regex;
use serde_json::{Map, Value};

use super::{resolve, words};

/// The budget of one check, in comparisons.
const FUEL: usize = 200_000;
/// How deep schemas may lead into each other.
const DEEPEST: usize = 200;
const TOO_MUCH: &str = "it takes too long to check: make it smaller";

type Fits = Result<(), String>;
type Schema = Map<String, Value>;

pub struct Checker<'s> {
    root: &'s Value,
    fuel: usize,
    depth: usize,
    /// What references are being followed: a schema and the value it is to fit, by their addresses in memory.
    following: Vec<(*const Value, *const Value)>,
    /// `None`: no pattern that can be checked.
    patterns: HashMap<&'s str, Option<Regex>>,
}

impl<'s> Checker<'s> {
    pub fn new(root: &'s Value) -> Self {
        Self { root, fuel: FUEL, depth: 0, following: Vec::new(), patterns: HashMap::new() }
    }

    pub fn check(mut self, value: &Value) -> Fits {
        let fits = self.at("", self.root, value);
        // Whatever came of it then: where one part is not to fit, giving up must not make the whole fit.
        if self.fuel == 0 { Err(TOO_MUCH.to_owned()) } else { fits }
    }

    fn at(&mut self, place: &str, schema: &'s Value, value: &Value) -> Fits {
        let schema = match schema {
            Value::Bool(false) => return Err(named(place, "is not known")),
            Value::Object(schema) => schema,
            _ => return Ok(()),
        };
        if self.depth == DEEPEST {
            self.fuel = 0;
        }
        self.spend(1 + length(value) / 64)?;
        self.depth += 1;
        let fits = self.keywords(place, schema, value);
        self.depth -= 1;
        fits
    }

    fn spend(&mut self, cost: usize) -> Fits {
        self.fuel = self.fuel.saturating_sub(cost);
        if self.fuel == 0 { Err(TOO_MUCH.to_owned()) } else { Ok(()) }
    }

    fn keywords(&mut self, place: &str, schema: &'s Schema, value: &Value) -> Fits {
        whole(schema, value).map_err(|wrong| named(place, &wrong))?;
        match value {
            Value::Object(map) => self.object(place, schema, map)?,
            Value::Array(items) => self.array(place, schema, items)?,
            Value::String(text) => self.text(schema, text).map_err(|wrong| named(place, &wrong))?,
            Value::Number(_) => number(schema, value).map_err(|wrong| named(place, &wrong))?,
            Value::Null | Value::Bool(_) => {}
        }
        self.combined(place, schema, value)
    }

    fn object(&mut self, place: &str, schema: &'s Schema, map: &Map<String, Value>) -> Fits {
        let at = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
        if let Some(key) = texts(schema.get("required")).find(|key| !map.contains_key(*key)) {
            return Err(format!("{} is missing", at(key)));
        }
        // Other people's schemas are often draft-07, which has one word for both kinds of dependencies.
        let dependent = members(schema, "dependentRequired").chain(members(schema, "dependencies"));
        for (key, needs) in dependent.filter(|(key, _)| map.contains_key(*key)) {
            if let Some(other) = texts(Some(needs)).find(|other| !map.contains_key(*other)) {
                return Err(format!("{} is missing: it goes with {}", at(other), at(key)));
            }
        }
        within(schema, "minProperties", "maxProperties", map.len() as u64, "properties")
            .map_err(|wrong| named(place, &wrong))?;
        for (key, value) in map {
            self.property(&at(key), schema, key, value)?;
        }
        Ok(())
    }

    fn property(&mut self, place: &str, schema: &'s Schema, key: &str, value: &Value) -> Fits {
        if let Some(names) = schema.get("propertyNames") {
            self.at(place, names, &Value::String(key.to_owned()))
                .map_err(|wrong| format!("{wrong} (its name is meant)"))?;
        }
        let mut is_known = false;
        if let Some(property) = schema.get("properties").and_then(|known| known.get(key)) {
            is_known = true;
            self.at(place, property, value)?;
        }
        for (pattern, property) in members(schema, "patternProperties") {
            if self.matches(pattern, key)? {
                is_known = true;
                self.at(place, property, value)?;
            }
        }
        match schema.get("additionalProperties") {
            Some(rest) if !is_known => self.at(place, rest, value),
            _ => Ok(()),
        }
    }

    fn array(&mut self, place: &str, schema: &'s Schema, items: &[Value]) -> Fits {
        within(schema, "minItems", "maxItems", items.len() as u64, "items")
            .map_err(|wrong| named(place, &wrong))?;
        // In draft-07 `items` may be the list of the first ones.
        let (first, rest) = match schema.get("items") {
            Some(Value::Array(first)) => (first.as_slice(), schema.get("additionalItems")),
            rest => (list(schema, "prefixItems"), rest),
        };
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or(rest) {
                self.at(&format!("{place}[{index}]"), schema, item)?;
            }
        }
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            for (index, item) in items.iter().enumerate() {
                let text = canonical(item);
                self.spend(1 + text.len() / 64)?;
                if !seen.insert(text) {
                    return Err(format!("{place}[{index}] is there already: each must be there once"));
                }
            }
        }
        self.contains(place, schema, items)
    }

    fn contains(&mut self, place: &str, schema: &'s Schema, items: &[Value]) -> Fits {
        let Some(wanted) = schema.get("contains") else { return Ok(()) };
        let mut fit = 0;
        let mut wrong = None;
        for item in items {
            match self.at("one of its items", wanted, item) {
                Ok(()) => fit += 1,
                Err(why) => wrong = Some(why),
            }
        }
        let least = count(schema, "minContains").unwrap_or(1);
        let most = count(schema, "maxContains").unwrap_or(u64::MAX);
        match wrong {
            _ if (least..=most).contains(&fit) => Ok(()),
            _ if fit > most => Err(named(place, &format!("must have at most {most} items of that kind"))),
            Some(wrong) if least == 1 => Err(named(place, &format!("lacks an item: {wrong}"))),
            _ => Err(named(place, &format!("must have at least {least} items of the kind it must contain"))),
        }
    }

    fn text(&mut self, schema: &'s Schema, text: &str) -> Fits {
        within(schema, "minLength", "maxLength", text.chars().count() as u64, "characters")?;
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && !self.matches(pattern, text)?
        {
            return Err(format!("must match the pattern {pattern}"));
        }
        match schema.get("format").and_then(Value::as_str) {
            Some(format) if !words::has_format(text, format) => {
                Err(format!("must be of the format {format}"))
            }
            _ => Ok(()),
        }
    }

    /// A pattern that can't be checked is passed over.
    fn matches(&mut self, pattern: &'s str, text: &str) -> Result<bool, String> {
        self.spend(1 + text.len() / 64)?;
        let known = self.patterns.entry(pattern).or_insert_with(|| words::pattern(pattern).ok());
        Ok(known.as_ref().is_none_or(|known| known.is_match(text)))
    }

    /// What other schemas say of the same value.
    fn combined(&mut self, place: &str, schema: &'s Schema, value: &Value) -> Fits {
        if let Some(target) =
            schema.get("$ref").and_then(Value::as_str).and_then(|text| resolve(self.root, text))
        {
            self.follow(place, target, value)?;
        }
        for also in list(schema, "allOf") {
            self.at(place, also, value)?;
        }
        // In draft-07 a member may also be a list of names, which `object` looks at.
        let dependent = members(schema, "dependentSchemas").chain(members(schema, "dependencies"));
        for (_, also) in dependent.filter(|(key, _)| value.get(key).is_some()) {
            self.at(place, also, value)?;
        }
        self.any_of(place, list(schema, "anyOf"), value)?;
        self.one_of(place, list(schema, "oneOf"), value)?;
        if let Some(unwanted) = schema.get("not")
            && self.at(place, unwanted, value).is_ok()
        {
            return Err(named(place, "is what it must not be"));
        }
        if let Some(condition) = schema.get("if") {
            let then = if self.at(place, condition, value).is_ok() { "then" } else { "else" };
            if let Some(then) = schema.get(then) {
                self.at(place, then, value)?;
            }
        }
        Ok(())
    }

    /// A reference that leads back to itself over the same value asks for nothing more.
    fn follow(&mut self, place: &str, target: &'s Value, value: &Value) -> Fits {
        let step = (std::ptr::from_ref(target), std::ptr::from_ref(value));
        if self.following.contains(&step) {
            return Ok(());
        }
        self.following.push(step);
        let fits = self.at(place, target, value);
        self.following.pop();
        fits
    }

    fn any_of(&mut self, place: &str, choices: &'s [Value], value: &Value) -> Fits {
        let mut wrong = Vec::new();
        for choice in choices {
            match self.at(place, choice, value) {
                Ok(()) => return Ok(()),
                Err(why) => wrong.push(why),
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(none_fits(place, wrong)) }
    }

    fn one_of(&mut self, place: &str, choices: &'s [Value], value: &Value) -> Fits {
        let mut wrong = Vec::new();
        for choice in choices {
            wrong.extend(self.at(place, choice, value).err());
        }
        match choices.len() - wrong.len() {
            _ if choices.is_empty() => Ok(()),
            0 => Err(none_fits(place, wrong)),
            1 => Ok(()),
            many => Err(named(place, &format!("is {many} of the things of which it must be exactly one"))),
        }
    }
}

/// A place within the value; the value as a whole is called `it`.
fn named(place: &str, words: &str) -> String {
    format!("{} {words}", if place.is_empty() { "it" } else { place })
}

fn none_fits(place: &str, mut wrong: Vec<String>) -> String {
    wrong.dedup();
    wrong.truncate(4);
    match wrong.as_slice() {
        [only] => only.clone(),
        _ => named(place, &format!("is nothing that it may be: {}", wrong.join("; or "))),
    }
}

/// Keywords for values of every type.
fn whole(schema: &Schema, value: &Value) -> Fits {
    if let Some(kinds) = schema.get("type")
        && !kind_names(kinds).any(|kind| is_kind(kind, value))
    {
        let kinds: Vec<&str> = kind_names(kinds).collect();
        return Err(format!("must be of type {}", kinds.join(" or ")));
    }
    if let Some(Value::Array(words)) = schema.get("enum")
        && !words.iter().any(|word| same(word, value))
    {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        return Err(format!("must be one of {}", words.join(", ")));
    }
    match schema.get("const") {
        Some(only) if !same(only, value) => Err(format!("must be {only}")),
        _ => Ok(()),
    }
}

fn number(schema: &Schema, value: &Value) -> Fits {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let number = value.as_f64().unwrap_or(0.0);
    let outside = |name: &str, is_out: fn(f64, f64) -> bool| bound(name).filter(|at| is_out(number, *at));
    if let Some(least) = outside("minimum", |number, least| number < least) {
        return Err(format!("must be at least {least}"));
    }
    if let Some(most) = outside("maximum", |number, most| number > most) {
        return Err(format!("must be at most {most}"));
    }
    if let Some(least) = outside("exclusiveMinimum", |number, least| number <= least) {
        return Err(format!("must be more than {least}"));
    }
    if let Some(most) = outside("exclusiveMaximum", |number, most| number >= most) {
        return Err(format!("must be less than {most}"));
    }
    match schema.get("multipleOf") {
        Some(step) if !is_multiple(value, step) => Err(format!("must be a multiple of {step}")),
        _ => Ok(()),
    }
}

fn is_multiple(value: &Value, step: &Value) -> bool {
    if let (Some(value), Some(step)) = (value.as_i64(), step.as_i64()) {
        return step == 0 || value % step == 0;
    }
    let (Some(value), Some(step)) = (value.as_f64(), step.as_f64()) else { return true };
    let times = value / step;
    // 0.3 is a multiple of 0.1, whatever binary fractions say.
    (times - times.round()).abs() <= times.abs().max(1.0) * 1e-9
}

fn within(schema: &Schema, least: &str, most: &str, counted: u64, what: &str) -> Fits {
    match (count(schema, least), count(schema, most)) {
        (Some(least), _) if counted < least => Err(format!("must have at least {least} {what}")),
        (_, Some(most)) if counted > most => Err(format!("must have at most {most} {what}")),
        _ => Ok(()),
    }
}

fn count(schema: &Schema, name: &str) -> Option<u64> {
    let value = schema.get(name)?;
    // 2.0 is a count too.
    value.as_u64().or_else(|| value.as_f64().filter(|it| *it >= 0.0).map(|it| it as u64))
}

fn list<'s>(schema: &'s Schema, name: &str) -> &'s [Value] {
    schema.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn members<'s>(schema: &'s Schema, name: &str) -> impl Iterator<Item = (&'s str, &'s Value)> {
    let map = schema.get(name).and_then(Value::as_object);
    map.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.len(),
        Value::Object(map) => map.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// 1 and 1.0 are the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| same(x, y)))
        }
        _ => a == b,
    }
}

/// The same text for what is the same.
fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.to_string(),
            (None, Some(number)) => number.to_string(),
            (None, None) => number.to_string(),
        },
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(map) => {
            let mut members: Vec<String> =
                map.iter().map(|(key, value)| format!("{key:?}:{}", canonical(value))).collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        _ => value.to_string(),
    }
}

pub fn kind_names(kinds: &Value) -> impl Iterator<Item = &str> {
    let many = kinds.as_array().into_iter().flatten().filter_map(Value::as_str);
    kinds.as_str().into_iter().chain(many)
}

fn is_kind(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}
