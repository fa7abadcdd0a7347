//! What people are told about an import beyond its counts. It is kept with the import as JSON.

use baton_formats::csv;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ImportReport)]
pub struct Report {
    /// What a person must say before the file can be read.
    pub questions: Vec<Question>,
    /// The file's columns.
    pub columns: Vec<String>,
    /// The first rows of the file, as they are, or the first transactions of a bank's file.
    pub preview: Vec<Vec<String>>,
    /// How columns become fields: guessed, kept from an earlier file, or as a person said.
    #[schema(value_type = Option<Object>)]
    pub mapping: Option<Value>,
    /// Whether the mapping was kept from an earlier file with these columns.
    pub is_kept_mapping: bool,
    /// The accounts that the file is about, with their balances.
    pub accounts: Vec<AccountReport>,
    /// Categories that were made, or in a dry run would be.
    pub new_categories: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportQuestion)]
pub struct Question {
    /// `account`, or the part of the mapping that answers it: `date_order`, `decimal_sign`, `column` or `currency`.
    pub about: String,
    pub text: String,
    /// The field that a column is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What it is about: dates or amounts of the file.
    #[serde(default)]
    pub samples: Vec<String>,
}

impl Question {
    pub fn account() -> Self {
        let text = "Which account are these transactions of?".to_owned();
        Self { about: "account".to_owned(), text, field: None, samples: Vec::new() }
    }
}

impl From<&csv::Question> for Question {
    fn from(question: &csv::Question) -> Self {
        let (about, field, samples) = match question {
            csv::Question::DateOrder { samples } => ("date_order", None, samples.clone()),
            csv::Question::DecimalSign { samples } => ("decimal_sign", None, samples.clone()),
            csv::Question::Column { field, .. } => ("column", Some(field.clone()), Vec::new()),
            csv::Question::Currency => ("currency", None, Vec::new()),
        };
        Self { about: about.to_owned(), text: question.text(), field, samples }
    }
}

/// An account of the file, beside ours.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportedAccount)]
pub struct AccountReport {
    #[schema(required)]
    pub account_id: Option<Uuid>,
    pub name: String,
    /// Whether the import made it, or in a dry run would.
    pub is_new: bool,
    pub currency: String,
    /// What the statement says, in minor units.
    #[schema(required)]
    pub stated_balance: Option<i64>,
    #[schema(required, format = Date)]
    pub stated_on: Option<String>,
    /// What is booked here up to that day, in minor units; nothing before the import is done.
    #[schema(required)]
    pub own_balance: Option<i64>,
    /// The statement's balance less ours; 0 if they agree.
    #[schema(required)]
    pub difference: Option<i64>,
    /// The opening balance with which they would agree, where they don't.
    #[schema(required)]
    pub fitting_opening_balance: Option<i64>,
}
