//! The columns of a kind of data, from its description in core: what an export writes and an import looks for. A row of
//! transactions becomes a [`Transaction`] here.

use baton_core::data::areas::Area;
use baton_core::data::kind::{Field as KindField, FieldType as KindType, Kind, Presence};
use baton_core::data::kinds::{sales_headers, task_headers};
use serde::Deserialize;

use super::field::{Field, FieldType};
use super::value::{Record, Value};
use crate::money::{self, Currency};
use crate::statement::{Activity, Foreign, Own, Refused, Split, Status, Transaction};

/// The id of the row itself.
pub const ROW_ID: &str = "row_id";
/// The parts of a transaction, as JSON: `[{"category": "Groceries", "amount": "-12.50", "memo": "…"}]`.
pub const SPLITS: &str = "splits";
/// Of contacts, where a file has the parts of a name.
pub const FIRST_NAME: &str = "first_name";
pub const LAST_NAME: &str = "last_name";
/// Of deals, where a file tells beside the stage whether it was won or lost.
pub const OUTCOME: &str = "outcome";

/// The field beside a reference: that holds the other row's name, this one its id.
pub fn row_id_of(reference: &str) -> String {
    format!("{reference}.row_id")
}

/// The columns of a kind, in the order in which an export has them.
pub fn fields_of(kind: &Kind) -> Vec<Field> {
    let id = Field::new(ROW_ID, "Row ID", FieldType::Text);
    // Files of other programs name a task's parent by its id there.
    let is_named_by_rows = kind.fields.iter().any(|field| field.of == KindType::Reference(kind.name));
    let mut fields = vec![match is_named_by_rows {
        true => id.synonyms(task_headers::TASK_ID),
        false => id.own_files_only(),
    }];
    for field in kind.fields.iter().filter(|field| field.is_in_files()) {
        let mut column = Field::new(field.name, field.label, type_of(kind, field)).synonyms(field.synonyms);
        // Who has no currency in its rows is asked for one, and an account can be given for a whole file.
        column.required = field.presence == Presence::Required && field.of != KindType::Currency;
        column.own_files_only = field.name == "transfer_id";
        // Contacts can be named by the parts of their names, or by their e-mail.
        column.required &= kind.name != "contacts";
        // A file whose rows name no project is one.
        column.required &= field.of != KindType::Reference("projects");
        fields.push(column);
        if let KindType::Reference(_) = field.of {
            let label = format!("{} row ID", field.label);
            fields.push(Field::new(&row_id_of(field.name), &label, FieldType::Text).own_files_only());
        }
    }
    if kind.field("is_split").is_some() {
        fields.push(Field::new(SPLITS, "Splits", FieldType::Text).own_files_only());
    }
    match kind.name {
        "contacts" => fields.extend([
            elsewhere(FIRST_NAME, "First name", sales_headers::FIRST_NAME),
            elsewhere(LAST_NAME, "Last name", sales_headers::LAST_NAME),
        ]),
        "deals" => fields.push(elsewhere(OUTCOME, "Outcome", sales_headers::OUTCOME)),
        _ => {}
    }
    fields
}

/// What only other programs write.
fn elsewhere(name: &str, label: &str, synonyms: &[&str]) -> Field {
    Field::new(name, label, FieldType::Text).synonyms(synonyms).other_files_only()
}

fn type_of(kind: &Kind, field: &KindField) -> FieldType {
    match field.of {
        KindType::Line { .. }
        | KindType::Prose { .. }
        | KindType::Reference(_)
        | KindType::Member
        | KindType::Id => FieldType::Text,
        KindType::Day => FieldType::Date,
        // Only the one that a row's amounts are in.
        KindType::Currency if field.name == "currency" && has_money(kind) => FieldType::Currency,
        KindType::Currency => FieldType::Text,
        KindType::Money { .. } if field.is_movement => FieldType::Movement,
        KindType::Money { currency: "currency" } => FieldType::Money,
        KindType::Money { .. } | KindType::Number { .. } | KindType::Decimal => FieldType::Number,
        KindType::Flag => FieldType::Bool,
        // Every program has words of its own for them: see core/data/sales.rs and core/data/projects.rs.
        KindType::Choice(_) if matches!(kind.area, Area::Sales | Area::Projects) => FieldType::Text,
        KindType::Choice(choices) => FieldType::Choice(choices.iter().map(|&it| it.to_owned()).collect()),
    }
}

