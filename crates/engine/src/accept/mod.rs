//! What people ask of a conversation: a message (`send.rs`), another agent (`switch.rs`), a decision on a call (`decide.rs`), a
//! stop (`stop.rs`). Each is one commit; then its steps are published, and a driver goes on where there is work.

pub mod commit;
pub mod decide;
pub mod holder;
pub mod send;
pub mod stop;
pub mod switch;
