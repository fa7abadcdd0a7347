//! CSV of every kind, from every bank and spreadsheet. The caller says which fields its kind of data has
//! ([`Field`]); [`inspect`] reads the file once and guesses how its columns become them ([`Guess`]); what it can't know
//! is a [`Question`] for a person; [`read`] then gives record by record by the [`Mapping`], which can be kept for the
//! next file of the same account.
//!
//! What is hard: nothing in such a file is certain (delimiter, encoding, where the header is, which of two numbers is
//! the day), and a wrong guess puts wrong money into the books. So what decides is the whole file, never one cell, and
//! where that is not enough nothing is guessed.

mod columns;
mod convert;
mod field;
mod guess;
mod headers;
mod kinds;
mod layout;
mod mapping;
mod read;
mod rows;
mod split;
mod value;

pub use columns::Column;
pub use field::{Field, FieldType};
pub use guess::{Guess, Question, guess};
pub use kinds::{FIRST_NAME, LAST_NAME, OUTCOME, ROW_ID, SPLITS, fields_of, row_id_of, transaction};
pub use layout::Layout;
pub use mapping::{Mapping, SignOf, Source};
pub use read::{Inspection, Options, Records, inspect, read};
pub use rows::{Row, Rows};
pub use value::{Record, Value};

#[cfg(test)]
mod tests;
