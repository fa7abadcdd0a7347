//! Checks what someone sends for a row against the description of its kind, and brings it into canonical form. Whether
//! references exist is for the store to say: [`references`] names them.

use std::borrow::Cow;

use chrono::{Datelike, NaiveDate};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::kind::{Field, FieldType, Kind, Presence};
use crate::money::Currency;
use crate::search;
use crate::text::{self, Invalid};

pub type Fields = Map<String, Value>;

/// In minor units. Sums of very many such amounts still fit.
pub const MAX_AMOUNT: i64 = 1_000_000_000_000_000;
/// Years in which things are booked and planned.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2199;
/// Digits of a decimal number before and after its point.
const WHOLE_DIGITS: usize = 12;
const PART_DIGITS: usize = 12;

/// A new row: all fields of the kind, with defaults for what is left out. Derived fields are null.
pub fn created(kind: &Kind, given: &Fields) -> Result<Fields, Invalid> {
    known(kind, given)?;
    let mut row = Fields::new();
    for field in kind.fields {
        let value = match (given.get(field.name), field.presence) {
            (None, Presence::Default(json)) => serde_json::from_str(json).unwrap_or(Value::Null),
            (None, Presence::Required | Presence::Fixed) => {
                return Err(Invalid::new(field.name, "is required"));
            }
            (None, Presence::Optional | Presence::Derived) => Value::Null,
            (Some(given), _) => checked(field, given)?,
        };
        row.insert(field.name.to_owned(), value);
    }
    Ok(row)
}

/// The row as it is after a change: fields that are not given stay.
pub fn changed(kind: &Kind, row: &Fields, given: &Fields) -> Result<Fields, Invalid> {
    known(kind, given)?;
    let mut row = row.clone();
    for field in kind.fields {
        let Some(given) = given.get(field.name) else { continue };
        let value = checked(field, given)?;
        if field.presence == Presence::Fixed && row.get(field.name) != Some(&value) {
            return Err(Invalid::new(field.name, "can't be changed once the row is there"));
        }
        row.insert(field.name.to_owned(), value);
    }
    Ok(row)
}

/// What someone may compare a field with, in canonical form.
pub fn asked(field: &Field, given: &Value) -> Result<Value, Invalid> {
    match value(field, given)? {
        Value::Null => Err(Invalid::new(field.name, "must not be empty")),
        value => Ok(value),
    }
}

/// The rows that a row refers to: kind and id.
pub fn references<'a>(
    kind: &'a Kind,
    row: &'a Fields,
) -> impl Iterator<Item = (&'static Field, &'static str, Uuid)> + 'a {
    kind.fields.iter().filter_map(|field| match field.of {
        FieldType::Reference(other) => id(row.get(field.name)?).map(|id| (field, other, id)),
        _ => None,
    })
}

/// The kind that a field refers to.
pub fn reference(field: &Field) -> Option<&'static str> {
    match field.of {
        FieldType::Reference(other) => Some(other),
        _ => None,
    }
}

/// The people that a row names.
pub fn members<'a>(kind: &'a Kind, row: &'a Fields) -> impl Iterator<Item = (&'static Field, Uuid)> + 'a {
    let named = kind.fields.iter().filter(|field| field.of == FieldType::Member);
    named.filter_map(|field| Some((field, id(row.get(field.name)?)?)))
}

/// An id as rows have it.
pub fn id(value: &Value) -> Option<Uuid> {
    value.as_str()?.parse().ok()
}

/// The text that a row is searched by: of a kind with very many rows its words, each between two spaces; of others all of it,
/// folded.
pub fn search_text(kind: &Kind, row: &Fields) -> String {
    search_text_of(kind, &searched(kind, row))
}

/// The same for what is searched of a row.
pub fn search_text_of(kind: &Kind, text: &str) -> String {
    if !kind.is_searched_by_words() {
        return text::fold(text);
    }
    let mut words = String::from(" ");
    for word in search::words(text) {
        words.push_str(&word.folded);
        words.push(' ');
    }
    words
}

/// What of a row can be searched, as it was written.
pub fn searched(kind: &Kind, row: &Fields) -> String {
    let fields = kind.fields.iter().filter(|field| field.is_searched);
    let texts: Vec<&str> = fields.filter_map(|field| row.get(field.name)?.as_str()).collect();
    texts.join(" ")
}

