-- Handoffs: teams, tools that people define, what activations and conversations need for them, results of stages, and the
-- record of every attempt.

CREATE TABLE teams (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('swarm', 'router', 'pipeline')),
  router_model TEXT,
  router_instructions TEXT,
  -- The pack and its team that it was hired from.
  pack TEXT,
  pack_team TEXT,
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (workspace_id, slug)
);

CREATE TABLE team_members (
  team_id {id} NOT NULL REFERENCES teams(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  agent_id {id} NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
  is_entry BOOLEAN NOT NULL,
  priority INTEGER NOT NULL,
  -- Set for the stages of a pipeline.
  stage_name TEXT,
  output_schema {json},
  instructions TEXT,
  PRIMARY KEY (team_id, position)
) {without_rowid};
CREATE INDEX idx_team_members_agent ON team_members(agent_id);

CREATE TABLE tools (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('internal', 'mcp_server', 'http_api', 'supabase_rpc', 'handoff')),
  description TEXT NOT NULL,
  config {json} NOT NULL,
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (workspace_id, name)
);

-- A team that is gone leaves its conversations with the agent that holds them.
ALTER TABLE agent_conversations ADD COLUMN team_id {id} REFERENCES teams(id) ON DELETE SET NULL;
CREATE INDEX idx_agent_conversations_team ON agent_conversations(team_id) WHERE team_id IS NOT NULL;

ALTER TABLE activations ADD COLUMN reason TEXT;
ALTER TABLE activations ADD COLUMN context {json};
ALTER TABLE activations ADD COLUMN resumes {id};
ALTER TABLE activations ADD COLUMN is_pinned BOOLEAN NOT NULL DEFAULT false;
-- The number of the step that began it.
ALTER TABLE activations ADD COLUMN began_seq BIGINT NOT NULL DEFAULT 0;
-- For lists of the conversations an agent took part in: those of the person, latest first, each asked for the agent.
DROP INDEX idx_agent_conversations_user;
CREATE INDEX idx_agent_conversations_user ON agent_conversations(user_id, updated_at DESC);
DROP INDEX idx_activations_conversation;
CREATE INDEX idx_activations_conversation ON activations(conversation_id, agent_id);

CREATE TABLE snapshots (
  id {id} PRIMARY KEY,
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  stage TEXT NOT NULL,
  version INTEGER NOT NULL,
  agent_id {id} NOT NULL,
  task_id {id} NOT NULL,
  data {json} NOT NULL,
  created_at {time} NOT NULL,
  UNIQUE (conversation_id, stage, version)
);

-- Like usage, such rows refer to nothing and stay.
CREATE TABLE transitions (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL,
  conversation_id {id} NOT NULL,
  task_id {id},
  trigger TEXT NOT NULL CHECK (trigger IN ('user', 'model', 'router', 'completion', 'fallback', 'rollback')),
  from_agent_id {id} NOT NULL,
  to_agent_id {id},
  reason TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('completed', 'refused', 'ignored', 'rolled_back')),
  code TEXT,
  latency_ms BIGINT NOT NULL,
  tokens_full BIGINT NOT NULL,
  tokens_sent BIGINT NOT NULL,
  created_at {time} NOT NULL
);
CREATE INDEX idx_transitions_workspace ON transitions(workspace_id, created_at);
CREATE INDEX idx_transitions_conversation ON transitions(conversation_id);

-- Opening a workspace to people without an account.
ALTER TABLE workspaces ADD COLUMN public_spend_cap_micros BIGINT;
ALTER TABLE agents ADD COLUMN public_tools {json};
ALTER TABLE model_usage ADD COLUMN is_public BOOLEAN NOT NULL DEFAULT false;
