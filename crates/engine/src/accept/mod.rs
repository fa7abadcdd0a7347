//! What people ask of a conversation: a message (`send.rs`), another agent (`switch.rs`), a decision on a tool call
//! (`decide.rs`), a stop (`stop.rs`). Each is one commit. Then its steps are published, and a driver starts if there
//! is work to do.

pub mod commit;
pub mod decide;
pub mod holder;
pub mod send;
pub mod stop;
pub mod switch;
