//! Guesses which column is which field, by headers first and by what the cells look like, and says what it can't know.

use serde::Serialize;

use super::columns::Column;
use super::field::{Field, FieldType};
use super::headers::{self, best};
use super::layout::Layout;
use super::mapping::{Mapping, SignOf, Source};
use super::read::Options;
use crate::date::DateColumn;
use crate::money::{AmountColumn, Currency, Decided, DecimalSign};

/// Headers that fit less than this fit nothing.
const ENOUGH: u32 = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    pub mapping: Mapping,
    /// What a person must say before the file can be read; empty if nothing.
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Question {
    /// Answered by `date_order`.
    DateOrder { samples: Vec<String> },
    /// Answered by `decimal_sign`.
    DecimalSign { samples: Vec<String> },
    /// Answered by `columns[field]`.
    Column { field: String, label: String, columns: Vec<String> },
    /// Answered by `currency`.
    Currency,
}

impl Question {
    pub fn text(&self) -> String {
        match self {
            Self::DateOrder { samples } => {
                format!("Is the day or the month first in dates such as {}?", samples.join(", "))
            }
            Self::DecimalSign { samples } => {
                format!("Which sign begins the decimals in amounts such as {}?", samples.join(", "))
            }
            Self::Column { label, .. } => format!("Which column is {label}?"),
            Self::Currency => "Which currency are the amounts in?".to_owned(),
        }
    }
}

/// `columns` have looked at every row of the file.
pub fn guess(layout: &Layout, columns: &[Column], fields: &[Field], options: &Options) -> Guess {
    let mut mapping = Mapping {
        has_header: layout.has_header,
        delimiter: Some(layout.delimiter),
        sign: SignOf::AsWritten,
        ..Mapping::default()
    };
    let exported = || fields.iter().filter(|field| !field.other_files_only);
    if layout.headers.iter().eq(exported().map(|field| &field.label)) {
        // A file that `export` wrote: nothing about it is unknown.
        let own = exported().map(|field| (field.name.clone(), Source::column(&field.label)));
        mapping.columns = own.collect();
        mapping.decimal_sign = Some(DecimalSign::Point);
        return finish(mapping, columns, fields, options);
    }
    by_headers(columns, fields, &mut mapping);
    for field in fields {
        match field.of {
            FieldType::Movement => movement(columns, field, &mut mapping),
            FieldType::Date | FieldType::Money if field.required => by_looks(columns, field, &mut mapping),
            _ => {}
        }
    }
    finish(mapping, columns, fields, options)
}

/// Fills in what the columns decide, and asks for the rest. For a kept mapping too: what it says holds, unless the
/// file's own columns can't be read so.
pub(super) fn finish(mut mapping: Mapping, columns: &[Column], fields: &[Field], options: &Options) -> Guess {
    let mut questions = Vec::new();
    for field in fields.iter().filter(|field| field.required && !mapping.columns.contains_key(&field.name)) {
        questions.push(Question::Column {
            field: field.name.clone(),
            label: field.label.clone(),
            columns: columns.iter().map(|column| column.name.clone()).collect(),
        });
    }
    let used = |wanted: fn(&Field) -> bool| {
        let sources = fields.iter().filter(move |field| wanted(field));
        let names: Vec<&str> = sources
            .filter_map(|field| mapping.columns.get(&field.name))
            .flat_map(|source| match source {
                Source::Directed { amount, .. } => vec![amount.as_str()],
                other => other.columns(),
            })
            .collect();
        columns.iter().filter(|column| names.contains(&column.name.as_str())).collect::<Vec<_>>()
    };
    let (mut dates, mut amounts) = (DateColumn::default(), AmountColumn::default());
    used(|field| field.of == FieldType::Date).iter().for_each(|column| dates.merge(&column.dates));
    let money = used(Field::is_money);
    money.iter().for_each(|column| amounts.merge(&column.amounts));
    used(|field| field.of == FieldType::Number).iter().for_each(|column| amounts.merge(&column.amounts));

    let has_currency_column = fields
        .iter()
        .any(|field| field.of == FieldType::Currency && mapping.columns.contains_key(&field.name));
    if mapping.currency.is_none() && !has_currency_column {
        mapping.currency = named_currency(&money).or(options.currency);
    }
    if !money.is_empty() && mapping.currency.is_none() && options.currency.is_none() && !has_currency_column {
        questions.push(Question::Currency);
    }
    match (dates.decide(), mapping.date_order) {
        (Decided::Known(order), None) => mapping.date_order = Some(order),
        (_, Some(order)) if !dates.contradicts(order) => {}
        _ => {
            mapping.date_order = None;
            questions.push(Question::DateOrder { samples: dates.samples });
        }
    }
    match (amounts.decide(mapping.currency.or(options.currency)), mapping.decimal_sign) {
        (Decided::Known(sign), None) => mapping.decimal_sign = Some(sign),
        (_, Some(sign)) if !amounts.contradicts(sign) => {}
        _ => {
            mapping.decimal_sign = None;
            questions.push(Question::DecimalSign { samples: amounts.samples });
        }
    }
    Guess { mapping, questions }
}

