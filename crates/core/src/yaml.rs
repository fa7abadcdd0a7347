//! YAML documents as JSON, as far as other programs' descriptions use it. They come from anywhere, so nothing is expanded
//! (aliases), nothing nests without an end, and the document is bounded before it is read.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

use crate::text::MAX_DEPTH;

/// What is open while a document is read.
enum Open {
    List(Vec<Value>),
    /// With the key whose value comes next.
    Object(Map<String, Value>, Option<String>),
}

/// The one document of a text; words for people if there is none.
pub fn read(text: &str) -> Result<Value, String> {
    let mut open: Vec<Open> = Vec::new();
    let mut found = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| format!("is not YAML: {error}"))?;
        let value = match event {
            Event::Alias(_) => return Err("uses YAML aliases, which are not read here".to_owned()),
            Event::MappingStart(..) | Event::SequenceStart(..) if open.len() >= MAX_DEPTH => {
                return Err(format!("is nested deeper than {MAX_DEPTH} levels"));
            }
            Event::MappingStart(..) => {
                open.push(Open::Object(Map::new(), None));
                continue;
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(Open::List(items)) => Value::Array(items),
                Some(Open::Object(map, _)) => Value::Object(map),
                None => continue,
            },
            Event::Scalar(text, style, _, tag) => {
                if let Some(Open::Object(_, key @ None)) = open.last_mut() {
                    *key = Some(text.into_owned());
                    continue;
                }
                if style == ScalarStyle::Plain && tag.is_none() {
                    plain(&text)
                } else {
                    text.into_owned().into()
                }
            }
            _ => continue,
        };
        match open.last_mut() {
            None if found.is_some() => return Err("must be one YAML document".to_owned()),
            None => found = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Object(map, key)) => {
                let line = span.start.line() + 1;
                let key = key.take().ok_or_else(|| format!("has no plain key in line {line}"))?;
                map.insert(key, value);
            }
        }
    }
    found.ok_or_else(|| "holds nothing".to_owned())
}

/// A value without quotes, as JSON has it: what else YAML may mean by one (dates, octal numbers, yes and no) is text.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => match text.parse::<i64>() {
            Ok(number) if !text.starts_with('+') => number.into(),
            _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                let number = text.parse::<f64>().ok().and_then(Number::from_f64);
                number.map_or_else(|| text.into(), Value::Number)
            }
            _ => text.into(),
        },
    }
}

#[cfg(test)]
mod tests;
