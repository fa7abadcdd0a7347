//! Clients of model APIs, one folder per wire format, and the scripted model, which needs no vendor.
//!
//! A call goes catalog → provider's folder → `retry` → `http` → `reading` (bytes to events through `sse` and the
//! provider's stream machine). Requests and stream machines are pure.

pub mod anthropic;
pub mod openai;
pub mod scripted;

mod calls;
mod catalog;
mod defaults;
mod errors;
mod events;
mod guard;
mod http;
mod in_use;
mod options;
mod provider;
mod reading;
mod replay;
mod retry;
mod sse;
mod surrogates;
mod wire;

pub use baton_core::providers::WireFormat;
pub use catalog::ModelSet;
pub use in_use::{AliasInUse, InUse, ProviderInUse, StandsFor};
pub use options::{
    AddressGuard, HttpOptions, ModelOptions, ProviderKey, ProviderOptions, SetupError, Source,
};
pub use provider::Provider;
pub use replay::replay;
pub use scripted::Scripted;
