//! Whether a JSON value is a schema that can be checked completely. Every keyword must be known and have a valid
//! value: a keyword that was skipped would accept what its author meant to refuse.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::check::kind_names;
use super::{resolve, words};

const TYPES: &[&str] = &["string", "number", "integer", "boolean", "array", "object", "null"];
const DEEPEST: usize = 16;

/// What a keyword must hold.
enum Holds {
    Schema,
    /// At least one.
    Schemas,
    SchemasByName,
    SchemasByPattern,
    Types,
    Choices,
    Names,
    NamesByName,
    Count,
    Number,
    /// Above zero.
    Step,
    Truth,
    Text,
    Pattern,
    Format,
    Reference,
    Anything,
}

fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "items" | "additionalProperties" | "propertyNames" | "contains" | "not" | "if" | "then" | "else" => {
            Holds::Schema
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "properties" | "dependentSchemas" | "$defs" | "definitions" => Holds::SchemasByName,
        "patternProperties" => Holds::SchemasByPattern,
        "type" => Holds::Types,
        "enum" => Holds::Choices,
        "required" => Holds::Names,
        "dependentRequired" => Holds::NamesByName,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minContains" | "maxContains"
        | "minProperties" | "maxProperties" => Holds::Count,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Holds::Number,
        "multipleOf" => Holds::Step,
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => Holds::Truth,
        "title" | "description" | "$comment" | "$schema" => Holds::Text,
        "pattern" => Holds::Pattern,
        "format" => Holds::Format,
        "$ref" => Holds::Reference,
        "const" | "default" | "examples" => Holds::Anything,
        // Notes of whoever made it; nothing is meant to be checked by them.
        _ if keyword.starts_with("x-") => Holds::Anything,
        _ => return None,
    })
}

pub fn check(schema: &Value) -> Result<(), String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err("must be a JSON Schema whose type is object".to_owned());
    }
    let mut shape = Shape { root: schema, seen: HashSet::new(), led_to: Vec::new(), sound: HashSet::new() };
    shape.schema("it", schema, Part::Whole, 0)?;
    while let Some((place, target)) = shape.led_to.pop() {
        shape.schema(&place, target, Part::OneOfMany, 0)?;
    }
    Ok(())
}

/// Whether a schema describes a value alone, or with others of which it is one.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Whole,
    OneOfMany,
}

struct Shape<'s> {
    root: &'s Value,
    /// Schemas that references lead to, by their address in memory: each is checked once.
    seen: HashSet<*const Value>,
    /// Of those, the schemas that are still to be checked, with the place of the reference.
    led_to: Vec<(String, &'s Value)>,
    /// Schemas that are known not to lead back to themselves.
    sound: HashSet<*const Value>,
}

impl<'s> Shape<'s> {
    fn schema(&mut self, place: &str, schema: &'s Value, part: Part, depth: usize) -> Result<(), String> {
        let keywords = match schema {
            Value::Bool(_) => return Ok(()),
            Value::Object(keywords) => keywords,
            _ => return Err(format!("{place} must be a JSON Schema")),
        };
        if depth > DEEPEST {
            return Err(format!("{place} is nested too deeply"));
        }
        for (keyword, value) in keywords {
            let Some(must) = holds(keyword) else {
                return Err(format!("{place} has the keyword {keyword}, which can't be checked here"));
            };
            self.keyword(place, keyword, &must, value, depth)?;
        }
        if self.leads_back(schema, &mut Vec::new()) {
            return Err(format!("{place}: $ref leads back to where it is, without an end"));
        }
        match unknown_requirement(keywords) {
            Some(name) if part == Part::Whole => {
                Err(format!("{place} requires {name}, which is none of its properties"))
            }
            _ => Ok(()),
        }
    }

