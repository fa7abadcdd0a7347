-- One's conversations in a workspace, the latest first, whoever they are with.
DROP INDEX idx_agent_conversations_user;
CREATE INDEX idx_agent_conversations_user ON agent_conversations(user_id, workspace_id, updated_at DESC, id DESC);
