-- The turn: the log and its projection, who holds a conversation and who runs its turn, approvals, usage; and what turns
-- use: skills, memories, attachments.

-- A running turn lives on its conversation's row: one turn per conversation is `turn_task_id`.
ALTER TABLE agent_conversations ADD COLUMN epoch BIGINT NOT NULL DEFAULT 1;
ALTER TABLE agent_conversations ADD COLUMN turn_task_id {id};
-- The node that runs it. NULL while it waits for a person.
ALTER TABLE agent_conversations ADD COLUMN turn_owner {id};
ALTER TABLE agent_conversations ADD COLUMN turn_attempt INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent_conversations ADD COLUMN turn_tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent_conversations ADD COLUMN stop_requested_at {time};
ALTER TABLE agent_conversations ADD COLUMN deleted_at {time};
-- The same up to, and without, the step `forked_seq` of another conversation.
ALTER TABLE agent_conversations ADD COLUMN forked_from {id};
ALTER TABLE agent_conversations ADD COLUMN forked_seq BIGINT;
ALTER TABLE agent_conversations ADD COLUMN left_writes_behind BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX idx_agent_conversations_turns ON agent_conversations(turn_owner) WHERE turn_task_id IS NOT NULL;
CREATE INDEX idx_agent_conversations_forks ON agent_conversations(forked_from) WHERE forked_from IS NOT NULL;

ALTER TABLE agent_messages ADD COLUMN status TEXT NOT NULL DEFAULT 'complete' CHECK (status IN ('streaming', 'complete', 'stopped', 'failed'));
ALTER TABLE agent_messages ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1;

-- The log.
CREATE TABLE task_messages (
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  seq BIGINT NOT NULL,
  task_id {id},
  agent_id {id} NOT NULL,
  message_id {id},
  type TEXT NOT NULL CHECK (type IN ('user_message', 'assistant_message', 'thinking', 'tool_call', 'tool_result', 'skill_load', 'subtask_created', 'error', 'status_change', 'handoff', 'call')),
  body {json} NOT NULL,
  created_at {time} NOT NULL,
  PRIMARY KEY (conversation_id, seq)
) {without_rowid};

-- What was there before the log was all imported.
INSERT INTO task_messages
SELECT conversation_id, seq, NULL, agent_id, id,
  CASE role WHEN 'user' THEN 'user_message' ELSE 'assistant_message' END,
  {json_object}('step', 'imported', 'role', role, 'content', content), created_at
FROM agent_messages;

CREATE TABLE activations (
  id {id} PRIMARY KEY,
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  agent_id {id} NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'completed', 'cancelled')),
  trigger TEXT NOT NULL CHECK (trigger IN ('user', 'model', 'router', 'completion', 'fallback', 'rollback')),
  activation_summary TEXT,
  message_id {id},
  context_data {json} NOT NULL,
  began_at {time} NOT NULL,
  ended_at {time}
);
CREATE UNIQUE INDEX idx_activations_one_active ON activations(conversation_id) WHERE status = 'active';

INSERT INTO activations
SELECT id, id, agent_id, 'active', 'user', NULL, NULL, {json_object}(), created_at, NULL FROM agent_conversations;

CREATE TABLE tasks (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  agent_id {id} NOT NULL,
  parent_id {id},
  master_task_id {id} NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  input {json} NOT NULL,
  context {json} NOT NULL,
  -- The API token whose request began it.
  token_id {id},
  created_at {time} NOT NULL,
  ended_at {time}
);
CREATE INDEX idx_tasks_conversation ON tasks(conversation_id);

-- What an open model call has said so far; the last one of each conversation.
CREATE TABLE tapes (
  conversation_id {id} PRIMARY KEY REFERENCES agent_conversations(id) ON DELETE CASCADE,
  call_seq BIGINT NOT NULL,
  tape {json} NOT NULL
) {without_rowid};

-- What model calls used. Like audit events, such rows refer to nothing and stay.
CREATE TABLE model_usage (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL,
  conversation_id {id} NOT NULL,
  task_id {id} NOT NULL,
  agent_id {id} NOT NULL,
  profile_id {id},
  model TEXT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cache_read_tokens BIGINT NOT NULL,
  cache_write_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  -- NULL: no price was known.
  cost_micros BIGINT,
  is_estimate BOOLEAN NOT NULL,
  created_at {time} NOT NULL
);
CREATE INDEX idx_model_usage_workspace ON model_usage(workspace_id, created_at);

CREATE TABLE approvals (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  task_id {id} NOT NULL,
  agent_id {id} NOT NULL,
  message_id {id} NOT NULL,
  call_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  args {json} NOT NULL,
  args_hash TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
  remember BOOLEAN NOT NULL,
  reason TEXT,
  decided_by TEXT,
  decided_at {time},
  expires_at {time} NOT NULL,
  created_at {time} NOT NULL
);
CREATE INDEX idx_approvals_conversation ON approvals(conversation_id);
CREATE INDEX idx_approvals_pending ON approvals(expires_at) WHERE status = 'pending';

-- Idempotency keys: whose request began which turn.
CREATE TABLE request_keys (
  person_id {id} NOT NULL,
  request_key TEXT NOT NULL,
  body_hash {bytes} NOT NULL,
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  task_id {id} NOT NULL,
  first_seq BIGINT NOT NULL,
  created_at {time} NOT NULL,
  PRIMARY KEY (person_id, request_key)
) {without_rowid};
CREATE INDEX idx_request_keys_conversation ON request_keys(conversation_id);

-- Server processes that run turns, each with a lease by the database's clock.
CREATE TABLE nodes (
  id {id} PRIMARY KEY,
  lease_until {time} NOT NULL
);

CREATE TABLE agent_skills (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  display_name TEXT NOT NULL,
  description TEXT NOT NULL,
  icon TEXT NOT NULL,
  content TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  is_system BOOLEAN NOT NULL,
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (workspace_id, name)
);

CREATE TABLE agent_skill_assignments (
  id {id} PRIMARY KEY,
  agent_id {id} NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
  skill_id {id} NOT NULL REFERENCES agent_skills(id) ON DELETE CASCADE,
  created_at {time} NOT NULL,
  UNIQUE (agent_id, skill_id)
);
CREATE INDEX idx_agent_skill_assignments_skill ON agent_skill_assignments(skill_id);

CREATE TABLE agent_memories (
  id {id} PRIMARY KEY,
  agent_id {id} NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  search_text TEXT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (agent_id, path)
);

-- Files people send along with messages, each for its own person.
CREATE TABLE attachments (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  user_id {id} REFERENCES profiles(id) ON DELETE CASCADE,
  visitor_id {id},
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  bytes {bytes} NOT NULL,
  created_at {time} NOT NULL,
  CHECK ((user_id IS NULL) <> (visitor_id IS NULL))
);
CREATE INDEX idx_attachments_user ON attachments(user_id, workspace_id);
CREATE INDEX idx_attachments_visitor ON attachments(visitor_id, workspace_id) WHERE visitor_id IS NOT NULL;
