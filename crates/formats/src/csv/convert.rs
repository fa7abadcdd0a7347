//! One row to one record of typed values, or to the reason why not.

use super::field::{Field, FieldType};
use super::mapping::{Mapping, SignOf, Source, goes_out};
use super::read::Options;
use super::rows::Row;
use super::value::{Record, Value, bool_of};
use crate::date::{self, DateOrder};
use crate::export::unquoted;
use crate::money::{self, AmountError, Currency, Decimal, DecimalSign};
use crate::statement::Refused;

/// A mapping with the columns' places in place of their names.
pub(super) struct Plan {
    fields: Vec<(Field, Option<Place>)>,
    currency_at: Option<usize>,
    currency: Option<Currency>,
    order: Option<DateOrder>,
    decimal: Option<DecimalSign>,
    sign: SignOf,
}

enum Place {
    Column(usize),
    DebitCredit(usize, usize),
    Directed(usize, usize),
}

/// Whether a row of a file with `width` columns is only a remark.
pub(super) fn is_note(row: &Row, width: usize) -> bool {
    let filled = row.filled();
    filled == 0 || (filled == 1 && width >= 3)
}

fn begins_total(row: &Row) -> bool {
    let first = row.cells().map(str::trim).find(|cell| !cell.is_empty()).unwrap_or_default();
    let first = first.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    [
        "total",
        "sum",
        "summe",
        "saldo",
        "balance",
        "gesamt",
        "solde",
        "closing",
        "opening",
        "end of",
        "kontostand",
        "totale",
    ]
    .iter()
    .any(|word| first.starts_with(word))
}

impl Plan {
    pub(super) fn new(
        fields: &[Field],
        mapping: &Mapping,
        options: &Options,
        place_of: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let place = |field: &Field| match mapping.columns.get(&field.name)? {
            Source::Column { column } => place_of(column).map(Place::Column),
            Source::DebitCredit { debit, credit } => {
                Some(Place::DebitCredit(place_of(debit)?, place_of(credit)?))
            }
            Source::Directed { amount, direction } => {
                Some(Place::Directed(place_of(amount)?, place_of(direction)?))
            }
        };
        let fields: Vec<_> = fields.iter().map(|field| (field.clone(), place(field))).collect();
        let currency_at = fields.iter().find_map(|(field, place)| match place {
            Some(Place::Column(at)) if field.of == FieldType::Currency => Some(*at),
            _ => None,
        });
        Self {
            fields,
            currency_at,
            currency: mapping.currency.or(options.currency),
            order: mapping.date_order,
            decimal: mapping.decimal_sign,
            sign: mapping.sign,
        }
    }

    /// None for a line that is no row: a remark (it has none of several required fields) or a total.
    pub(super) fn record(&self, row: &Row) -> Option<Result<Record, Refused>> {
        let mut values = Vec::with_capacity(self.fields.len());
        let mut wrong: Option<String> = None;
        let mut required = 0;
        let mut missing: Vec<&str> = Vec::new();
        for (field, place) in &self.fields {
            let value = match place.as_ref().map(|place| self.value(field, place, row)).transpose() {
                Ok(value) => value.flatten(),
                Err(reason) => {
                    wrong.get_or_insert(format!("{}: {reason}", field.label));
                    None
                }
            };
            required += usize::from(field.required);
            if field.required && value.is_none() {
                missing.push(&field.label);
            }
            values.push(value);
        }
        let is_remark = wrong.is_none() && required > 1 && missing.len() == required;
        if !missing.is_empty() && (is_remark || begins_total(row)) {
            return None;
        }
        let reason = wrong.or_else(|| missing.first().map(|label| format!("{label} is empty")));
        Some(match reason {
            Some(reason) => Err(Refused::new(row.line, reason)),
            None => Ok(Record { line: row.line, values }),
        })
    }