fn has_money(kind: &Kind) -> bool {
    kind.fields.iter().any(|field| matches!(field.of, KindType::Money { currency: "currency" }))
}

/// A record of the columns of transactions. None without a day or an amount.
pub fn transaction(record: &Record, fields: &[Field]) -> Option<Result<Transaction, Refused>> {
    let get = |name: &str| record.get(fields, name);
    let text = |name: &str| match get(name) {
        Some(Value::Text(text) | Value::Choice(text)) => Some(text.clone()),
        _ => None,
    };
    let date = |name: &str| match get(name) {
        Some(Value::Date(date)) => Some(*date),
        _ => None,
    };
    let Some(&Value::Money { amount, currency }) = get("amount") else { return None };
    let booked = date("booked_on")?;
    let splits = match text(SPLITS).map(|text| splits(&text, amount, currency)).transpose() {
        Ok(splits) => splits.unwrap_or_default(),
        Err(reason) => return Some(Err(Refused::new(record.line, reason))),
    };
    let own = Own {
        row_id: text(ROW_ID),
        account: text("account_id"),
        account_id: text(&row_id_of("account_id")),
        category_id: text(&row_id_of("category_id")),
        transfer: text("transfer_id"),
        notes: text("notes"),
    };
    Some(Ok(Transaction {
        source_id: text("source_id"),
        value_date: date("value_on"),
        payee: text("payee"),
        memo: text("memo"),
        reference: text("reference"),
        category: text("category_id"),
        counterparty_iban: text("counterparty_iban"),
        status: text("status").and_then(|word| word.parse().ok()).unwrap_or(Status::Booked),
        activity: text("activity").and_then(|word| word.parse().ok()).unwrap_or(Activity::Payment),
        foreign: foreign(record, fields, currency),
        splits,
        own: Some(own).filter(|own| *own != Own::default()).map(Box::new),
        ..Transaction::new(record.line, booked, amount, currency)
    }))
}

fn foreign(record: &Record, fields: &[Field], own: Currency) -> Option<Foreign> {
    let Some(Value::Text(code)) = record.get(fields, "foreign_currency") else { return None };
    let currency = Currency::parse(code).filter(|other| *other != own)?;
    let number = |name: &str| match record.get(fields, name) {
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let amount = number("foreign_amount").and_then(|number| money::parse_exact(&number, currency).ok());
    Some(Foreign { amount: amount.map(|exact| exact.minor), currency, rate: number("foreign_rate") })
}

fn splits(text: &str, amount: i64, currency: Currency) -> Result<Vec<Split>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Part {
        category: Option<String>,
        amount: String,
        memo: Option<String>,
    }
    let parts: Vec<Part> = serde_json::from_str(text).map_err(|_| "Splits: can't be read".to_owned())?;
    let mut splits = Vec::with_capacity(parts.len());
    for part in parts {
        let amount = baton_core::money::parse(&part.amount, currency);
        let amount = amount.map_err(|wrong| format!("Splits: “{}” {wrong}", part.amount))?;
        splits.push(Split { category: part.category, memo: part.memo, amount });
    }
    let sum = splits.iter().try_fold(0i64, |sum, split| sum.checked_add(split.amount));
    match splits.is_empty() || sum == Some(amount) {
        true => Ok(splits),
        false => Err("its parts do not add up to its amount".to_owned()),
    }
}
