//! The turn: a pure decision (`run.rs`), the driver that carries it out, views of history, tapes and readers.
//!
//! A turn goes `send.rs` → `driver/` → `run.rs` → model or tools → store → hub. Nothing here knows HTTP, SQL or a
//! vendor's name.

mod answering;
mod answers;
mod as_of;
mod ask;
mod calls;
mod cast;
mod claims;
mod clean;
mod context;
mod decide;
mod drain;
mod driver;
mod ending;
mod files;
mod frame;
mod go_on;
mod hear;
mod hub;
mod kept;
mod lease;
mod listen;
mod loops;
mod news;
mod node;
mod opening;
mod owed_stops;
mod parameters;
mod places;
mod plan;
mod reach;
mod reader;
mod request;
mod router;
mod run;
mod scope;
mod send;
mod service;
mod spending;
mod suggest;
mod switch;
mod time;
mod turn;
mod unheard;
mod upkeep;
mod view;

#[cfg(test)]
mod tests;

pub use as_of::AsOf;
pub use cast::{Cast, Engagement};
pub use decide::Deciding;
pub use drain::{Departure, NotReady};
pub use frame::{frame, public_frames};
pub use news::News;
pub use places::{NotNow, TurnLimits};
pub use reader::{Reader, Until};
pub use send::{Said, Send, SendError, Started, To};
pub use service::{Engine, Limits, Options, Seat};
pub use spending::SpendingRules;
pub use switch::{Active, HasSwitched, SwitchError, SwitchTo, Switching};
pub use view::{FileContent, MAX_BYTES, Sight, View, view};
