//! The API over real HTTP, by actors who say who they are.

mod access;
mod access_table;
mod account;
mod admin;
mod agents;
mod allow_rules;
mod analytics;
mod approvals;
mod as_shown;
mod asleep;
mod attachments;
mod bad_input;
mod chains;
mod channels;
mod channels_tool;
mod chat;
mod chat_command;
mod chat_holder;
mod chat_input;
mod cluster_changes;
mod cluster_events;
mod conversations;
mod crews;
mod customers;
mod data;
mod data_areas;
mod data_export;
mod data_imports;
#[path = "../../../store/tests/it/database.rs"]
mod database;
mod default_agents;
mod demo;
mod docs;
mod error_words;
mod fake_model;
mod files;
mod finance;
mod forks;
mod full_disk;
mod handed;
mod held_model;
mod http_tools;
mod import_command;
mod imports;
mod interleavings;
mod invitations;
mod kept_database;
mod kept_results;
mod killed;
mod killed_in_handoff;
mod killed_in_import;
mod killed_in_tools;
mod knowledge;
mod knowledge_files;
mod knowledge_tool;
mod many_tools;
mod mcp;
mod mcp_ask;
mod mcp_bad_servers;
#[path = "../../../tools/src/mcp/tests/fake.rs"]
#[allow(dead_code)]
mod mcp_fake;
mod mcp_servers;
mod memories;
mod newer_steps;
mod open_streams;
mod openapi;
mod outage;
mod packs;
mod process;
mod projects;
mod providers;
#[path = "../../../store/tests/it/proxy.rs"]
mod proxy;
mod public;
mod public_desk;
mod public_limits;
mod request_sizes;
mod running;
mod sales_tool;
mod search;
mod secrets;
mod security;
mod sign_in;
mod skills;
mod slow_reader;
mod space;
mod spending;
mod starting;
mod stories;
mod stream_events;
#[path = "../../../engine/src/tests/strict.rs"]
#[allow(dead_code)]
mod strict;
#[path = "../../../engine/src/tests/strict_anthropic.rs"]
#[allow(dead_code)]
mod strict_anthropic;
#[path = "../../../engine/src/tests/strict_openai.rs"]
mod strict_openai;
mod subtasks;
mod switching;
mod talk;
mod teams;
mod test_app;
mod tokens;
mod tool_previews;
mod tools;
mod turns;
mod walk;
mod withdrawn;
mod workspaces;
