-- Customers: companies, contacts, deals with the history of their stages, and activities.

-- Rows refer to each other by ids that are there when they are set (store/data/hooks.rs). There are no foreign keys between
-- them: a deleted contact or deal stays in its table, and so does what it refers to. People who look after them are named by the
-- ids of their profiles; where a profile is removed, nobody is named.

CREATE TABLE companies (
{sqlite}  -- The number that company_words knows a row by.
{sqlite}  doc INTEGER PRIMARY KEY,
{sqlite}  id BLOB NOT NULL UNIQUE,
{postgres}  id UUID PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  -- In small letters, without www: unique in the workspace.
  domain TEXT,
  website TEXT,
  industry TEXT,
  phone TEXT,
  address TEXT,
  owner_id {id} REFERENCES profiles(id) ON DELETE SET NULL,
  notes TEXT,
  -- Its words, each between two spaces: see core/data/check.rs.
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);

CREATE UNIQUE INDEX idx_companies_domain ON companies(workspace_id, domain) WHERE domain IS NOT NULL;
-- Names are sorted without regard to the case of A to Z, alike on both engines; they are compared as they are.
CREATE INDEX idx_companies_sorted ON companies(workspace_id, lower(COALESCE(name, ''){bytewise}), id);
CREATE INDEX idx_companies_name ON companies(workspace_id, name);
CREATE INDEX idx_companies_industry_sorted ON companies(workspace_id, lower(COALESCE(industry, ''){bytewise}), id);
CREATE INDEX idx_companies_industry ON companies(workspace_id, industry);
-- Also for the foreign key, like the owner's in the tables below.
CREATE INDEX idx_companies_owner ON companies(owner_id, workspace_id, lower(COALESCE(name, ''){bytewise}), id);
{sqlite} CREATE VIRTUAL TABLE company_words USING fts5(scope, words, content='', contentless_delete=1, detail=column, prefix='2 3', tokenize='ascii');
{sqlite} CREATE TRIGGER company_words_new AFTER INSERT ON companies BEGIN
{sqlite}   INSERT INTO company_words (rowid, scope, words) VALUES (new.doc, lower(hex(new.workspace_id)), new.search_text);
{sqlite} END;
{sqlite} CREATE TRIGGER company_words_changed AFTER UPDATE OF search_text ON companies
{sqlite} WHEN old.search_text <> new.search_text BEGIN
{sqlite}   DELETE FROM company_words WHERE rowid = old.doc;
{sqlite}   INSERT INTO company_words (rowid, scope, words)
{sqlite}     SELECT new.doc, lower(hex(new.workspace_id)), new.search_text;
{sqlite} END;
{sqlite} CREATE TRIGGER company_words_gone AFTER DELETE ON companies BEGIN
{sqlite}   DELETE FROM company_words WHERE rowid = old.doc;
{sqlite} END;
{postgres} CREATE INDEX idx_companies_words ON companies USING gin ((array_to_tsvector(string_to_array(btrim(search_text), ' '))));

CREATE TABLE contacts (
{sqlite}  -- The number that contact_words knows a row by.
{sqlite}  doc INTEGER PRIMARY KEY,
{sqlite}  id BLOB NOT NULL UNIQUE,
{postgres}  id UUID PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  -- In small letters: unique among those that are not deleted.
  email TEXT,
  phone TEXT,
  job_title TEXT,
  company_id {id},
  -- Of a lead: new, contacted, qualified, unqualified or converted.
  status TEXT,
  source TEXT,
  owner_id {id} REFERENCES profiles(id) ON DELETE SET NULL,
  notes TEXT,
  -- Of a deleted one: the contact that it was merged into, and that its e-mail now means.
  merged_into {id},
  deleted_at {time},
  -- Its words, each between two spaces: see core/data/check.rs.
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);

