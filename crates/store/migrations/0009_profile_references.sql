-- Removing an account looks for all that names it: by an index, however much of it there is.
CREATE INDEX idx_sign_in_links_profile ON sign_in_links(profile_id);
CREATE INDEX idx_workspaces_created_by ON workspaces(created_by);
CREATE INDEX idx_workspace_invitations_invited_by ON workspace_invitations(invited_by);
CREATE INDEX idx_ai_agent_versions_created_by ON ai_agent_versions(created_by);
CREATE INDEX idx_agent_rules_created_by ON agent_rules(created_by);
CREATE INDEX idx_agent_skills_created_by ON agent_skills(created_by);
CREATE INDEX idx_teams_created_by ON teams(created_by);
CREATE INDEX idx_tools_created_by ON tools(created_by);
CREATE INDEX idx_files_uploaded_by ON files(uploaded_by);
