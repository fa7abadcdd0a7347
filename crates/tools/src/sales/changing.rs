//! What a call would change, planned once for the person who is asked and for the write itself.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{Field, FieldType, Kind};
use baton_core::data::kinds::CONTACTS;
use baton_core::data::rows::{Change, Row, RowChange};
use baton_core::data::sales::{self, ContactMerge, filled};
use baton_core::money::{Currency, Money};
use baton_core::tools::{Preview, PreviewChange, ToolFailure};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::asked::Write;
use super::desk::{Desk, title};
use super::fields::{self, Given};
use super::record::Record;
use crate::arguments::text;
use crate::finance::arguments::{Arguments, failure};
use crate::finance::desk::answered;
use crate::finance::fields::currency;

pub struct Plan {
    does: Does,
    pub preview: Preview,
    /// What is told once it is done.
    done: String,
}

enum Does {
    Rows(RowChange),
    Merge(ContactMerge),
}

pub async fn carry_out(desk: &Desk<'_>, write: &Write, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let plan = plan(desk, write, arguments).await?;
    let outcome = match plan.does {
        Does::Rows(change) => desk.change(vec![change]).await?,
        Does::Merge(merge) => desk.merge(merge).await?,
    };
    Ok(answered(outcome, |_| plan.done.clone()))
}

pub async fn plan(desk: &Desk<'_>, write: &Write, arguments: &Arguments) -> Result<Plan, ToolFailure> {
    match write {
        Write::Create(record) => create(desk, *record, arguments).await,
        Write::Change { record, which } => {
            let row = meant(desk, *record, which).await?;
            let given = fields::given(desk, *record, arguments, currency_of(&row, arguments)?).await?;
            if given.fields.is_empty() {
                return Err(failure(format!(
                    "Nothing was changed: say what of the {record} should become what."
                )));
            }
            set(*record, row, given)
        }
        Write::Delete { record, which } => {
            let row = meant(desk, *record, which).await?;
            let (kind, name) = (record.kind(), title(record.kind(), &row));
            let mut changes =
                differences(kind, &name, (&Fields::new(), &Map::new()), (&row.fields, &row.titles));
            for change in &mut changes {
                std::mem::swap(&mut change.old, &mut change.new);
            }
            Ok(Plan {
                does: Does::Rows(Change::Delete { id: row.id, seen: Some(row.version) }.of(kind)),
                preview: Preview {
                    sentence: format!("Delete the {record} {name}."),
                    changes,
                    more: 0,
                    seen: vec![row.seen(kind)],
                },
                done: format!("The {record} {name} is deleted."),
            })
        }
        Write::Merge { kept, merged } => merge(desk, kept, merged).await,
    }
}

/// The row that is to change; a contact without a status is no lead.
async fn meant(desk: &Desk<'_>, record: Record, which: &str) -> Result<Row, ToolFailure> {
    let row = desk.find(Some(record.kind()), which).await?.row;
    let lacks = |name: &str| row.fields.get(name).is_none_or(Value::is_null);
    match record {
        Record::Task if lacks("due_on") => {
            Err(failure(format!("{which:?} is an activity without a due date: manageSales changes it.")))
        }
        _ => Ok(row),
    }
}

/// The currency of a row's amounts, unless the call gives another.
fn currency_of(row: &Row, arguments: &Arguments) -> Result<Option<Currency>, ToolFailure> {
    match text(arguments, "currency")? {
        Some(code) => currency("currency", code).map(Some),
        None => Ok(row.fields.get("currency").and_then(Value::as_str).and_then(Currency::parse)),
    }
}

async fn create(desk: &Desk<'_>, record: Record, arguments: &Arguments) -> Result<Plan, ToolFailure> {
    let kind = record.kind();
    let currency = match (text(arguments, "currency")?, kind.field("currency")) {
        (Some(code), Some(_)) => Some(currency("currency", code)?),
        (None, Some(_)) => Some(desk.usual_currency().await?.ok_or_else(|| {
            failure("currency is required, such as EUR: there is no deal yet that would tell it.")
        })?),
        (_, None) => None,
    };
    let mut given = fields::given(desk, record, arguments, currency).await?;
    given.fields.retain(|_, value| !value.is_null());
    if let Some(row) = there_already(desk, kind, &given.fields).await? {
        // A lead stays what it is.
        if !row.fields.get("status").is_none_or(Value::is_null) && text(arguments, "status")?.is_none() {
            given.fields.remove("status");
        } else if record == Record::Lead {
            given.fields.entry("status").or_insert("new".into());
        }
        return set(record, row, given);
    }
    if let Some(currency) = currency {
        given.fields.insert("currency".to_owned(), currency.code().into());
    }
    if record == Record::Lead {
        given.fields.entry("status").or_insert("new".into());
    }
    let owner = record.owner_field();
    if !given.fields.contains_key(owner) {
        let person = desk.member("me").await?;
        given.fields.insert(owner.to_owned(), person.profile_id.to_string().into());
        given.titles.insert(owner.to_owned(), person.name.into());
    }
    let name = given.fields.get(kind.title).and_then(Value::as_str).unwrap_or_default().to_owned();
    let changes = differences(
        kind,
        &format!("New {record}"),
        (&Fields::new(), &Map::new()),
        (&given.fields, &given.titles),
    );
    Ok(Plan {
        does: Does::Rows(Change::Create { id: Uuid::now_v7(), fields: given.fields }.of(kind)),
        preview: Preview {
            sentence: format!("Make the {record} {name}."),
            changes,
            more: 0,
            seen: Vec::new(),
        },
        done: format!("The {record} {name} is made."),
    })
}

