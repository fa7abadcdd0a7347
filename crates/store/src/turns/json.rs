//! JSON that is already text. SQLite's writer binds the text as it is; Postgres reads it as part of its rows.

use baton_core::store::{Error, Result};
use rusqlite::ToSql;
use rusqlite::types::ToSqlOutput;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self> {
        to_raw_value(value).map(Self).map_err(|error| Error::Database(Box::new(error)))
    }

    /// In bytes.
    pub fn len(&self) -> i64 {
        self.0.get().len() as i64
    }
}

impl ToSql for Json {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.get().to_sql()
    }
}
