//! To which agents a conversation can be handed off, and what a handoff call leads to. Pure.

pub mod plan;
pub mod suggest;
pub mod targets;
