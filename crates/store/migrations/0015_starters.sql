-- First messages that an agent or a team offers.
ALTER TABLE agents ADD COLUMN starters {json} NOT NULL DEFAULT '[]';
ALTER TABLE ai_agents ADD COLUMN starters {json} NOT NULL DEFAULT '[]';
ALTER TABLE teams ADD COLUMN starters {json} NOT NULL DEFAULT '[]';
