//! The words of Baton, and the rules that need no I/O.
//!
//! Everything here is plain data and pure functions, so the store can apply the same rules to fresh rows inside its
//! transactions. Nothing here knows SQL, HTTP or a model. The only thing it takes from the machine are fresh ids.

pub mod access;
pub mod agents;
pub mod allow_rules;
pub mod approvals;
pub mod attachments;
pub mod bus;
pub mod catalog;
pub mod channels;
pub mod conversations;
pub mod csv;
pub mod data;
pub mod days;
pub mod defined_tools;
pub mod effects;
pub mod events;
pub mod figures;
pub mod files;
pub mod fold;
pub mod handoff_tools;
pub mod handoffs;
pub mod ids;
pub mod listing;
pub mod log;
pub mod memories;
pub mod models;
pub mod money;
pub mod notices;
pub mod openapi_import;
pub mod packs;
pub mod pages;
pub mod parts;
pub mod people;
pub mod prompt;
pub mod providers;
pub mod public;
pub mod refusals;
pub mod reports;
pub mod result_files;
pub mod rules;
pub mod schema;
pub mod search;
pub mod search_engines;
pub mod secrets;
pub mod server_tools;
pub mod shortened;
pub mod skill_md;
pub mod skills;
pub mod spending;
pub mod starters;
pub mod store;
pub mod subtasks;
pub mod tape;
pub mod tasks;
pub mod teams;
pub mod text;
pub mod tolerant;
pub mod tools;
pub mod turns;
pub mod visitors;
pub mod workspaces;

mod words;
mod yaml;

pub use text::Invalid;
