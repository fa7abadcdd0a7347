//! What this node holds for all its turns: the engine as the server uses it, the name it acts under, the turns it
//! drives and their limits, today's spending, and the logs it keeps.

pub mod engine;
pub mod kept_logs;
pub mod owed_stops;
pub mod pace;
pub mod rounds;
pub mod running;
pub mod spending;
pub mod state;
pub mod turn_permits;
pub mod unanswered;
