-- Projects and their tasks, and the secret addresses of calendars. What rows refer to is seen to by store/data/hooks.rs and
-- store/data/projects.rs: rows that are deleted stay, and no foreign key would know of it.

CREATE TABLE projects (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  description TEXT,
  -- planned, active, paused, completed or cancelled.
  status TEXT NOT NULL,
  -- Of a person who is or was a member.
  lead_id {id},
  starts_on {day},
  due_on {day},
  notes TEXT,
  -- Its tasks went with it.
  deleted_at {time},
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_projects_workspace ON projects(workspace_id, id);

CREATE TABLE project_tasks (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  title TEXT NOT NULL,
  project_id {id} NOT NULL,
  -- A task of the same project.
  parent_id {id},
  description TEXT,
  -- todo, in_progress, blocked or done.
  status TEXT NOT NULL,
  assignee_id {id},
  due_on {day},
  -- low, normal, high or urgent.
  priority TEXT NOT NULL,
  blocked_reason TEXT,
  -- Of a task that is done, and of no other.
  completed_on {day},
  -- Orders the tasks of one status.
  position BIGINT,
  deleted_at {time},
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_project_tasks_position ON project_tasks(workspace_id, COALESCE(position, 0), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_project_tasks_column ON project_tasks(workspace_id, status, COALESCE(position, 0), id) WHERE deleted_at IS NULL;
-- Who asks for a project, a task or a person also names the workspace: with both in the index, it is the one that is used.
CREATE INDEX idx_project_tasks_project ON project_tasks(project_id, workspace_id, COALESCE(position, 0), id);
CREATE INDEX idx_project_tasks_parent ON project_tasks(parent_id, workspace_id) WHERE parent_id IS NOT NULL;
CREATE INDEX idx_project_tasks_assignee ON project_tasks(assignee_id, workspace_id, due_on, id) WHERE deleted_at IS NULL;
-- What is still to be done, by its day; and how many tasks of a project are in which state.
CREATE INDEX idx_project_tasks_open ON project_tasks(workspace_id, due_on, id) WHERE status <> 'done' AND deleted_at IS NULL;
CREATE INDEX idx_project_tasks_progress ON project_tasks(workspace_id, project_id, status, due_on) WHERE deleted_at IS NULL;
-- Sorted as lists are: what has no day first, titles without regard to the case of A to Z.
CREATE INDEX idx_project_tasks_title ON project_tasks(workspace_id, lower(COALESCE(title, ''){bytewise}), id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_project_tasks_due ON project_tasks(workspace_id, COALESCE(due_on, '0001-01-01'), id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_project_tasks_done ON project_tasks(workspace_id, COALESCE(completed_on, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_project_tasks_due ON project_tasks(workspace_id, COALESCE(due_on, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_project_tasks_done ON project_tasks(workspace_id, COALESCE(completed_on, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_project_tasks_deleted ON project_tasks(workspace_id) WHERE deleted_at IS NOT NULL;

-- Secret addresses under which calendars read what is due: at most one of each person in each workspace.
CREATE TABLE calendar_feeds (
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  profile_id {id} NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
  token_hash {bytes} NOT NULL UNIQUE,
  created_at {time} NOT NULL,
  PRIMARY KEY (workspace_id, profile_id)
) {without_rowid};
CREATE INDEX idx_calendar_feeds_profile ON calendar_feeds(profile_id);
