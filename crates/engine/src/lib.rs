//! The turn: a pure decision (`turn/run.rs`), the driver that carries it out, views of the log, tapes and readers.
//!
//! A turn goes `accept/` → `driver/` → `turn/` → model or tools → store → `stream/`. Nothing here knows HTTP, SQL or a
//! vendor's name. Rooms import each other in one direction only, in the order of the list below (`tests/rooms.rs`).

mod clock;
mod lock;
mod nul;
mod sizes;

mod generation_cache;

mod stream;

mod handoff;

mod agent;
mod turn;

mod prompt;

mod node;

mod driver;

mod accept;

mod cluster;

#[cfg(test)]
mod tests;

pub use accept::decide::Deciding;
pub use accept::send::{OnWaiting, Send, SendBody, SendError, Started, To};
pub use accept::switch::{Active, HasSwitched, SwitchError, SwitchTo, Switching};
pub use agent::ready::{Assignment, ReadyAgent};
pub use cluster::drain::{Departure, NotReady};
pub use generation_cache::GenerationCache;
pub use node::engine::{Engine, Limits, Options, Seat};
pub use node::spending::SpendingRules;
pub use node::turn_permits::{NotNow, TurnLimits};
pub use prompt::handoff_preview::{HandoffPreview, handoff_preview};
pub use prompt::view::{FileContent, MAX_BYTES, Sight, View, view};
pub use stream::frames::{frame, public_frames};
pub use stream::news::News;
pub use stream::reader::{Reader, Until};
