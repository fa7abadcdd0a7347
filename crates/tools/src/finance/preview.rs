//! What a call would change, for the person who is asked: a sentence, and old and new values by the names of their fields.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{Field, FieldType, Kind};
use baton_core::data::rows::Row;
use baton_core::money::{self, Currency};
use baton_core::reports::MoneyBook;
use baton_core::tools::{Preview, PreviewChange};
use serde_json::Value;

/// A row that would be made.
pub fn made(kind: &Kind, fields: &Fields, book: &MoneyBook) -> Preview {
    let name = title(kind, fields);
    let changes = differences(kind, &format!("New {}", kind.one), &Fields::new(), fields, book);
    Preview { sentence: format!("Make the {} {name}.", kind.one), changes, more: 0, seen: Vec::new() }
}

/// A row whose fields would be set.
pub fn set(kind: &Kind, row: &Row, fields: &Fields, book: &MoneyBook) -> Preview {
    let name = title(kind, &row.fields);
    let mut after = row.fields.clone();
    after.extend(fields.clone());
    let changes = differences(kind, &name, &row.fields, &after, book);
    let sentence = format!("Change the {} {name}.", kind.one);
    Preview { sentence, changes, more: 0, seen: vec![row.seen(kind)] }
}

/// A row that would go.
pub fn deleted(kind: &Kind, row: &Row, book: &MoneyBook) -> Preview {
    let name = title(kind, &row.fields);
    let mut changes = differences(kind, &name, &Fields::new(), &row.fields, book);
    for change in &mut changes {
        std::mem::swap(&mut change.old, &mut change.new);
    }
    let sentence = format!("Delete the {} {name}.", kind.one);
    Preview { sentence, changes, more: 0, seen: vec![row.seen(kind)] }
}

pub fn title(kind: &Kind, fields: &Fields) -> String {
    fields.get(kind.title).and_then(Value::as_str).unwrap_or("without a name").to_owned()
}

/// A transaction as people tell it apart: `2026-10-03, Corner shop, EUR -12.50`.
pub fn transaction(row: &Row) -> String {
    let text = |name: &str| row.fields.get(name).and_then(Value::as_str);
    let currency = text("currency").and_then(Currency::parse);
    let amount = row.fields.get("amount").and_then(Value::as_i64);
    let amount =
        amount.zip(currency).map(|(amount, currency)| money::Money::new(amount, currency).to_string());
    let parts = [text("booked_on").map(str::to_owned), text("payee").map(str::to_owned), amount];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn differences(kind: &Kind, what: &str, old: &Fields, new: &Fields, book: &MoneyBook) -> Vec<PreviewChange> {
    let currency = |fields: &Fields| {
        let code = fields.get("currency").or_else(|| old.get("currency"))?;
        code.as_str().and_then(Currency::parse)
    };
    let changed = kind.fields.iter().filter(|field| old.get(field.name) != new.get(field.name));
    let change = |field: &Field| {
        let value = |fields: &Fields| shown(field, fields.get(field.name)?, currency(fields), book);
        let (old, new) = (value(old), value(new));
        let what = what.to_owned();
        (old != new).then(|| PreviewChange { what, field: field.label.to_owned(), old, new })
    };
    changed.filter_map(change).collect()
}

/// A value for people; none for null.
pub fn shown(field: &Field, value: &Value, currency: Option<Currency>, book: &MoneyBook) -> Option<String> {
    if value.is_null() {
        return None;
    }
    Some(match field.of {
        FieldType::Money { .. } => match (value.as_i64(), currency) {
            (Some(minor), Some(currency)) => money::Money::new(minor, currency).to_string(),
            _ => value.to_string(),
        },
        FieldType::Reference(other) => {
            let id = check::id(value)?;
            match other {
                "accounts" => book.account(id).map(|account| account.name.clone())?,
                _ => book.category_name(id).to_owned(),
            }
        }
        FieldType::Flag => if value.as_bool() == Some(true) { "yes" } else { "no" }.to_owned(),
        _ => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    })
}