/// The pairs of field and column that fit best, best first.
fn by_headers(columns: &[Column], fields: &[Field], mapping: &mut Mapping) {
    let mut pairs = Vec::new();
    for (field_at, field) in fields.iter().enumerate() {
        for (column_at, column) in columns.iter().enumerate() {
            let fit = best(&column.name, field.names());
            if fit >= ENOUGH && !field.own_files_only && may_hold(column, field) {
                pairs.push((fit, field_at, column_at));
            }
        }
    }
    pairs.sort_by_key(|&(fit, field, column)| (std::cmp::Reverse(fit), field, column));
    for (_, field, column) in pairs {
        let (field, column) = (&fields[field].name, &columns[column].name);
        if !mapping.columns.contains_key(field) && !is_used(mapping, column) {
            mapping.columns.insert(field.clone(), Source::column(column));
        }
    }
}

fn is_used(mapping: &Mapping, column: &str) -> bool {
    mapping.columns.values().any(|source| source.columns().contains(&column))
}

fn may_hold(column: &Column, field: &Field) -> bool {
    column.filled == 0
        || match &field.of {
            FieldType::Text => true,
            FieldType::Choice(choices) => {
                let is_choice = |cell: &String| choices.iter().any(|it| it.eq_ignore_ascii_case(cell));
                column.distinct.iter().any(is_choice)
            }
            FieldType::Date => column.has_dates(),
            FieldType::Currency => column.has_currencies(),
            FieldType::Money | FieldType::Movement | FieldType::Number => column.has_amounts(),
            FieldType::Bool => column.has_bools(),
        }
}

/// A column each for out and in, or a column that says which.
fn movement(columns: &[Column], field: &Field, mapping: &mut Mapping) {
    let find = |names: &[&str]| {
        let fits = columns.iter().map(|column| (best(&column.name, names.iter().copied()), column));
        let money =
            fits.filter(|(fit, column)| *fit >= ENOUGH && (column.filled == 0 || column.has_amounts()));
        // The first of those that fit best.
        money.reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    let own = mapping.columns.get(&field.name).and_then(|source| match source {
        Source::Column { column } => columns.iter().find(|known| known.name == *column),
        _ => None,
    });
    let own_fit = own.map_or(0, |column| best(&column.name, field.names()));
    if let (Some((out, debit)), Some((back, credit))) = (find(headers::DEBIT), find(headers::CREDIT))
        && debit.name != credit.name
        && out.min(back) >= own_fit
    {
        let source = Source::DebitCredit { debit: debit.name.clone(), credit: credit.name.clone() };
        mapping.columns.insert(field.name.clone(), source);
        return;
    }
    if own.is_none() && field.required {
        by_looks(columns, field, mapping);
    }
    let amount = match mapping.columns.get(&field.name) {
        Some(Source::Column { column }) => columns.iter().find(|known| known.name == *column),
        _ => None,
    };
    let Some(amount) = amount.filter(|amount| amount.negative_cells == 0) else { return };
    let says = |column: &&Column| {
        column.has_directions()
            && (column.distinct.len() > 1 || best(&column.name, headers::DIRECTION.iter().copied()) >= ENOUGH)
    };
    if let Some(direction) = columns.iter().find(says) {
        mapping.columns.retain(|_, source| source.columns() != [direction.name.as_str()]);
        let source = Source::Directed { amount: amount.name.clone(), direction: direction.name.clone() };
        mapping.columns.insert(field.name.clone(), source);
    }
}

/// For a field that no header names: the only column that can be it.
fn by_looks(columns: &[Column], field: &Field, mapping: &mut Mapping) {
    if mapping.columns.contains_key(&field.name) {
        return;
    }
    let looks = |column: &&Column| match field.of {
        FieldType::Date => column.has_dates(),
        _ => column.has_amounts() && !column.has_dates(),
    };
    let mut fitting = columns.iter().filter(looks).filter(|column| !is_used(mapping, &column.name));
    if let (Some(only), None) = (fitting.next(), fitting.next()) {
        mapping.columns.insert(field.name.clone(), Source::column(&only.name));
    }
}

/// The currency that the amounts' cells or headers name: `Amount (EUR)`.
fn named_currency(columns: &[&Column]) -> Option<Currency> {
    let in_header = |name: &str| {
        let words = name.split(|c: char| !c.is_alphanumeric() && c != '€');
        let mut codes = words
            .filter(|word| word.chars().all(|c| c.is_uppercase() || c == '€'))
            .filter_map(|word| if word == "€" { Some(Currency::EUR) } else { Currency::parse(word) });
        codes.next()
    };
    columns.iter().find_map(|column| column.currency.or_else(|| in_header(&column.name)))
}