    fn value(&self, field: &Field, place: &Place, row: &Row) -> Result<Option<Value>, String> {
        let cell = |at: usize| unquoted(row.get(at).unwrap_or_default().trim());
        let at = match *place {
            Place::Column(at) => at,
            Place::DebitCredit(debit, credit) => return self.debit_credit(cell(debit), cell(credit), row),
            Place::Directed(amount, direction) => return self.directed(cell(amount), cell(direction), row),
        };
        let text = cell(at);
        if text.is_empty() {
            return Ok(None);
        }
        let value = match &field.of {
            FieldType::Text => Value::Text(text.to_owned()),
            FieldType::Date => Value::Date(self.date(text)?),
            FieldType::Currency => Value::Currency(
                Currency::parse(text).ok_or_else(|| format!("{} is no ISO 4217 currency", shown(text)))?,
            ),
            FieldType::Money => self.money(self.amount(text, row)?, row)?,
            FieldType::Movement => self.money(self.signed(self.amount(text, row)?), row)?,
            FieldType::Number => {
                let number = Decimal::parse(text, self.decimal.unwrap_or(DecimalSign::Point));
                Value::Number(number.map_err(|_| format!("{} is not a number", shown(text)))?)
            }
            FieldType::Bool => {
                Value::Bool(bool_of(text).ok_or_else(|| format!("{} is neither yes nor no", shown(text)))?)
            }
            FieldType::Choice(choices) => {
                let choice = choices.iter().find(|choice| choice.to_lowercase() == text.to_lowercase());
                let wrong = || format!("{} is none of {}", shown(text), choices.join(", "));
                Value::Choice(choice.ok_or_else(wrong)?.clone())
            }
        };
        Ok(Some(value))
    }

    fn date(&self, text: &str) -> Result<chrono::NaiveDate, String> {
        let date = match self.order {
            Some(order) => date::parse(text, order),
            None => date::parse_iso(text),
        };
        date.ok_or_else(|| format!("{} is not a date that can be read", shown(text)))
    }

    fn row_currency(&self, row: &Row) -> Result<Currency, String> {
        let cell = self.currency_at.and_then(|at| row.get(at)).map(str::trim).filter(|cell| !cell.is_empty());
        match cell {
            Some(code) => {
                Currency::parse(code).ok_or_else(|| format!("{} is no ISO 4217 currency", shown(code)))
            }
            None => self.currency.ok_or_else(|| "no currency is known".to_owned()),
        }
    }

    fn amount(&self, text: &str, row: &Row) -> Result<i64, String> {
        let currency = self.row_currency(row)?;
        let sign = self.decimal.unwrap_or(DecimalSign::Point);
        money::parse(text, currency, sign).map_err(|wrong: AmountError| format!("{} {wrong}", shown(text)))
    }

    fn money(&self, amount: i64, row: &Row) -> Result<Value, String> {
        Ok(Value::Money { amount, currency: self.row_currency(row)? })
    }

    fn signed(&self, amount: i64) -> i64 {
        match self.sign {
            SignOf::AsWritten => amount,
            // No amount is i64::MIN.
            SignOf::Reversed => -amount,
        }
    }

    /// What goes out may be written with or without a minus.
    fn debit_credit(&self, debit: &str, credit: &str, row: &Row) -> Result<Option<Value>, String> {
        let read = |cell: &str| if cell.is_empty() { Ok(0) } else { self.amount(cell, row) };
        if debit.is_empty() && credit.is_empty() {
            return Ok(None);
        }
        let (out, back) = (read(debit)?, read(credit)?);
        let amount = match (out, back) {
            (out, 0) => -out.abs(),
            (0, back) => back,
            _ => return Err(format!("{} goes out and {} comes in", shown(debit), shown(credit))),
        };
        self.money(self.signed(amount), row).map(Some)
    }

    fn directed(&self, amount: &str, direction: &str, row: &Row) -> Result<Option<Value>, String> {
        if amount.is_empty() {
            return Ok(None);
        }
        let out =
            goes_out(direction).ok_or_else(|| format!("{} says neither in nor out", shown(direction)))?;
        let amount = self.amount(amount, row)?;
        self.money(self.signed(if out { -amount } else { amount }), row).map(Some)
    }
}

/// A cell in a sentence, not at any length.
fn shown(cell: &str) -> String {
    match cell.chars().count() {
        0..=40 => format!("“{cell}”"),
        _ => format!("“{}…”", cell.chars().take(39).collect::<String>()),
    }
}
