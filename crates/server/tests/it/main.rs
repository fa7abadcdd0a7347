//! The API over real HTTP, by actors who say who they are.

mod access;
mod account;
mod admin;
mod agents;
mod approvals;
mod attachments;
mod bad_input;
mod chat;
mod chat_command;
mod chat_input;
mod conversations;
#[path = "../../../store/tests/it/database.rs"]
mod database;
mod fake_model;
mod files;
mod forks;
mod invitations;
mod killed;
mod memories;
mod open_streams;
mod openapi;
mod packs;
mod process;
mod security;
mod sign_in;
mod skills;
mod slow_reader;
mod stories;
mod stream_events;
mod talk;
mod teams;
mod test_app;
mod tokens;
mod tools;
mod turns;
mod workspaces;
