//! One file per table, as the migrations make them.

pub mod activations;
pub mod agent_conversations;
pub mod agent_memories;
pub mod agent_messages;
pub mod agent_rule_assignments;
pub mod agent_rules;
pub mod agent_skill_assignments;
pub mod agent_skills;
pub mod agents;
pub mod ai_agent_versions;
pub mod ai_agents;
pub mod api_tokens;
pub mod approvals;
pub mod attachments;
pub mod audit_events;
pub mod departments;
pub mod files;
pub mod instance_notes;
pub mod instance_secrets;
pub mod profiles;
pub mod sessions;
pub mod sign_in_links;
pub mod task_messages;
pub mod workspace_invitations;
pub mod workspace_members;
pub mod workspaces;
