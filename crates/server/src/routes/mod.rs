//! One file per resource.

pub mod admin_agents;
pub mod admin_profiles;
pub mod agent_body;
pub mod agent_names;
pub mod agent_view;
pub mod agents;
pub mod allow_rules;
pub mod analytics;
mod analytics_view;
pub mod approvals;
pub mod areas;
pub mod attachments;
pub mod auth;
pub mod avatars;
pub mod calendar;
pub mod channel_messages;
pub mod channel_view;
pub mod channels;
pub mod chat;
pub mod chat_stream;
pub mod conversation_list;
pub mod conversations;
pub mod data;
pub mod data_changes;
pub mod data_request;
pub mod data_view;
pub mod departments;
pub mod docs;
pub mod events;
pub mod exports;
pub mod files;
pub mod health;
pub mod hiring;
pub mod import_view;
pub mod imports;
pub mod invitations;
pub mod knowledge;
pub mod knowledge_files;
pub mod knowledge_versions;
pub mod knowledge_view;
pub mod links;
pub mod mcp;
pub mod members;
pub mod memories;
pub mod messages;
pub mod models;
pub mod money;
pub mod openapi_tools;
pub mod operator;
pub mod operator_session;
pub mod own_account;
pub mod packs;
pub mod projects;
pub mod provider_test;
pub mod providers;
pub mod public;
mod report_view;
pub mod reports;
pub mod rules;
pub mod sales;
pub mod search_engine;
pub mod server_tools;
pub mod skills;
pub mod stats;
pub mod step_body;
pub mod stream_events;
pub mod switch;
pub mod tasks;
pub mod team_view;
pub mod teams;
pub mod tokens;
pub mod tool_body;
pub mod tool_config;
pub mod tool_permissions;
pub mod tool_previews;
pub mod tool_test;
pub mod tools;
pub mod transitions;
pub mod turns;
pub mod usage;
pub mod workspaces;

use serde::Serialize;
use utoipa::ToSchema;

/// It was done, and there is nothing more to say.
#[derive(Serialize, ToSchema)]
pub struct Success {
    pub success: bool,
}

pub fn done() -> axum::Json<Success> {
    axum::Json(Success { success: true })
}
