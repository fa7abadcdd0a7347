//! The server: HTTP, sign-in, OpenAPI, command line, configuration, and the embedded web app.
//!
//! A request goes `router.rs` → `routes/<resource>.rs` → store or engine → response. `http/` holds what all routes
//! share.

pub mod app;
mod base_url;
pub mod cli;
pub mod connections;
pub mod crowd;
pub mod demo;
mod demo_pages;
pub mod device;
pub mod ending;
mod exports;
pub mod http;
mod imports;
mod loops;
pub mod mcp;
pub mod models;
pub mod operator;
pub mod packs;
mod pages;
pub mod passwords;
pub mod public_limits;
pub mod rate_limit;
pub mod readers;
pub mod retention;
pub mod router;
pub mod routes;
mod search;
pub mod secret;
pub mod secrets;
pub mod serve;
pub mod settings;
mod signed_ids;
mod skill_archive;
pub mod space;
pub mod streams;
mod tool_secrets;
pub mod version;
pub mod visitor;
mod waiting;
pub mod web;