CREATE UNIQUE INDEX idx_contacts_email ON contacts(workspace_id, email) WHERE email IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX idx_contacts_sorted ON contacts(workspace_id, lower(COALESCE(name, ''){bytewise}), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_contacts_name ON contacts(workspace_id, name) WHERE deleted_at IS NULL;
CREATE INDEX idx_contacts_email_sorted ON contacts(workspace_id, lower(COALESCE(email, ''){bytewise}), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_contacts_status_sorted ON contacts(workspace_id, lower(COALESCE(status, ''){bytewise}), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_contacts_status ON contacts(workspace_id, status, lower(COALESCE(name, ''){bytewise}), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_contacts_source ON contacts(workspace_id, source) WHERE deleted_at IS NULL;
CREATE INDEX idx_contacts_company ON contacts(company_id, workspace_id, lower(COALESCE(name, ''){bytewise}), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_contacts_owner ON contacts(owner_id, workspace_id, lower(COALESCE(name, ''){bytewise}), id);
CREATE INDEX idx_contacts_merged ON contacts(merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX idx_contacts_merged_email ON contacts(workspace_id, email) WHERE merged_into IS NOT NULL;
CREATE INDEX idx_contacts_deleted ON contacts(workspace_id) WHERE deleted_at IS NOT NULL;
{sqlite} CREATE VIRTUAL TABLE contact_words USING fts5(scope, words, content='', contentless_delete=1, detail=column, prefix='2 3', tokenize='ascii');
{sqlite} CREATE TRIGGER contact_words_new AFTER INSERT ON contacts WHEN new.deleted_at IS NULL BEGIN
{sqlite}   INSERT INTO contact_words (rowid, scope, words) VALUES (new.doc, lower(hex(new.workspace_id)), new.search_text);
{sqlite} END;
{sqlite} CREATE TRIGGER contact_words_changed AFTER UPDATE OF search_text, deleted_at ON contacts
{sqlite} WHEN old.search_text <> new.search_text OR old.deleted_at IS NOT new.deleted_at BEGIN
{sqlite}   DELETE FROM contact_words WHERE rowid = old.doc;
{sqlite}   INSERT INTO contact_words (rowid, scope, words)
{sqlite}     SELECT new.doc, lower(hex(new.workspace_id)), new.search_text WHERE new.deleted_at IS NULL;
{sqlite} END;
{sqlite} CREATE TRIGGER contact_words_gone AFTER DELETE ON contacts BEGIN
{sqlite}   DELETE FROM contact_words WHERE rowid = old.doc;
{sqlite} END;
{postgres} CREATE INDEX idx_contacts_words ON contacts USING gin ((array_to_tsvector(string_to_array(btrim(search_text), ' ')))) WHERE deleted_at IS NULL;

CREATE TABLE deals (
{sqlite}  -- The number that deal_words knows a row by.
{sqlite}  doc INTEGER PRIMARY KEY,
{sqlite}  id BLOB NOT NULL UNIQUE,
{postgres}  id UUID PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  company_id {id},
  contact_id {id},
  -- lead, qualified, proposal, negotiation, won or lost; deal_stages has when it came into each.
  stage TEXT NOT NULL,
  -- In minor units.
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  -- In percent; null: as its stage says.
  probability BIGINT,
  expected_close_on {day},
  closed_on {day},
  stage_since {day},
  owner_id {id} REFERENCES profiles(id) ON DELETE SET NULL,
  lost_reason TEXT,
  -- Among the deals of its stage; numbers have gaps.
  position BIGINT,
  notes TEXT,
  deleted_at {time},
  -- Its words, each between two spaces: see core/data/check.rs.
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);

CREATE INDEX idx_deals_board ON deals(workspace_id, stage, COALESCE(position, 0), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_position ON deals(workspace_id, COALESCE(position, 0), id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_stage ON deals(workspace_id, stage, COALESCE(stage_since, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_deals_stage ON deals(workspace_id, stage, COALESCE(stage_since, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_since ON deals(workspace_id, COALESCE(stage_since, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_deals_since ON deals(workspace_id, COALESCE(stage_since, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_since_day ON deals(workspace_id, stage_since) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_sorted ON deals(workspace_id, lower(COALESCE(name, ''){bytewise}), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_name ON deals(workspace_id, name) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_amount ON deals(workspace_id, amount, id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_expected ON deals(workspace_id, COALESCE(expected_close_on, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_deals_expected ON deals(workspace_id, COALESCE(expected_close_on, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_expected_day ON deals(workspace_id, expected_close_on) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_closed ON deals(workspace_id, COALESCE(closed_on, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_deals_closed ON deals(workspace_id, COALESCE(closed_on, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_closed_day ON deals(workspace_id, closed_on) WHERE deleted_at IS NULL;
-- All that the sums of a pipeline need.
CREATE INDEX idx_deals_sums ON deals(workspace_id, stage, currency, amount, probability, owner_id) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_closed_sums ON deals(workspace_id, stage, closed_on, currency, amount, probability, owner_id) WHERE deleted_at IS NULL;
CREATE INDEX idx_deals_currency ON deals(workspace_id, currency) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_company ON deals(company_id, workspace_id, COALESCE(stage_since, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_deals_company ON deals(company_id, workspace_id, COALESCE(stage_since, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_contact ON deals(contact_id, workspace_id, COALESCE(stage_since, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_deals_contact ON deals(contact_id, workspace_id, COALESCE(stage_since, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_owner_stage ON deals(owner_id, workspace_id, stage, COALESCE(stage_since, '0001-01-01'), id) WHERE deleted_at IS NULL;
{postgres} CREATE INDEX idx_deals_owner_stage ON deals(owner_id, workspace_id, stage, COALESCE(stage_since, DATE '0001-01-01'), id) WHERE deleted_at IS NULL;
{sqlite} CREATE INDEX idx_deals_owner ON deals(owner_id, workspace_id, COALESCE(stage_since, '0001-01-01'), id);
{postgres} CREATE INDEX idx_deals_owner ON deals(owner_id, workspace_id, COALESCE(stage_since, DATE '0001-01-01'), id);
CREATE INDEX idx_deals_deleted ON deals(workspace_id) WHERE deleted_at IS NOT NULL;
{sqlite} CREATE VIRTUAL TABLE deal_words USING fts5(scope, words, content='', contentless_delete=1, detail=column, prefix='2 3', tokenize='ascii');
{sqlite} CREATE TRIGGER deal_words_new AFTER INSERT ON deals WHEN new.deleted_at IS NULL BEGIN
{sqlite}   INSERT INTO deal_words (rowid, scope, words) VALUES (new.doc, lower(hex(new.workspace_id)), new.search_text);
{sqlite} END;
{sqlite} CREATE TRIGGER deal_words_changed AFTER UPDATE OF search_text, deleted_at ON deals
{sqlite} WHEN old.search_text <> new.search_text OR old.deleted_at IS NOT new.deleted_at BEGIN
{sqlite}   DELETE FROM deal_words WHERE rowid = old.doc;
{sqlite}   INSERT INTO deal_words (rowid, scope, words)
{sqlite}     SELECT new.doc, lower(hex(new.workspace_id)), new.search_text WHERE new.deleted_at IS NULL;
{sqlite} END;
{sqlite} CREATE TRIGGER deal_words_gone AFTER DELETE ON deals BEGIN
{sqlite}   DELETE FROM deal_words WHERE rowid = old.doc;
{sqlite} END;
{postgres} CREATE INDEX idx_deals_words ON deals USING gin ((array_to_tsvector(string_to_array(btrim(search_text), ' ')))) WHERE deleted_at IS NULL;

-- The stages that a deal was in, and who brought it there; written with every change of a deal's stage.
CREATE TABLE deal_stages (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL,
  deal_id {id} NOT NULL REFERENCES deals(id) ON DELETE CASCADE,
  stage TEXT NOT NULL,
  entered_at {time} NOT NULL,
  -- Null: it is still in it.
  left_at {time},
  -- As in data_changes.
  profile_id {id},
  agent_id {id},
  conversation_id {id},
  seq BIGINT,
  approved_by {id}
);
CREATE INDEX idx_deal_stages_deal ON deal_stages(deal_id, id);
CREATE INDEX idx_deal_stages_workspace ON deal_stages(workspace_id, entered_at);

CREATE TABLE activities (
{sqlite}  -- The number that activity_words knows a row by.
{sqlite}  doc INTEGER PRIMARY KEY,
{sqlite}  id BLOB NOT NULL UNIQUE,
{postgres}  id UUID PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  subject TEXT NOT NULL,
  -- call, email, meeting, task or note.
  type TEXT NOT NULL,
  due_on {day},
  -- Null: it is still to be done.
  done_on {day},
  contact_id {id},
  company_id {id},
  deal_id {id},
  assignee_id {id} REFERENCES profiles(id) ON DELETE SET NULL,
  notes TEXT,
  -- Its words, each between two spaces: see core/data/check.rs.
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);

{sqlite} CREATE INDEX idx_activities_due ON activities(workspace_id, COALESCE(due_on, '0001-01-01'), id);
{postgres} CREATE INDEX idx_activities_due ON activities(workspace_id, COALESCE(due_on, DATE '0001-01-01'), id);
CREATE INDEX idx_activities_due_day ON activities(workspace_id, due_on);
{sqlite} CREATE INDEX idx_activities_done ON activities(workspace_id, COALESCE(done_on, '0001-01-01'), id);
{postgres} CREATE INDEX idx_activities_done ON activities(workspace_id, COALESCE(done_on, DATE '0001-01-01'), id);
CREATE INDEX idx_activities_done_day ON activities(workspace_id, done_on);
{sqlite} CREATE INDEX idx_activities_open ON activities(workspace_id, COALESCE(due_on, '0001-01-01'), id) WHERE done_on IS NULL;
{postgres} CREATE INDEX idx_activities_open ON activities(workspace_id, COALESCE(due_on, DATE '0001-01-01'), id) WHERE done_on IS NULL;
CREATE INDEX idx_activities_sorted ON activities(workspace_id, lower(COALESCE(subject, ''){bytewise}), id);
{sqlite} CREATE INDEX idx_activities_type ON activities(workspace_id, type, COALESCE(due_on, '0001-01-01'), id);
{postgres} CREATE INDEX idx_activities_type ON activities(workspace_id, type, COALESCE(due_on, DATE '0001-01-01'), id);
{sqlite} CREATE INDEX idx_activities_contact ON activities(contact_id, workspace_id, COALESCE(due_on, '0001-01-01'), id);
{postgres} CREATE INDEX idx_activities_contact ON activities(contact_id, workspace_id, COALESCE(due_on, DATE '0001-01-01'), id);
{sqlite} CREATE INDEX idx_activities_company ON activities(company_id, workspace_id, COALESCE(due_on, '0001-01-01'), id);
{postgres} CREATE INDEX idx_activities_company ON activities(company_id, workspace_id, COALESCE(due_on, DATE '0001-01-01'), id);
{sqlite} CREATE INDEX idx_activities_deal ON activities(deal_id, workspace_id, COALESCE(due_on, '0001-01-01'), id);
{postgres} CREATE INDEX idx_activities_deal ON activities(deal_id, workspace_id, COALESCE(due_on, DATE '0001-01-01'), id);
{sqlite} CREATE INDEX idx_activities_assignee ON activities(assignee_id, workspace_id, COALESCE(due_on, '0001-01-01'), id);
{postgres} CREATE INDEX idx_activities_assignee ON activities(assignee_id, workspace_id, COALESCE(due_on, DATE '0001-01-01'), id);
{sqlite} CREATE VIRTUAL TABLE activity_words USING fts5(scope, words, content='', contentless_delete=1, detail=column, prefix='2 3', tokenize='ascii');
{sqlite} CREATE TRIGGER activity_words_new AFTER INSERT ON activities BEGIN
{sqlite}   INSERT INTO activity_words (rowid, scope, words) VALUES (new.doc, lower(hex(new.workspace_id)), new.search_text);
{sqlite} END;
{sqlite} CREATE TRIGGER activity_words_changed AFTER UPDATE OF search_text ON activities
{sqlite} WHEN old.search_text <> new.search_text BEGIN
{sqlite}   DELETE FROM activity_words WHERE rowid = old.doc;
{sqlite}   INSERT INTO activity_words (rowid, scope, words)
{sqlite}     SELECT new.doc, lower(hex(new.workspace_id)), new.search_text;
{sqlite} END;
{sqlite} CREATE TRIGGER activity_words_gone AFTER DELETE ON activities BEGIN
{sqlite}   DELETE FROM activity_words WHERE rowid = old.doc;
{sqlite} END;
{postgres} CREATE INDEX idx_activities_words ON activities USING gin ((array_to_tsvector(string_to_array(btrim(search_text), ' '))));

-- Changes that belong together, such as those of two contacts that were merged, name the first of them: they are taken back
-- together.
ALTER TABLE data_changes ADD COLUMN part_of {id};
CREATE INDEX idx_data_changes_part ON data_changes(part_of) WHERE part_of IS NOT NULL;
