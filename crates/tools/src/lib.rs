//! The tools that agents can have, and the one way in which Baton fetches a URL that a person named.

pub mod analytics;
mod arguments;
pub mod clock;
mod data_call;
pub mod directory;
mod export;
pub mod finance;
pub mod knowledge;
pub mod mcp;
pub mod memory;
mod messaging;
mod notes;
mod outage;
pub mod outbound;
mod people;
mod permitted;
mod preset;
pub mod projects;
pub mod requests;
pub mod sales;
pub mod search;
pub mod servers;
pub mod skills;
mod toolbox;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use toolbox::{Definers, Sources, WhyNot, WorkspaceTools};