/// About how much space a row takes.
pub fn bytes(row: &Fields) -> i64 {
    let of = |value: &Value| match value {
        Value::String(text) => text.len(),
        Value::Array(items) => 40 * items.len(),
        _ => 8,
    };
    (100 + row.values().map(of).sum::<usize>()).cast_signed() as i64
}

fn known(kind: &Kind, given: &Fields) -> Result<(), Invalid> {
    for name in given.keys() {
        match kind.field(name) {
            None => {
                let fields: Vec<&str> = kind.settable().collect();
                let message = format!("is no field of a {}; there are {}", kind.one, fields.join(", "));
                return Err(Invalid::new(name, message));
            }
            Some(field) if field.presence == Presence::Derived => {
                return Err(Invalid::new(name, "is set by the server"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn checked(field: &Field, given: &Value) -> Result<Value, Invalid> {
    match (value(field, given)?, field.presence) {
        (Value::Null, Presence::Required | Presence::Fixed) => Err(Invalid::new(field.name, "is required")),
        (Value::Null, Presence::Default(_)) => Err(Invalid::new(field.name, "must not be empty")),
        (value, _) => Ok(value),
    }
}

/// The canonical form of a value; null is none.
fn value(field: &Field, given: &Value) -> Result<Value, Invalid> {
    if given.is_null() {
        return Ok(Value::Null);
    }
    let must = |what: Cow<'static, str>| Invalid::new(field.name, format!("must be {what}"));
    let as_text = |what: &'static str| given.as_str().ok_or_else(|| must(what.into()));
    let or_null = |text: Option<String>| text.map_or(Value::Null, Value::from);
    match field.of {
        FieldType::Line { max } => {
            text::optional(field.name, Some(as_text("text")?), max, text::line).map(or_null)
        }
        FieldType::Prose { max } => {
            text::optional(field.name, Some(as_text("text")?), max, text::prose).map(or_null)
        }
        FieldType::Day => {
            let what = "a day such as 2026-01-31";
            let text = as_text(what)?;
            day(text).map(|day| day.to_string().into()).ok_or_else(|| must(what.into()))
        }
        FieldType::Currency => {
            let what = "a currency code such as EUR";
            let currency = Currency::parse(as_text(what)?).ok_or_else(|| must(what.into()))?;
            Ok(currency.code().into())
        }
        FieldType::Money { .. } => {
            let number = given.as_i64().ok_or_else(|| must("an integer, in minor units (cents)".into()))?;
            match (-MAX_AMOUNT..=MAX_AMOUNT).contains(&number) {
                true => Ok(number.into()),
                false => Err(Invalid::new(field.name, "is too large")),
            }
        }
        FieldType::Number { least, most } => match given.as_i64() {
            Some(number) if (least..=most).contains(&number) => Ok(number.into()),
            _ => Err(must(format!("an integer from {least} to {most}").into())),
        },
        FieldType::Decimal => {
            let what = "a positive decimal number as text, such as \"1.0845\"";
            decimal(as_text(what)?).map(Value::from).ok_or_else(|| must(what.into()))
        }
        FieldType::Flag => given.as_bool().map(Value::from).ok_or_else(|| must("true or false".into())),
        FieldType::Choice(choices) => match given.as_str().filter(|given| choices.contains(given)) {
            Some(choice) => Ok(choice.into()),
            None => Err(must(format!("one of {}", choices.join(", ")).into())),
        },
        FieldType::Reference(_) | FieldType::Member | FieldType::Id => {
            let id = id(given).ok_or_else(|| must("an id".into()))?;
            Ok(id.to_string().into())
        }
    }
}

/// A day in the only form we take.
pub fn day(text: &str) -> Option<NaiveDate> {
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    (text.len() == 10 && YEARS.contains(&day.year())).then_some(day)
}

/// Digits with a point, without zeros that say nothing; none if it is anything else.
pub fn decimal(text: &str) -> Option<String> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(part) {
        return None;
    }
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    if whole.len() > WHOLE_DIGITS || part.len() > PART_DIGITS || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") })
}

#[cfg(test)]
mod tests;
