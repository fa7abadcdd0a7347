//! Small functions that every query needs: error mapping, the time, search patterns.

use baton_core::store::Error;
use baton_core::text;
use chrono::{DateTime, SubsecRound, Utc};
use rustls::AlertDescription;
use sea_orm::sea_query::LikeExpr;
use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx};

use crate::write::note_deadlock;

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
    match kind(&error) {
        Kind::Full => Error::Full,
        Kind::Unavailable => {
            if is_deadlock(&error) {
                note_deadlock();
            }
            tracing::error!(%error, "the database does not answer");
            Error::Unavailable
        }
        // Something was deleted between looking and writing.
        Kind::Gone => Error::NotFound("record any more"),
        Kind::Other => Error::Database(Box::new(error)),
    }
}

/// What an error of the database means for who asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Full,
    /// The database is away or can't do it now: worth another try.
    Unavailable,
    Gone,
    Other,
}

fn kind(error: &DbErr) -> Kind {
    match error {
        DbErr::ConnectionAcquire(_) => return Kind::Unavailable,
        DbErr::RecordNotUpdated => return Kind::Gone,
        DbErr::Conn(cause) | DbErr::Exec(cause) | DbErr::Query(cause) => {
            if let RuntimeErr::SqlxError(cause) = cause
                && let Some(kind) = kind_of_cause(cause)
            {
                return kind;
            }
        }
        _ => {}
    }
    match error.sql_err() {
        Some(SqlErr::ForeignKeyConstraintViolation(_)) => Kind::Gone,
        _ => Kind::Other,
    }
}

/// Two transactions waited for each other, and the database ended this one.
fn is_deadlock(error: &DbErr) -> bool {
    let (DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause))) = error
    else {
        return false;
    };
    let code = cause.as_database_error().and_then(|cause| cause.code());
    matches!(code.as_deref(), Some("40P01" | "40001"))
}

fn kind_of_cause(cause: &sqlx::Error) -> Option<Kind> {
    match cause {
        // Also a connection that is cut in its handshake. `sqlx::Error::Tls` is only what another try doesn't change: a
        // certificate file that can't be read, or a server without TLS.
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => Some(Kind::Unavailable),
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
            Some(Kind::Unavailable)
        }
        sqlx::Error::Database(cause) => kind_of_code(cause.code().as_deref()?, cause.message()),
        _ => None,
    }
}

/// Postgres has five letters, SQLite a number. A wrong password or an unknown database is a mistake, not an outage.
fn kind_of_code(code: &str, message: &str) -> Option<Kind> {
    match code {
        "53100" | "13" => Some(Kind::Full),
        // The operator, a crash, or a start under way; a statement or a pause that took too long; no connection left; a
        // deadlock or a lock not had; a server that only reads, as after a failover.
        "57P01" | "57P02" | "57P03" | "57P05" | "57014" | "25P03" | "53300" | "40P01" | "40001" | "55P03"
        | "25006" => Some(Kind::Unavailable),
        _ if code.len() == 5 && code.starts_with("08") => Some(Kind::Unavailable),
        // SQLite's own writer never waits that long for itself: someone else has the file.
        "5" | "261" | "517" | "773" => Some(Kind::Unavailable),
        _ if message.contains("No space left on device") => Some(Kind::Full),
        _ => None,
    }
}

/// Whether the two sides don't come to terms about TLS: when a connection is first made, a mistake that another try doesn't
/// change. (Later it may be a certificate that has run out, and is waited for like any other outage.)
pub fn refuses_tls(error: &DbErr) -> bool {
    let (DbErr::Conn(cause) | DbErr::Exec(cause) | DbErr::Query(cause)) = error else { return false };
    let RuntimeErr::SqlxError(cause) = cause else { return false };
    let sqlx::Error::Io(error) = &**cause else { return false };
    let tls = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    match tls {
        Some(rustls::Error::InvalidCertificate(_) | rustls::Error::PeerIncompatible(_)) => true,
        // What the server says of our certificate, or of the lack of one.
        Some(rustls::Error::AlertReceived(alert)) => matches!(
            alert,
            AlertDescription::BadCertificate
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateRequired
                | AlertDescription::CertificateRevoked
                | AlertDescription::CertificateUnknown
                | AlertDescription::UnknownCA
                | AlertDescription::UnsupportedCertificate
        ),
        _ => false,
    }
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

/// Refuses another row when the limit is reached.
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

#[cfg(test)]
mod tests;
