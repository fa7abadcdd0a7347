-- Who sees what, and what happens without asking.

-- Tools that an agent may use without asking: rules that people make on purpose, see and take back.
CREATE TABLE allow_rules (
  agent_id {id} NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
  tool_name TEXT NOT NULL,
  -- Also for calls that reach outside the workspace.
  covers_outside BOOLEAN NOT NULL,
  made_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  PRIMARY KEY (agent_id, tool_name)
) {without_rowid};
CREATE INDEX idx_allow_rules_made_by ON allow_rules(made_by);

-- Visitors and guests reach a team only once an admin opened it.
ALTER TABLE teams ADD COLUMN is_public BOOLEAN NOT NULL DEFAULT false;

-- An agent that an admin let go is brought back by an admin.
ALTER TABLE agents ADD COLUMN let_go_by_admin BOOLEAN NOT NULL DEFAULT false;
