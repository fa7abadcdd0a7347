//! The only crate that knows SQL.
//!
//! One [`SqlStore`] implements every trait of `baton_core::store`, on SQLite and on Postgres. Everything runs on a
//! [`connection::Db`]. A write is a [`write::Write`], or one of the turn's commits in `turns/`.

mod activations;
mod agents;
mod allow_rules;
mod approvals;
mod areas;
mod attachments;
mod audit;
mod bus;
mod byte_pages;
mod calendar_feeds;
mod catalog;
mod channels;
mod connect;
mod connection;
mod conversations;
mod data;
mod db;
mod defined_tools;
mod definition;
mod effects;
mod entities;
mod export;
mod export_files;
mod figures;
mod file_pieces;
mod files;
mod forks;
mod full_text;
mod handoffs;
mod hiring;
mod history;
mod imports;
mod json_pieces;
mod life;
mod listing;
mod lock;
mod members;
mod memories;
mod messages;
mod migrate;
mod packs;
mod pages;
mod people;
mod pool;
mod providers;
mod removal;
mod reports;
mod rules;
mod search_engines;
mod secrets;
mod sessions;
mod skills;
mod space;
mod spending;
mod tasks;
mod teams;
mod tool_permissions;
mod turns;
mod usage;
mod workspaces;
mod write;

pub use connect::{Database, Durability, SqlStore};
pub use lock::{DataDir, Locked};
