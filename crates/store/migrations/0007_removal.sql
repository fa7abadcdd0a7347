-- Workspaces and accounts on their way out: marked first, then removed in pieces.

ALTER TABLE workspaces ADD COLUMN deleted_at {time};
-- Set once nothing of it is left. Its row stays, without a name: too much refers to it without an index.
ALTER TABLE workspaces ADD COLUMN removed_at {time};
CREATE INDEX idx_workspaces_deleted ON workspaces(deleted_at) WHERE deleted_at IS NOT NULL AND removed_at IS NULL;

ALTER TABLE profiles ADD COLUMN deleted_at {time};
CREATE INDEX idx_profiles_deleted ON profiles(deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX idx_attachments_workspace ON attachments(workspace_id);
