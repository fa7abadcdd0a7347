//! To whom a conversation can be handed off, and what a handoff call comes to. Pure.

pub mod plan;
pub mod suggest;
pub mod targets;
