//! An agent ready to work: its definition as read, its prompt, and its tools under names that every vendor accepts.

pub mod loader;
pub mod many_tools;
mod parameters;
pub mod ready;
pub mod subtask_tools;
pub mod tool_names;
mod tool_search;
