-- People, workspaces, the catalog, hired agents, rules, conversations, files, audit.
-- One text for both engines: {id}, {time}, {json}, {bytes} become the engine's own types (src/migrate.rs).

CREATE TABLE instance_secrets (
  name TEXT PRIMARY KEY,
  secret {bytes} NOT NULL
);

CREATE TABLE instance_notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE profiles (
  id {id} PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  password_hash TEXT,
  time_zone TEXT NOT NULL,
  tier TEXT NOT NULL CHECK (tier IN ('free', 'premium')),
  is_admin BOOLEAN NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);

CREATE TABLE sessions (
  token_hash {bytes} PRIMARY KEY,
  profile_id {id} NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
  signed_in_by TEXT NOT NULL CHECK (signed_in_by IN ('password', 'link')),
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL
);
CREATE INDEX idx_sessions_profile ON sessions(profile_id);

CREATE TABLE sign_in_links (
  token_hash {bytes} PRIMARY KEY,
  profile_id {id} REFERENCES profiles(id) ON DELETE CASCADE,
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL,
  used_at {time}
);

CREATE TABLE workspaces (
  id {id} PRIMARY KEY,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  time_zone TEXT NOT NULL,
  spend_cap_micros BIGINT CHECK (spend_cap_micros >= 0),
  public_chat BOOLEAN NOT NULL,
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);

CREATE TABLE workspace_members (
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  profile_id {id} NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  joined_at {time} NOT NULL,
  PRIMARY KEY (workspace_id, profile_id)
);
CREATE INDEX idx_workspace_members_profile ON workspace_members(profile_id);

CREATE TABLE workspace_invitations (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  token_hash {bytes} NOT NULL UNIQUE,
  email TEXT,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  invited_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL,
  accepted_at {time}
);
CREATE INDEX idx_workspace_invitations_workspace ON workspace_invitations(workspace_id);

CREATE TABLE api_tokens (
  id {id} PRIMARY KEY,
  profile_id {id} NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash {bytes} NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at {time} NOT NULL,
  last_used_at {time}
);
CREATE INDEX idx_api_tokens_profile ON api_tokens(profile_id);

CREATE TABLE departments (
  id {id} PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  icon TEXT
);

-- The catalog. A row shows the published version; before the first publication, the draft.
CREATE TABLE ai_agents (
  id {id} PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT,
  department_id {id} REFERENCES departments(id) ON DELETE SET NULL,
  avatar_url TEXT,
  model TEXT NOT NULL,
  system_prompt TEXT NOT NULL,
  permission_mode TEXT NOT NULL CHECK (permission_mode IN ('default', 'acceptEdits', 'bypassPermissions')),
  max_turns INTEGER NOT NULL,
  role TEXT,
  is_default BOOLEAN NOT NULL,
  is_free BOOLEAN NOT NULL,
  is_restricted BOOLEAN NOT NULL,
  is_head BOOLEAN NOT NULL,
  initial_prompt TEXT,
  category TEXT NOT NULL,
  tools {json} NOT NULL,
  config {json} NOT NULL,
  search_text TEXT NOT NULL,
  is_enabled BOOLEAN NOT NULL,
  auto_hire BOOLEAN NOT NULL,
  current_version INTEGER NOT NULL,
  published_version INTEGER,
  -- Where a pack last spoke about it: what it said, and as which version.
  pack_digest TEXT,
  pack_version INTEGER,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);

