//! One file per resource.

pub mod admin_agents;
pub mod admin_profiles;
pub mod agent_body;
pub mod agent_names;
pub mod agent_view;
pub mod agents;
pub mod allow_rules;
pub mod approvals;
pub mod attachments;
pub mod auth;
pub mod avatars;
pub mod chat;
pub mod conversations;
pub mod departments;
pub mod docs;
pub mod events;
pub mod files;
pub mod health;
pub mod hiring;
pub mod invitations;
pub mod links;
pub mod members;
pub mod memories;
pub mod messages;
pub mod models;
pub mod operator;
pub mod operator_session;
pub mod own_account;
pub mod packs;
pub mod public;
pub mod rules;
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
pub mod tool_previews;
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
