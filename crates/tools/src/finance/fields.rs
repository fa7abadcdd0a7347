//! Fields of rows as tools take them, from the descriptions of their kinds: camelCase, amounts as decimal text, other
//! rows by name.

use baton_core::data::check::Fields;
use baton_core::data::kind::{Field, FieldType, Kind};
use baton_core::money::{self, Currency};
use baton_core::reports::MoneyBook;
use baton_core::tools::ToolFailure;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, amount_text, failure, flag};
use super::names;
use crate::arguments::text;

/// The parameter of a field: `startsOn`; of a field that refers to another row, what that row is called: `category`.
pub fn parameter(field: &Field) -> String {
    let name = field.camel_name();
    match field.of {
        FieldType::Reference(_) | FieldType::Member => name.strip_suffix("Id").unwrap_or(&name).to_owned(),
        _ => name,
    }
}

/// The fields of a kind that a tool sets: all that anyone may set but these, each left out for a reason. So a new field reaches
/// the tool by itself.
pub fn settable(kind: &'static Kind, left_out: LeftOut) -> Vec<&'static str> {
    kind.settable().filter(|name| left_out.iter().all(|(left_out, _)| left_out != name)).collect()
}

/// Fields that a tool doesn't set, and why.
pub type LeftOut = &'static [(&'static str, &'static str)];

fn known<'a>(kind: &'static Kind, names: &'a [&str]) -> impl Iterator<Item = &'static Field> + use<'a> {
    names.iter().filter_map(|name| kind.field(name))
}

/// These fields as parameters.
pub fn properties(kind: &'static Kind, names: &[&str]) -> Vec<(String, Value)> {
    known(kind, names).map(|field| (parameter(field), property(field))).collect()
}

fn property(field: &Field) -> Value {
    let mut about = if field.about.is_empty() { field.label.to_owned() } else { field.about.to_owned() };
    let mut schema = match field.of {
        FieldType::Line { max } | FieldType::Prose { max } => json!({"type": "string", "maxLength": max}),
        FieldType::Day => {
            about.push_str(", YYYY-MM-DD");
            json!({"type": "string", "format": "date"})
        }
        FieldType::Currency => {
            about.push_str(", such as EUR");
            json!({"type": "string"})
        }
        FieldType::Money { .. } => {
            about.push_str(", as a decimal such as 250.00");
            json!({"type": "string"})
        }
        FieldType::Decimal => json!({"type": "string"}),
        FieldType::Number { least, most } => json!({"type": "integer", "minimum": least, "maximum": most}),
        FieldType::Flag => json!({"type": "boolean"}),
        FieldType::Choice(choices) => json!({"type": "string", "enum": choices}),
        FieldType::Member => {
            about.push_str("; a member's name or e-mail address, or me");
            json!({"type": "string"})
        }
        FieldType::Reference(_) | FieldType::Id => {
            about.push_str("; its name or id");
            json!({"type": "string"})
        }
    };
    schema["description"] = format!("{about}.").into();
    schema
}

/// What is wrong with fields, as far as they alone tell.
pub fn check(kind: &'static Kind, names: &[&str], arguments: &Arguments) -> Result<(), ToolFailure> {
    for field in known(kind, names) {
        let name = parameter(field);
        let Some(given) = arguments.get(&name).filter(|given| !given.is_null()) else { continue };
        match field.of {
            FieldType::Money { .. } => {
                amount_text(given).ok_or_else(|| not_money(&name))?;
            }
            FieldType::Flag => drop(flag(arguments, &name)?),
            FieldType::Currency => {
                let code = text(arguments, &name)?;
                code.map(|code| currency(&name, code)).transpose()?;
            }
            FieldType::Day => drop(super::arguments::day(arguments, &name)?),
            FieldType::Choice(choices) => {
                let chosen = text(arguments, &name)?;
                if chosen.is_some_and(|chosen| !choices.contains(&chosen)) {
                    return Err(failure(format!("{name} must be one of {}.", choices.join(", "))));
                }
            }
            FieldType::Number { .. } => {}
            _ => drop(text(arguments, &name)?),
        }
    }
    Ok(())
}

fn not_money(name: &str) -> ToolFailure {
    failure(format!("{name} must be an amount such as 250.00, with a point and without a currency sign."))
}

pub fn currency(name: &str, code: &str) -> Result<Currency, ToolFailure> {
    Currency::parse(code).ok_or_else(|| failure(format!("{name} must be a currency code such as EUR.")))
}

/// Minor units of an amount.
pub fn minor(name: &str, given: &Value, currency: Currency) -> Result<i64, ToolFailure> {
    let text = amount_text(given).ok_or_else(|| not_money(name))?;
    money::parse(&text, currency).map_err(|wrong| failure(format!("{name} {wrong}.")))
}

/// The fields among `names` that the arguments set, as rows hold them. Empty text takes away what is there.
pub fn given(
    kind: &'static Kind,
    names: &[&str],
    arguments: &Arguments,
    book: &MoneyBook,
    currency_of_row: Currency,
) -> Result<Fields, ToolFailure> {
    let mut fields = Map::new();
    for field in known(kind, names) {
        let name = parameter(field);
        let Some(given) = arguments.get(&name).filter(|given| !given.is_null()) else { continue };
        let text = text(arguments, &name);
        let value = match field.of {
            FieldType::Money { .. } => minor(&name, given, currency_of_row)?.into(),
            FieldType::Flag => flag(arguments, &name)?.into(),
            FieldType::Reference(other) => match text? {
                Some(wanted) if other == "accounts" => names::account(book, wanted)?.to_string().into(),
                Some(wanted) => names::category(book, wanted)?.to_string().into(),
                None => Value::Null,
            },
            FieldType::Number { .. } => given.clone(),
            _ => text?.map_or(Value::Null, Value::from),
        };
        fields.insert(field.name.to_owned(), value);
    }
    Ok(fields)
}

/// A schema of an object with these parameters, none of them required: what an action needs is said by its error.
pub fn object(properties: impl IntoIterator<Item = (String, Value)>) -> Value {
    let properties: Map<String, Value> = properties.into_iter().collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

pub fn named<'a>(
    properties: impl IntoIterator<Item = (&'a str, Value)>,
) -> impl Iterator<Item = (String, Value)> {
    properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect::<Vec<_>>().into_iter()
}
