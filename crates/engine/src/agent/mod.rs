//! An agent ready to work: what is read of it, its prompt, and its tools under names that every vendor takes.

pub mod loader;
mod parameters;
pub mod ready;
pub mod subtask_tools;
mod tool_names;
