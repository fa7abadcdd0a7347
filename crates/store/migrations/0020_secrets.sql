-- Secrets that Baton must be able to read again, such as keys of model providers. They are encrypted by the server; what opens
-- them is not in the database.
CREATE TABLE secrets (
  -- What the secret belongs to: a model provider or a search engine.
  owner_id {id} NOT NULL PRIMARY KEY,
  -- Null: the server's own.
  workspace_id {id},
  used_for TEXT NOT NULL,
  -- The only address that it is sent to.
  sent_to TEXT NOT NULL,
  -- The key under which it is encrypted.
  key_id TEXT NOT NULL,
  sealed {bytes} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_secrets_key ON secrets(key_id);
CREATE INDEX idx_secrets_workspace ON secrets(workspace_id);

-- Providers of models that were set in the app: of the server (no workspace), or of one workspace.
CREATE TABLE model_providers (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} REFERENCES workspaces(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  wire TEXT NOT NULL,
  base_url TEXT,
  models {json} NOT NULL,
  position INTEGER NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE UNIQUE INDEX idx_model_providers_server ON model_providers(name) WHERE workspace_id IS NULL;
CREATE UNIQUE INDEX idx_model_providers_workspace ON model_providers(workspace_id, name);

-- At most one for the server, and one for each workspace.
CREATE TABLE search_engines (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} REFERENCES workspaces(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  base_url TEXT,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE UNIQUE INDEX idx_search_engines_workspace ON search_engines(workspace_id);

-- A workspace paid for the call itself, with its own provider: it doesn't count towards limits of the server.
ALTER TABLE model_usage ADD COLUMN is_own BOOLEAN NOT NULL DEFAULT false;
