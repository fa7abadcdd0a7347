-- Files of tools' results: pictures, and the whole of what a model was given a part of.

CREATE TABLE result_files (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  conversation_id {id} NOT NULL REFERENCES agent_conversations(id) ON DELETE CASCADE,
  -- The number of the call's step.
  seq BIGINT NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  -- A result that is stored names it. Known only once somebody looked.
  is_named BOOLEAN NOT NULL,
  created_at {time} NOT NULL,
  bytes {bytes} NOT NULL
);
CREATE INDEX idx_result_files_workspace ON result_files(workspace_id);
CREATE INDEX idx_result_files_conversation ON result_files(conversation_id);
CREATE INDEX idx_result_files_unnamed ON result_files(created_at) WHERE NOT is_named;
