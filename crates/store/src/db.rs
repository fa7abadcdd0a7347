//! Small things every query needs: error mapping, the time, search patterns.

use baton_core::store::Error;
use baton_core::text;
use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::sea_query::LikeExpr;
use sea_orm::{DbErr, SqlErr};

/// Now, to the microsecond: what both engines keep.
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

/// Turns a database's error into the store's.
pub trait OrStoreError<T> {
    fn db(self) -> Result<T, Error>;
}

impl<T> OrStoreError<T> for Result<T, DbErr> {
    fn db(self) -> Result<T, Error> {
        self.map_err(database_error)
    }
}

pub fn database_error(error: DbErr) -> Error {
    let text = error.to_string();
    // SQLite says it in words, Postgres has a code (53100) and words of its own.
    if text.contains("database or disk is full") || text.contains("No space left on device") {
        return Error::Full;
    }
    if matches!(error, DbErr::ConnectionAcquire(_) | DbErr::Conn(_)) {
        tracing::error!(%error, "the database does not answer");
        return Error::Unavailable;
    }
    // Something was deleted between looking and writing.
    let gone = matches!(error, DbErr::RecordNotUpdated)
        || matches!(error.sql_err(), Some(SqlErr::ForeignKeyConstraintViolation(_)));
    if gone {
        return Error::NotFound("record any more");
    }
    Error::Database(Box::new(error))
}

/// Whether a unique constraint that names `column` refused a row; both engines name the columns or the index.
pub fn is_taken(error: &DbErr, column: &str) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(message)) if message.contains(column))
}

/// A word that was stored by us and is read back. Anything else is a broken database, not a caller's mistake.
pub fn stored<T: std::str::FromStr<Err = String>>(column: &'static str, value: &str) -> Result<T, Error> {
    value.parse().map_err(|_| Error::Database(format!("{column} holds {value:?}").into()))
}

/// Finds `search` anywhere in a folded column, with the pattern's own signs taken literally.
pub fn contains(search: &str) -> LikeExpr {
    let mut pattern = String::from("%");
    for c in text::fold(search).chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    LikeExpr::new(pattern).escape('\\')
}

/// Refuses one more than there may be.
pub fn at_most(what: &'static str, limit: u64, there_are: u64) -> Result<(), Error> {
    if there_are < limit { Ok(()) } else { Err(Error::TooMany { what, limit }) }
}

/// The slug for a name that none of the rows of `$table` (within `$which`) has.
macro_rules! free_slug {
    ($write:expr, $table:ident, $which:expr, $name:expr, $fallback:literal) => {{
        let wanted = baton_core::text::slugify($name, $fallback);
        let taken: Vec<String> = $table::Entity::find()
            .select_only()
            .column($table::Column::Slug)
            .filter($which)
            .filter($table::Column::Slug.starts_with(&wanted))
            .into_tuple()
            .all(&**$write)
            .await
            .db()?;
        baton_core::text::free_slug(&wanted, |slug| taken.iter().any(|other| other == slug))
    }};
}
pub(crate) use free_slug;
