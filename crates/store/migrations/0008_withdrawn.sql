-- A hired agent whose catalog entry is disabled is gone: not active, and back again once the entry is.
ALTER TABLE agents ADD COLUMN is_withdrawn BOOLEAN NOT NULL DEFAULT false;
UPDATE agents SET is_active = false, is_withdrawn = true
  WHERE is_active AND ai_agent_id IN (SELECT id FROM ai_agents WHERE NOT is_enabled);
