-- Tools of other people's servers: what was allowed of them, and which tools agents may call without asking.

CREATE TABLE pinned_tools (
  tool_id {id} NOT NULL REFERENCES tools(id) ON DELETE CASCADE,
  -- As its server calls it.
  raw_name TEXT NOT NULL,
  definition {json} NOT NULL,
  allowed_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  allowed_at {time} NOT NULL,
  PRIMARY KEY (tool_id, raw_name)
) {without_rowid};
CREATE INDEX idx_pinned_tools_allowed_by ON pinned_tools(allowed_by) WHERE allowed_by IS NOT NULL;

CREATE TABLE tool_permissions (
  agent_id {id} NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
  tool_id {id} NOT NULL REFERENCES tools(id) ON DELETE CASCADE,
  -- Empty: the row is one tool itself.
  raw_name TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('always', 'ask', 'never')),
  -- Of the definition that was meant.
  definition_hash TEXT,
  decided_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  decided_at {time} NOT NULL,
  PRIMARY KEY (agent_id, tool_id, raw_name)
) {without_rowid};
CREATE INDEX idx_tool_permissions_tool ON tool_permissions(tool_id);
CREATE INDEX idx_tool_permissions_decided_by ON tool_permissions(decided_by) WHERE decided_by IS NOT NULL;
