//! The hands of Baton: the tools agents can have, and the one way anything here reaches the outside.

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
