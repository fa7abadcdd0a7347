-- How much room conversations take.

-- About how many bytes the log of a conversation has. Every commit adds its own.
ALTER TABLE agent_conversations ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE agent_conversations SET bytes = COALESCE(
  (SELECT SUM(LENGTH(CAST(body AS TEXT))) FROM task_messages WHERE task_messages.conversation_id = agent_conversations.id), 0);

-- Visitors' conversations that nobody wrote in for a while.
CREATE INDEX idx_agent_conversations_idle_visitors ON agent_conversations(updated_at) WHERE visitor_id IS NOT NULL AND deleted_at IS NULL;

-- What can be searched of a text has a bound.
UPDATE agent_messages SET search_text = SUBSTR(search_text, 1, 20000) WHERE LENGTH(search_text) > 20000;
UPDATE agent_memories SET search_text = SUBSTR(search_text, 1, 20000) WHERE LENGTH(search_text) > 20000;
