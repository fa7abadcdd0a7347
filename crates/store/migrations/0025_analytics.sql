-- Key figures: which of them a workspace keeps in sight, and the indexes by which they are counted.

CREATE TABLE figure_pins (
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  -- Its name, as in core/figures/list.rs.
  figure TEXT NOT NULL,
  -- day, week or month.
  grain TEXT NOT NULL,
  pinned_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  PRIMARY KEY (workspace_id, figure)
) {without_rowid};
CREATE INDEX idx_figure_pins_pinned_by ON figure_pins(pinned_by) WHERE pinned_by IS NOT NULL;

-- Turns begin with a task that has no parent.
CREATE INDEX idx_tasks_turns ON tasks(workspace_id, created_at) WHERE parent_id IS NULL;
CREATE INDEX idx_approvals_workspace ON approvals(workspace_id, created_at);

-- All that is counted of deals and of their stages.
CREATE INDEX idx_deals_created ON deals(workspace_id, created_at) WHERE deleted_at IS NULL;
CREATE INDEX idx_deal_stages_entered ON deal_stages(workspace_id, entered_at, stage, left_at, deal_id);
CREATE INDEX idx_deal_stages_left ON deal_stages(workspace_id, left_at, stage, entered_at, deal_id);

-- And of tasks.
CREATE INDEX idx_project_tasks_created ON project_tasks(workspace_id, created_at) WHERE deleted_at IS NULL;
CREATE INDEX idx_project_tasks_completed ON project_tasks(workspace_id, completed_on, due_on) WHERE deleted_at IS NULL;
CREATE INDEX idx_project_tasks_overdue ON project_tasks(workspace_id, due_on, completed_on) WHERE deleted_at IS NULL;
