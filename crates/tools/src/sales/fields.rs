//! Fields of customers as the tools take them, from the descriptions of their kinds: camelCase, amounts as decimal text, other
//! rows and people by name.

use baton_core::data::check::Fields;
use baton_core::data::kind::{Field, FieldType};
use baton_core::data::sales::Stage;
use baton_core::money::Currency;
use baton_core::tools::ToolFailure;
use serde_json::{Map, Value, json};

use super::View;
use super::desk::Desk;
use super::record::Record;
use crate::arguments::text;
use crate::finance::arguments::{Arguments, failure};
use crate::finance::fields::{self as common, minor, parameter};

/// The parameters of all fields that a tool can set or choose by, each once.
pub fn properties(view: View) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = Vec::new();
    for record in Record::of(view) {
        for (name, schema) in common::properties(record.kind(), &record.fields()) {
            if !all.iter().any(|(known, _)| *known == name) {
                all.push((name, schema));
            }
        }
    }
    let statuses: Vec<String> = Record::of(view)
        .iter()
        .filter(|record| !record.statuses().is_empty())
        .map(|record| format!("of {} {}", record.many(), record.statuses().join(", ")))
        .collect();
    let status = json!({"type": "string", "description": format!("{}.", statuses.join("; "))});
    // Its words are also those of leads and their statuses: only manageSales has them as a list to choose from.
    if let (View::Crm, Some((_, schema))) = (view, all.iter_mut().find(|(name, _)| name == "stage")) {
        let words = Stage::WORDS.join(", ");
        *schema = json!({"type": "string", "description": format!("Of opportunities: one of {words}.")});
    }
    match all.iter_mut().find(|(name, _)| name == "status") {
        Some((_, schema)) => *schema = status,
        None => all.push(("status".to_owned(), status)),
    }
    all
}

/// What is wrong with fields, as far as they alone tell.
pub fn check(record: Record, arguments: &Arguments) -> Result<(), ToolFailure> {
    let others: Vec<&str> = record.fields().into_iter().filter(|name| *name != "status").collect();
    common::check(record.kind(), &others, arguments)?;
    let Some(status) = text(arguments, "status")? else { return Ok(()) };
    match record.statuses() {
        [] => Err(failure(format!("A {record} has no status: leave it out."))),
        words if words.contains(&status) => Ok(()),
        words => Err(failure(format!("status must be one of {}.", words.join(", ")))),
    }
}

/// Fields of a row with what people call the rows and the persons that they name.
#[derive(Default)]
pub struct Given {
    pub fields: Fields,
    pub titles: Map<String, Value>,
}

/// The fields that the arguments have, as rows hold them. Empty text takes away what is there.
pub async fn given(
    desk: &Desk<'_>,
    record: Record,
    arguments: &Arguments,
    currency: Option<Currency>,
) -> Result<Given, ToolFailure> {
    let mut given = Given::default();
    let kind = record.kind();
    for field in record.fields().iter().filter_map(|name| kind.field(name)) {
        let name = parameter_of(record, field, arguments);
        let Some(value) = arguments.get(&name).filter(|value| !value.is_null()) else { continue };
        let words = text(arguments, &name);
        let value = match field.of {
            FieldType::Money { .. } => match currency {
                Some(currency) => minor(&name, value, currency)?.into(),
                None => return Err(failure("currency is required with an amount, such as EUR.")),
            },
            FieldType::Number { .. } => number(&name, value)?,
            FieldType::Reference(other) => match words? {
                Some(wanted) => {
                    let row = desk.find(baton_core::data::kinds::find(other), wanted).await?;
                    given.titles.insert(field.name.to_owned(), desk.title(&row).into());
                    row.row.id.to_string().into()
                }
                None => Value::Null,
            },
            FieldType::Member => match words? {
                Some(wanted) => {
                    let member = desk.member(wanted).await?;
                    given.titles.insert(field.name.to_owned(), member.name.into());
                    member.profile_id.to_string().into()
                }
                None => Value::Null,
            },
            _ => words?.map_or(Value::Null, Value::from),
        };
        given.fields.insert(field.name.to_owned(), value);
    }
    status(desk, record, arguments, &mut given.fields)?;
    Ok(given)
}

/// Models say owner also of a task.
fn parameter_of(record: Record, field: &Field, arguments: &Arguments) -> String {
    let name = parameter(field);
    if field.name == record.owner_field() && !arguments.contains_key(&name) {
        "owner".to_owned()
    } else {
        name
    }
}

fn number(name: &str, value: &Value) -> Result<Value, ToolFailure> {
    let number = match value {
        Value::String(text) => text.trim().trim_end_matches('%').trim().parse::<i64>().ok(),
        value => value
            .as_i64()
            .or_else(|| value.as_f64().filter(|number| number.fract() == 0.0).map(|it| it as i64)),
    };
    number.map(Value::from).ok_or_else(|| failure(format!("{name} must be a whole number.")))
}

/// What a status means for the fields of a row.
fn status(
    desk: &Desk<'_>,
    record: Record,
    arguments: &Arguments,
    fields: &mut Fields,
) -> Result<(), ToolFailure> {
    let Some(status) = text(arguments, "status")? else { return Ok(()) };
    let mut set = |name: &str, value: Value| {
        fields.entry(name.to_owned()).or_insert(value);
    };
    match (record.kind().name, status) {
        ("deals", "won" | "lost") => set("stage", status.into()),
        ("deals", _) => {
            return Err(failure("To open it again, set its stage to the one that it is in now."));
        }
        ("activities", "done") => set("done_on", desk.today.to_string().into()),
        ("activities", "open") => set("done_on", Value::Null),
        ("activities", _) => return Err(failure("overdue is what a task becomes by itself: set dueOn.")),
        _ => {}
    }
    Ok(())
}
