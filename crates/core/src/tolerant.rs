//! Reading what a newer version of Baton wrote. While a cluster is upgraded, nodes of two versions share one database,
//! so the older node meets words it doesn't know. It reads each unknown word as the known word that does the least
//! harm, and never fails because of it.

use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Deserializer};

use crate::agents::{Category, PermissionMode};
use crate::approvals::{ApprovalStatus, Decision};
use crate::handoffs::{ActivationStatus, TransitionOutcome, Trigger};
use crate::log::{MessageStatus, Route, TurnStatus};
use crate::tape::Voice;

/// The word that an unknown word is read as.
pub trait LeastHarm: Sized {
    const UNKNOWN: Self;
}

macro_rules! least_harm {
    ($($(#[$meta:meta])* $word:ty => $unknown:expr;)+) => {$(
        $(#[$meta])*
        impl LeastHarm for $word {
            const UNKNOWN: Self = $unknown;
        }
    )+};
}

least_harm! {
    /// Nothing was allowed.
    Decision => Decision::Cancelled;
    /// The approval is over.
    ApprovalStatus => ApprovalStatus::Cancelled;
    /// The strictest.
    PermissionMode => PermissionMode::Default;
    /// Made by Baton itself: no person's choice, which would end a turn.
    Trigger => Trigger::Fallback;
    /// Only an activation that says so holds the conversation.
    ActivationStatus => ActivationStatus::Completed;
    TransitionOutcome => TransitionOutcome::Refused;
    Route => Route::Stay;
    /// The message ended, but maybe not completely.
    MessageStatus => MessageStatus::Stopped;
    TurnStatus => TurnStatus::Stopped;
    /// Kept, and never taken for the answer.
    Voice => Voice::Reasoning;
    Category => Category::General;
}

/// The word, or what does the least harm.
pub fn read<T: DeserializeOwned + LeastHarm>(text: &str) -> T {
    let text: StrDeserializer<'_, serde::de::value::Error> = StrDeserializer::new(text);
    T::deserialize(text).unwrap_or(T::UNKNOWN)
}

/// For a field of a step.
pub fn word<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + LeastHarm,
{
    String::deserialize(from).map(|text| read(&text))
}

/// For a field that may be left out.
pub fn maybe_word<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + LeastHarm,
{
    Ok(Option::<String>::deserialize(from)?.map(|text| read(&text)))
}

/// For a field whose absence does the least harm.
pub fn known<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    serde_json::Value::deserialize(from).map(|value| serde_json::from_value(value).ok())
}

#[cfg(test)]
mod tests;
