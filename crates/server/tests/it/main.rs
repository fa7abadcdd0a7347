//! The API over real HTTP, by actors who say who they are.

mod access;
mod account;
mod admin;
mod agents;
mod attachments;
mod bad_input;
mod chat;
mod chat_command;
mod conversations;
#[path = "../../../store/tests/it/database.rs"]
mod database;
mod files;
mod invitations;
mod memories;
mod openapi;
mod process;
mod security;
mod sign_in;
mod skills;
mod talk;
mod test_app;
mod tokens;
mod workspaces;
