//! The tools that agents can have, and the one way in which Baton fetches a URL that a person named.

mod arguments;
pub mod clock;
pub mod directory;
pub mod memory;
mod notes;
mod outage;
pub mod outbound;
pub mod skills;
mod toolbox;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use toolbox::WorkspaceTools;
