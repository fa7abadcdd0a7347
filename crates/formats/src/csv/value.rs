//! A row as a record of typed values.

use chrono::NaiveDate;

use super::field::Field;
use crate::money::{Currency, Decimal};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Date(NaiveDate),
    Currency(Currency),
    /// In minor units.
    Money {
        amount: i64,
        currency: Currency,
    },
    Number(Decimal),
    Bool(bool),
    /// As the field's list of choices spells it.
    Choice(String),
}

/// The values of one row, in the order of the kind's fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub line: u64,
    pub values: Vec<Option<Value>>,
}

impl Record {
    pub fn get<'a>(&'a self, fields: &[Field], name: &str) -> Option<&'a Value> {
        let index = fields.iter().position(|field| field.name == name)?;
        self.values.get(index)?.as_ref()
    }
}

pub(super) fn bool_of(cell: &str) -> Option<bool> {
    match cell.trim().to_lowercase().as_str() {
        "true" | "yes" | "y" | "1" | "x" | "on" | "ja" | "oui" | "si" | "sí" | "sì" | "wahr" | "done" => {
            Some(true)
        }
        "false" | "no" | "n" | "0" | "off" | "nein" | "non" | "nee" | "falsch" => Some(false),
        _ => None,
    }
}
