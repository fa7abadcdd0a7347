//! The hands of Baton: the tools agents can have, and the one way anything here reaches the outside.

pub mod directory;
pub mod outbound;
