-- Indexes for what runs beside the turns: removing conversations, with all that refers to them.

CREATE INDEX idx_activations_conversation ON activations(conversation_id);
CREATE INDEX idx_agent_conversations_deleted ON agent_conversations(deleted_at) WHERE deleted_at IS NOT NULL;