/// The contact with this e-mail, or the company with this domain.
async fn there_already(
    desk: &Desk<'_>,
    kind: &'static Kind,
    given: &Fields,
) -> Result<Option<Row>, ToolFailure> {
    match sales::key_of(kind).and_then(|key| given.get(key)?.as_str()) {
        Some(key) => desk.by_key(kind, key).await,
        None => Ok(None),
    }
}

fn set(record: Record, row: Row, mut given: Given) -> Result<Plan, ToolFailure> {
    let kind = record.kind();
    // What is there in another form is no change.
    sales::canonical(kind, &mut given.fields).map_err(|invalid| failure(format!("{invalid}.")))?;
    let name = title(kind, &row);
    let (mut after, mut titles) = (row.fields.clone(), of_fields(kind, &row.titles));
    after.extend(given.fields.clone());
    titles.extend(given.titles);
    let before = (&row.fields, &of_fields(kind, &row.titles));
    let changes = differences(kind, &name, before, (&after, &titles));
    let seen = vec![row.seen(kind)];
    Ok(Plan {
        does: Does::Rows(Change::Set { id: row.id, seen: Some(row.version), fields: given.fields }.of(kind)),
        preview: Preview { sentence: format!("Change the {record} {name}."), changes, more: 0, seen },
        done: format!("The {record} {name} is changed."),
    })
}

async fn merge(desk: &Desk<'_>, kept: &str, merged: &str) -> Result<Plan, ToolFailure> {
    let kept = desk.find(Some(&CONTACTS), kept).await?.row;
    let merged = desk.find(Some(&CONTACTS), merged).await?.row;
    let (stays, goes) = (title(&CONTACTS, &kept), title(&CONTACTS, &merged));
    if kept.id == merged.id {
        return Err(failure(format!("which and other are the same contact, {stays}.")));
    }
    let mut after = kept.fields.clone();
    after.extend(filled(&CONTACTS, &kept.fields, &merged.fields));
    let (old, mut titles) = (of_fields(&CONTACTS, &kept.titles), of_fields(&CONTACTS, &merged.titles));
    titles.extend(
        old.iter().filter(|(_, title)| !title.is_null()).map(|(name, title)| (name.clone(), title.clone())),
    );
    let changes = differences(&CONTACTS, &stays, (&kept.fields, &old), (&after, &titles));
    Ok(Plan {
        does: Does::Merge(ContactMerge { kept: kept.id, merged: merged.id }),
        preview: Preview {
            sentence: format!(
                "Merge the contact {goes} into {stays}: its deals and activities move over, and {goes} goes."
            ),
            changes,
            more: 0,
            seen: [&kept, &merged].map(|row| row.seen(&CONTACTS)).to_vec(),
        },
        done: format!("The contact {goes} is part of {stays} now."),
    })
}

/// Titles by the names of the fields that name the rows.
fn of_fields(kind: &Kind, titles: &Map<String, Value>) -> Map<String, Value> {
    let named =
        kind.fields.iter().filter(|field| matches!(field.of, FieldType::Reference(_) | FieldType::Member));
    named
        .filter_map(|field| {
            let title = titles.get(baton_core::data::shown::title_name(field.name))?;
            Some((field.name.to_owned(), title.clone()))
        })
        .collect()
}

type Values<'a> = (&'a Fields, &'a Map<String, Value>);

fn differences(kind: &Kind, what: &str, old: Values<'_>, new: Values<'_>) -> Vec<PreviewChange> {
    let shown = |field: &Field, (fields, titles): Values<'_>| {
        let value = fields.get(field.name).filter(|value| !value.is_null())?;
        let currency = || fields.get("currency").and_then(Value::as_str).and_then(Currency::parse);
        Some(match field.of {
            FieldType::Money { .. } => match (value.as_i64(), currency()) {
                (Some(minor), Some(currency)) => Money::new(minor, currency).to_string(),
                _ => value.to_string(),
            },
            FieldType::Reference(_) | FieldType::Member => {
                let title = titles.get(field.name).and_then(Value::as_str).map(str::to_owned);
                title.or_else(|| check::id(value).map(|id| id.to_string()))?
            }
            _ => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        })
    };
    let change = |field: &Field| {
        let (old, new) = (shown(field, old), shown(field, new));
        let what = what.to_owned();
        (old != new).then(|| PreviewChange { what, field: field.label.to_owned(), old, new })
    };
    kind.fields.iter().filter_map(change).collect()
}
