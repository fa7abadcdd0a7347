-- Subtasks: a call in one conversation asks another agent, whose turn is in a conversation of its own.

-- The conversation that asked; what it asked goes with it.
ALTER TABLE agent_conversations ADD COLUMN parent_id {id} REFERENCES agent_conversations(id) ON DELETE CASCADE;
ALTER TABLE agent_conversations ADD COLUMN subtask_depth INTEGER;
-- The permission mode of who asked.
ALTER TABLE agent_conversations ADD COLUMN subtask_mode TEXT;
CREATE INDEX idx_agent_conversations_parent ON agent_conversations(parent_id) WHERE parent_id IS NOT NULL;
