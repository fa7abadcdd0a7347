//! What readers see: tapes of open calls, events in their wire form, cursors that follow a conversation, and the news of a
//! workspace.

pub mod frames;
pub mod hub;
pub mod news;
pub mod reader;