    fn keyword(
        &mut self,
        place: &str,
        keyword: &str,
        must: &Holds,
        value: &'s Value,
        depth: usize,
    ) -> Result<(), String> {
        let wrong = |must: &str| Err(format!("{place}: {keyword} {must}"));
        let depth = depth + 1;
        match must {
            Holds::Anything => Ok(()),
            Holds::Text if value.is_string() => Ok(()),
            Holds::Text => wrong("must be text"),
            Holds::Truth if value.is_boolean() => Ok(()),
            Holds::Truth => wrong("must be true or false"),
            Holds::Number if value.is_number() => Ok(()),
            Holds::Number => wrong("must be a number"),
            Holds::Step if value.as_f64().is_some_and(|step| step > 0.0) => Ok(()),
            Holds::Step => wrong("must be a number above 0"),
            Holds::Count if value.as_f64().is_some_and(|it| it >= 0.0 && it.fract() == 0.0) => Ok(()),
            Holds::Count => wrong("must be a whole number, 0 or more"),
            Holds::Choices if value.as_array().is_some_and(|choices| !choices.is_empty()) => Ok(()),
            Holds::Choices => wrong("must be a list that isn't empty"),
            Holds::Names if are_names(value) => Ok(()),
            Holds::Names => wrong("must be a list of names"),
            Holds::NamesByName if value.as_object().is_some_and(|map| map.values().all(are_names)) => Ok(()),
            Holds::NamesByName => wrong("must be an object of lists of names"),
            Holds::Types if are_types(value) => Ok(()),
            Holds::Types => Err(format!("{place} has a type that is none of {}", TYPES.join(", "))),
            Holds::Format => match value.as_str() {
                Some(format) if words::FORMATS.contains(&format) => Ok(()),
                _ => wrong(&format!("must be one of {}", words::FORMATS.join(", "))),
            },
            Holds::Pattern => match value.as_str().map(words::pattern) {
                Some(Ok(_)) => Ok(()),
                Some(Err(why)) => wrong(&why),
                None => wrong("must be text"),
            },
            Holds::Reference => match value.as_str().and_then(|text| resolve(self.root, text)) {
                Some(target) => {
                    if self.seen.insert(target) {
                        let reference = value.as_str().unwrap_or_default();
                        self.led_to.push((format!("{place} ({reference})"), target));
                    }
                    Ok(())
                }
                None => wrong("must lead to a schema within this one, such as #/$defs/name"),
            },
            Holds::Schema => {
                let (place, part) = match keyword {
                    "items" => (format!("{place}[]"), Part::Whole),
                    "additionalProperties" => (format!("{place}.*"), Part::Whole),
                    _ => (format!("{place} ({keyword})"), Part::OneOfMany),
                };
                self.schema(&place, value, part, depth)
            }
            Holds::Schemas => match value.as_array() {
                Some(many) if !many.is_empty() => {
                    let mut many = many.iter().enumerate();
                    many.try_for_each(|(at, one)| {
                        self.schema(&format!("{place} ({keyword}[{at}])"), one, Part::OneOfMany, depth)
                    })
                }
                _ => wrong("must be a list of schemas that isn't empty"),
            },
            Holds::SchemasByName | Holds::SchemasByPattern => {
                let Value::Object(named) = value else { return wrong("must be an object") };
                for (name, one) in named {
                    if matches!(must, Holds::SchemasByPattern) {
                        let why = words::pattern(name).err();
                        why.map_or(Ok(()), |why| wrong(&format!("has {name}, which {why}")))?;
                    }
                    let (place, part) = match keyword {
                        "properties" | "patternProperties" => (format!("{place}.{name}"), Part::Whole),
                        _ => (format!("{place} ({keyword}.{name})"), Part::OneOfMany),
                    };
                    self.schema(&place, one, part, depth)?;
                }
                Ok(())
            }
        }
    }

    /// Whether checking one value against this schema would mean checking it against the same one again.
    fn leads_back(&mut self, schema: &'s Value, above: &mut Vec<*const Value>) -> bool {
        let here: *const Value = schema;
        if above.contains(&here) {
            return true;
        }
        let Value::Object(keywords) = schema else { return false };
        if self.sound.contains(&here) {
            return false;
        }
        above.push(here);
        let found = self.same_value(keywords).into_iter().any(|next| self.leads_back(next, above));
        above.pop();
        if !found {
            self.sound.insert(here);
        }
        found
    }

    /// The schemas that the same value is checked against.
    fn same_value(&self, keywords: &'s Map<String, Value>) -> Vec<&'s Value> {
        let many = |name: &str| keywords.get(name).and_then(Value::as_array).into_iter().flatten();
        let reference = keywords.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|text| resolve(self.root, text));
        let single = ["not", "if", "then", "else"].into_iter().filter_map(|name| keywords.get(name));
        let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(many);
        let dependent = keywords.get("dependentSchemas").and_then(Value::as_object);
        target
            .into_iter()
            .chain(single)
            .chain(lists)
            .chain(dependent.into_iter().flat_map(Map::values))
            .collect()
    }
}

/// A name that is required but nowhere described, which is mostly a typo. If other schemas apply to the same value,
/// they may describe it.
fn unknown_requirement(keywords: &Map<String, Value>) -> Option<&str> {
    const OTHERS: &[&str] =
        &["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"];
    let is_open = keywords.get("additionalProperties").is_some_and(Value::is_object);
    if is_open || OTHERS.iter().any(|keyword| keywords.contains_key(*keyword)) {
        return None;
    }
    let properties = keywords.get("properties").and_then(Value::as_object);
    let mut required = keywords.get("required")?.as_array()?.iter().filter_map(Value::as_str);
    required.find(|name| !properties.is_some_and(|known| known.contains_key(*name)))
}

fn are_names(value: &Value) -> bool {
    value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
}

fn are_types(value: &Value) -> bool {
    let all_text = value.as_array().is_none_or(|kinds| kinds.iter().all(Value::is_string));
    let mut kinds = kind_names(value).peekable();
    all_text && kinds.peek().is_some() && kinds.all(|kind| TYPES.contains(&kind))
}
