//! How the columns of a file become fields. It can be kept and used for the next file of the same account, so it names
//! columns by their headers and says nothing that changes from file to file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::date::DateOrder;
use crate::money::{Currency, DecimalSign};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// By the field's name.
    pub columns: BTreeMap<String, Source>,
    /// Whether a row of the file names the columns; without one they are `Column 1`, `Column 2`, ….
    #[serde(default = "yes")]
    pub has_header: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// By its label, such as `shift_jis`, if a person said so. Otherwise each file shows its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_order: Option<DateOrder>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal_sign: Option<DecimalSign>,
    /// Of amounts in rows that don't name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    #[serde(default)]
    pub sign: SignOf,
}

fn yes() -> bool {
    true
}

/// Where a field's value comes from. Columns are named by their header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Source {
    Column {
        column: String,
    },
    /// A column for money that goes out and one for money that comes in.
    DebitCredit {
        debit: String,
        credit: String,
    },
    /// The amount without a sign, and a column that says in or out.
    Directed {
        amount: String,
        direction: String,
    },
}

impl Source {
    pub fn column(name: impl Into<String>) -> Self {
        Self::Column { column: name.into() }
    }

    pub fn columns(&self) -> Vec<&str> {
        match self {
            Self::Column { column } => vec![column],
            Self::DebitCredit { debit, credit } => vec![debit, credit],
            Self::Directed { amount, direction } => vec![amount, direction],
        }
    }
}

/// What a movement's sign means: some cards list what was spent as positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignOf {
    #[default]
    AsWritten,
    Reversed,
}

/// Whether a cell of a direction column says that money goes out; none if it says neither.
pub(super) fn goes_out(cell: &str) -> Option<bool> {
    match cell.trim().trim_end_matches('.').to_lowercase().as_str() {
        "d" | "dr" | "dbit" | "debit" | "débit" | "s" | "soll" | "af" | "out" | "-" | "debet" | "cargo"
        | "lastschrift" | "withdrawal" | "expense" => Some(true),
        "c" | "cr" | "crdt" | "credit" | "crédit" | "h" | "haben" | "bij" | "in" | "+" | "abono"
        | "gutschrift" | "deposit" | "income" => Some(false),
        _ => None,
    }
}
