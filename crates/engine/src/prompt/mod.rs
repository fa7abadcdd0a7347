//! What a model is sent: the agent's prompt, a view of the log, files and tools. Also what the router of a team is
//! asked.

pub mod context;
pub mod files;
pub mod handoff_preview;
pub mod request;
pub mod router;
pub mod scope;
pub mod view;
