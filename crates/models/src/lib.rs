//! The voices: clients of model APIs, one folder per wire format, and two models that need no vendor.

pub mod demo;
pub mod scripted;

pub use scripted::Scripted;