CREATE TABLE ai_agent_versions (
  ai_agent_id {id} NOT NULL REFERENCES ai_agents(id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  definition {json} NOT NULL,
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  PRIMARY KEY (ai_agent_id, version)
);

CREATE TABLE agents (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  ai_agent_id {id},
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  department_id {id} REFERENCES departments(id) ON DELETE SET NULL,
  avatar_url TEXT,
  model TEXT NOT NULL,
  system_prompt TEXT NOT NULL,
  permission_mode TEXT NOT NULL CHECK (permission_mode IN ('default', 'acceptEdits', 'bypassPermissions')),
  max_turns INTEGER NOT NULL,
  role TEXT,
  is_default BOOLEAN NOT NULL,
  is_free BOOLEAN NOT NULL,
  is_restricted BOOLEAN NOT NULL,
  is_head BOOLEAN NOT NULL,
  initial_prompt TEXT,
  category TEXT NOT NULL,
  tools {json} NOT NULL,
  config {json} NOT NULL,
  search_text TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  hired_version INTEGER,
  hired_at {time},
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (workspace_id, slug)
);
CREATE INDEX idx_agents_created_by ON agents(created_by);
CREATE INDEX idx_agents_ai_agent_id ON agents(ai_agent_id);
CREATE UNIQUE INDEX idx_agents_workspace_ai_agent ON agents(workspace_id, ai_agent_id) WHERE ai_agent_id IS NOT NULL;
CREATE UNIQUE INDEX idx_agents_one_default ON agents(workspace_id) WHERE is_default AND is_active;

-- A rule belongs to a workspace, or (workspace_id NULL) to the catalog.
CREATE TABLE agent_rules (
  id {id} PRIMARY KEY,
  workspace_id {id} REFERENCES workspaces(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  position INTEGER NOT NULL,
  -- Given by a pack: the next version of the pack changes or takes it back.
  from_pack BOOLEAN NOT NULL,
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_agent_rules_workspace ON agent_rules(workspace_id);

CREATE TABLE agent_rule_assignments (
  id {id} PRIMARY KEY,
  rule_id {id} NOT NULL REFERENCES agent_rules(id) ON DELETE CASCADE,
  agent_id {id} REFERENCES agents(id) ON DELETE CASCADE,
  ai_agent_id {id} REFERENCES ai_agents(id) ON DELETE CASCADE,
  UNIQUE (rule_id, agent_id),
  UNIQUE (rule_id, ai_agent_id),
  CHECK ((agent_id IS NULL) <> (ai_agent_id IS NULL))
);
CREATE INDEX idx_agent_rule_assignments_agent ON agent_rule_assignments(agent_id);
CREATE INDEX idx_agent_rule_assignments_ai_agent ON agent_rule_assignments(ai_agent_id);

-- A conversation is one person's: a profile's or a visitor's, exactly one.
CREATE TABLE agent_conversations (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  agent_id {id} NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
  user_id {id} REFERENCES profiles(id) ON DELETE CASCADE,
  visitor_id {id},
  title TEXT,
  search_text TEXT NOT NULL,
  last_seq BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  CHECK ((user_id IS NULL) <> (visitor_id IS NULL))
);
CREATE INDEX idx_agent_conversations_agent ON agent_conversations(agent_id);
CREATE INDEX idx_agent_conversations_user ON agent_conversations(user_id, agent_id, updated_at DESC);
CREATE INDEX idx_agent_conversations_visitor ON agent_conversations(visitor_id);
CREATE INDEX idx_agent_conversations_workspace ON agent_conversations(workspace_id);

CREATE TABLE agent_messages (
  id {id} PRIMARY KEY,
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  seq BIGINT NOT NULL,
  agent_id {id} NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  content TEXT NOT NULL,
  search_text TEXT NOT NULL,
  parts {json},
  metadata {json} NOT NULL,
  created_at {time} NOT NULL,
  UNIQUE (conversation_id, seq)
);
CREATE INDEX idx_agent_messages_agent ON agent_messages(agent_id);

CREATE TABLE files (
  id {id} PRIMARY KEY,
  workspace_id {id} REFERENCES workspaces(id) ON DELETE CASCADE,
  uploaded_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  content_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  bytes {bytes} NOT NULL,
  created_at {time} NOT NULL
);
CREATE INDEX idx_files_workspace ON files(workspace_id);

-- What happened. It refers to nothing, so that it stays when what it tells of is deleted.
CREATE TABLE audit_events (
  id {id} PRIMARY KEY,
  workspace_id {id},
  profile_id {id},
  action TEXT NOT NULL,
  subject TEXT,
  details {json} NOT NULL,
  created_at {time} NOT NULL
);
CREATE INDEX idx_audit_events_workspace ON audit_events(workspace_id, id);
