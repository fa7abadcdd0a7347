-- What calls of Baton's own tools changed: a call that is carried out again finds its outcome here. Forgotten after a day,
-- once its turn is over.
CREATE TABLE tool_effects (
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  -- The number of the call's step.
  seq BIGINT NOT NULL,
  task_id {id} NOT NULL,
  args_hash TEXT NOT NULL,
  -- Null only within the transaction that carries it out.
  outcome {json},
  created_at {time} NOT NULL,
  PRIMARY KEY (conversation_id, seq)
) {without_rowid};
CREATE INDEX idx_tool_effects_created ON tool_effects(created_at);
