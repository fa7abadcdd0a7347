use std::borrow::Cow;
use std::io;

use sea_orm::ConnAcquireErr;
use sqlx::error::{DatabaseError, ErrorKind};

use super::*;

/// What a server says.
#[derive(Debug)]
struct Said(&'static str, &'static str);

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.1)
    }
}

impl std::error::Error for Said {}

impl DatabaseError for Said {
    fn message(&self) -> &str {
        self.1
    }
    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.0.into())
    }
    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }
    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }
    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

fn wrapped(cause: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(cause.into()))
}

#[test]
fn what_an_error_of_the_database_means() {
    let broken = |kind| sqlx::Error::Io(io::Error::from(kind));
    let said = |code, message| sqlx::Error::Database(Box::new(Said(code, message)));
    let outages = [
        broken(io::ErrorKind::TimedOut),
        broken(io::ErrorKind::ConnectionReset),
        broken(io::ErrorKind::ConnectionRefused),
        broken(io::ErrorKind::UnexpectedEof),
        sqlx::Error::Protocol("unexpected message".into()),
        sqlx::Error::PoolTimedOut,
        sqlx::Error::PoolClosed,
        sqlx::Error::WorkerCrashed,
        said("57P01", "terminating connection due to administrator command"),
        said("57P02", "terminating connection because of crash of another server process"),
        said("57P03", "the database system is starting up"),
        said("57014", "canceling statement due to statement timeout"),
        said("25P03", "terminating connection due to idle-in-transaction timeout"),
        said("53300", "sorry, too many clients already"),
        said("08006", "connection failure"),
        said("40P01", "deadlock detected"),
        said("25006", "cannot execute UPDATE in a read-only transaction"),
        said("5", "database is locked"),
    ];
    for outage in outages {
        let text = outage.to_string();
        assert!(matches!(database_error(wrapped(outage)), Error::Unavailable), "{text}");
    }
    let acquire = DbErr::ConnectionAcquire(ConnAcquireErr::Timeout);
    assert!(matches!(database_error(acquire), Error::Unavailable));
    let full = [
        said("53100", "could not extend file"),
        said("13", "database or disk is full"),
        said("58030", "could not write to file: No space left on device"),
    ];
    for full in full {
        let text = full.to_string();
        assert!(matches!(database_error(wrapped(full)), Error::Full), "{text}");
    }
    assert!(matches!(database_error(DbErr::RecordNotUpdated), Error::NotFound(_)));
    let mistakes = [
        said("28P01", "password authentication failed"),
        said("3D000", "database does not exist"),
        said("42601", "syntax error"),
        said("23505", "duplicate key value violates unique constraint"),
        sqlx::Error::ColumnNotFound("name".into()),
        sqlx::Error::Tls("server does not support TLS".into()),
    ];
    for mistake in mistakes {
        let text = mistake.to_string();
        assert!(matches!(database_error(wrapped(mistake)), Error::Database(_)), "{text}");
    }
}
