//! Which transactions are there already: the rules that a store applies to its own rows when a file comes in.
//!
//! 1. A bank's own id belongs to one account and is compared whole. Some banks use an id twice: the same id with another
//!    amount or day is another transaction, and is reported.
//! 2. Without an id, what it says decides, numbered by occurrence within its file.
//! 3. What is pending is known by its id alone: its day and its amount are not final. The booking takes its place.
//! 4. Nothing is merged because it is near in time, ever.

use crate::words;

words! {
    /// Whether the bank has carried it out; what is pending may change or go away.
    Status { Booked => "booked", Pending => "pending" }
}

words! {
    /// What moved the money.
    Activity {
        Payment => "payment",
        /// Money against shares within the same account: no spending and no income.
        Trade => "trade",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The bank's own id, if it gave one.
    pub source_id: Option<String>,
    /// Equal keys in one account are one transaction.
    pub key: String,
}

/// A transaction that the account has already, or has had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub identity: Identity,
    pub state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Booked,
    Pending,
    /// A person deleted it. It stays so.
    Deleted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    New,
    /// It is there.
    Duplicate,
    /// A person deleted it, and it was not asked for again.
    Deleted,
    /// It is the booking of what was pending under this key.
    Settles {
        key: String,
    },
    /// The bank used an id again: it comes in, and a person is told.
    IdReused {
        id: String,
    },
}

/// `known` are those of the account that have the same key or the same source id, earlier ones of the file included.
pub fn judge(identity: &Identity, status: Status, known: &[Known]) -> Verdict {
    if let Some(same) = known.iter().find(|known| known.identity.key == identity.key) {
        return match (same.state, status) {
            (State::Deleted, _) => Verdict::Deleted,
            (State::Pending, Status::Booked) => Verdict::Settles { key: identity.key.clone() },
            _ => Verdict::Duplicate,
        };
    }
    let Some(id) = &identity.source_id else { return Verdict::New };
    let mut same_id = known.iter().filter(|known| known.identity.source_id.as_ref() == Some(id));
    if status == Status::Booked
        && let Some(pending) = same_id.clone().find(|known| known.state == State::Pending)
    {
        return Verdict::Settles { key: pending.identity.key.clone() };
    }
    // What is pending changes its day and its amount until it is booked, and an older file may tell it again afterwards.
    if status == Status::Pending && same_id.clone().next().is_some() {
        let is_deleted = same_id.all(|known| known.state == State::Deleted);
        return if is_deleted { Verdict::Deleted } else { Verdict::Duplicate };
    }
    match same_id.next() {
        Some(_) => Verdict::IdReused { id: id.clone() },
        None => Verdict::New,
    }
}
