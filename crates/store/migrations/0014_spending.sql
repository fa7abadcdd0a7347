-- A row of model_usage is made when its call opens, with an estimate, and changed when the call ends. One that stays open is an
-- estimate for good. `call_seq` is the number of the step that opened the call; a router's call opens none: there it is the
-- number of the turn's first step, and `router_attempt` the attempt that asked.
ALTER TABLE model_usage ADD COLUMN call_seq BIGINT;
ALTER TABLE model_usage ADD COLUMN router_attempt INTEGER;
ALTER TABLE model_usage ADD COLUMN is_open BOOLEAN NOT NULL DEFAULT false;
-- By the database's clock, where several nodes write: each reads what the others changed.
ALTER TABLE model_usage ADD COLUMN changed_at {time};
CREATE INDEX idx_model_usage_changed ON model_usage(changed_at) WHERE changed_at IS NOT NULL;

-- Whether guests and visitors may use a model whose price is not known, so that no limit counts it.
ALTER TABLE workspaces ADD COLUMN public_unpriced BOOLEAN NOT NULL DEFAULT false;
