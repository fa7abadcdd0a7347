-- The workspace's own data: who may see and change it, money, and the record of changes.

-- What owners have set per role and area; where nothing is set, members read and write.
CREATE TABLE area_access (
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  area TEXT NOT NULL,
  access TEXT NOT NULL,
  PRIMARY KEY (workspace_id, role, area)
) {without_rowid};

-- What requests outside a turn changed: a request that comes again with its Idempotency-Key finds its outcome. Forgotten
-- after a day.
CREATE TABLE request_effects (
  profile_id {id} NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  outcome {json},
  created_at {time} NOT NULL,
  PRIMARY KEY (profile_id, key)
) {without_rowid};
CREATE INDEX idx_request_effects_created ON request_effects(created_at);

-- Rows of kinds (see core/data) have id, workspace_id, version (grows with every change), created_at and updated_at.

CREATE TABLE accounts (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- An IBAN, or the number that the bank gives it.
  number TEXT,
  institution TEXT,
  -- Before the first transaction. A balance is this and all amounts: see month_sums.
  opening_balance BIGINT NOT NULL,
  -- What the latest statement said, and of which day.
  stated_balance BIGINT,
  stated_on {day},
  notes TEXT,
  is_closed BOOLEAN NOT NULL,
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_accounts_workspace ON accounts(workspace_id, id);

CREATE TABLE categories (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  -- spending or income: what an amount in it means, whatever its sign.
  type TEXT NOT NULL,
  -- The name, folded: unique in the workspace.
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE UNIQUE INDEX idx_categories_name ON categories(workspace_id, search_text);

-- A transaction whose payee or memo holds the text gets the category, the first rule that fits.
CREATE TABLE category_rules (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  text TEXT NOT NULL,
  category_id {id} NOT NULL REFERENCES categories(id),
  position BIGINT NOT NULL,
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_category_rules_workspace ON category_rules(workspace_id, position, id);
CREATE INDEX idx_category_rules_category ON category_rules(category_id);

CREATE TABLE transactions (
{sqlite}  -- The number that transaction_words knows a row by.
{sqlite}  doc INTEGER PRIMARY KEY,
{sqlite}  id BLOB NOT NULL UNIQUE,
{postgres}  id UUID PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  account_id {id} NOT NULL REFERENCES accounts(id),
  booked_on {day} NOT NULL,
  value_on {day},
  -- In minor units of the account's currency; money that leaves is negative.
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  payee TEXT,
  memo TEXT,
  reference TEXT,
  counterparty_iban TEXT,
  -- Of a category that is there (store/data/hooks.rs sees to it; no foreign key, as no index would serve its checks).
  category_id {id},
  -- Its parts are in transaction_splits and have the categories.
  is_split BOOLEAN NOT NULL,
  -- booked or pending.
  status TEXT NOT NULL,
  -- payment, or trade: money against shares within the account, neither income nor spending.
  activity TEXT NOT NULL,
  -- Shared by the two sides of a transfer between own accounts, or on one side alone: neither income nor spending.
  transfer_id {id},
  foreign_amount BIGINT,
  foreign_currency TEXT,
  foreign_rate TEXT,
  notes TEXT,
  -- The bank's own id.
  source_id TEXT,
  -- Equal keys in one account are one transaction; a row that was entered by hand has a key of its own.
  source_key TEXT NOT NULL,
  import_id {id},
  -- Kept so that an import doesn't bring it back.
  deleted_at {time},
  -- Its words, each between two spaces: see core/data/check.rs.
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE UNIQUE INDEX idx_transactions_source ON transactions(account_id, source_key);
CREATE INDEX idx_transactions_source_id ON transactions(account_id, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX idx_transactions_booked ON transactions(workspace_id, booked_on, id) WHERE deleted_at IS NULL;
-- Who asks for an account or a category also names the workspace: with both in the index, it is the one that is used.
CREATE INDEX idx_transactions_account ON transactions(account_id, workspace_id, booked_on, id) WHERE deleted_at IS NULL;
CREATE INDEX idx_transactions_category ON transactions(category_id, workspace_id, booked_on, id) WHERE deleted_at IS NULL;
CREATE INDEX idx_transactions_amount ON transactions(workspace_id, amount, id) WHERE deleted_at IS NULL;
-- Names are sorted without regard to the case of A to Z, alike on both engines.
CREATE INDEX idx_transactions_payee ON transactions(workspace_id, lower(COALESCE(payee, ''){bytewise}), id) WHERE deleted_at IS NULL;
CREATE INDEX idx_transactions_pending ON transactions(workspace_id, booked_on, id) WHERE status = 'pending' AND deleted_at IS NULL;
CREATE INDEX idx_transactions_deleted ON transactions(workspace_id) WHERE deleted_at IS NOT NULL;
CREATE INDEX idx_transactions_transfer ON transactions(transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX idx_transactions_import ON transactions(import_id) WHERE import_id IS NOT NULL;

-- Full-text search of what isn't deleted. SQLite's index keeps no text, and follows the table by itself; on Postgres it is an index.
{sqlite} CREATE VIRTUAL TABLE transaction_words USING fts5(scope, words, content='', contentless_delete=1, detail=column, prefix='2 3', tokenize='ascii');
{sqlite} CREATE TRIGGER transaction_words_new AFTER INSERT ON transactions WHEN new.deleted_at IS NULL BEGIN
{sqlite}   INSERT INTO transaction_words (rowid, scope, words) VALUES (new.doc, lower(hex(new.workspace_id)), new.search_text);
{sqlite} END;
{sqlite} CREATE TRIGGER transaction_words_changed AFTER UPDATE OF search_text, deleted_at ON transactions
{sqlite} WHEN old.search_text <> new.search_text OR old.deleted_at IS NOT new.deleted_at BEGIN
{sqlite}   DELETE FROM transaction_words WHERE rowid = old.doc;
{sqlite}   INSERT INTO transaction_words (rowid, scope, words)
{sqlite}     SELECT new.doc, lower(hex(new.workspace_id)), new.search_text WHERE new.deleted_at IS NULL;
{sqlite} END;
{sqlite} CREATE TRIGGER transaction_words_gone AFTER DELETE ON transactions BEGIN
{sqlite}   DELETE FROM transaction_words WHERE rowid = old.doc;
{sqlite} END;
{postgres} CREATE INDEX idx_transactions_words ON transactions USING gin ((array_to_tsvector(string_to_array(btrim(search_text), ' ')))) WHERE deleted_at IS NULL;

CREATE TABLE transaction_splits (
  transaction_id {id} NOT NULL REFERENCES transactions(id) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  workspace_id {id} NOT NULL,
  category_id {id} REFERENCES categories(id),
  amount BIGINT NOT NULL,
  memo TEXT,
  PRIMARY KEY (transaction_id, position)
) {without_rowid};
CREATE INDEX idx_transaction_splits_category ON transaction_splits(category_id);
CREATE INDEX idx_transaction_splits_workspace ON transaction_splits(workspace_id);

-- Sums of transactions that are booked and not deleted, kept with every change of one. What reports read.
CREATE TABLE month_sums (
  account_id {id} NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  -- The first day of the month.
  month {day} NOT NULL,
  -- The nil id for none.
  category_id {id} NOT NULL,
  -- payment, trade or transfer.
  flow TEXT NOT NULL,
  workspace_id {id} NOT NULL,
  -- The sum of the positive amounts, that of the negative ones (it is not above 0), and how many amounts there are; each part
  -- of a split transaction is one. The bounds keep SQLite from going over to floating numbers.
  money_in BIGINT NOT NULL CHECK (money_in <= 9000000000000000000),
  money_out BIGINT NOT NULL CHECK (money_out >= -9000000000000000000),
  entries BIGINT NOT NULL,
  PRIMARY KEY (account_id, month, category_id, flow)
) {without_rowid};
CREATE INDEX idx_month_sums_workspace ON month_sums(workspace_id, month);

CREATE TABLE budgets (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  -- Null: all spending.
  category_id {id} REFERENCES categories(id),
  -- week, month or year.
  period TEXT NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  -- Whether what is left of a period is added to the next.
  rolls_over BOOLEAN NOT NULL,
  starts_on {day} NOT NULL,
  ends_on {day},
  notes TEXT,
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_budgets_workspace ON budgets(workspace_id, id);
CREATE INDEX idx_budgets_category ON budgets(category_id);

CREATE TABLE goals (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  target_amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  target_on {day},
  -- Its balance is what is saved; without one, saved_amount is.
  account_id {id} REFERENCES accounts(id),
  saved_amount BIGINT NOT NULL,
  starts_on {day} NOT NULL,
  -- active, completed or given_up.
  status TEXT NOT NULL,
  notes TEXT,
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_goals_workspace ON goals(workspace_id, id);
CREATE INDEX idx_goals_account ON goals(account_id);

-- What one unit of a currency is worth in another, as someone of the workspace entered it.
CREATE TABLE exchange_rates (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  currency TEXT NOT NULL,
  in_currency TEXT NOT NULL,
  -- A decimal number.
  rate TEXT NOT NULL,
  valid_from {day} NOT NULL,
  search_text TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
);
CREATE INDEX idx_exchange_rates_newest ON exchange_rates(workspace_id, valid_from, id);
CREATE UNIQUE INDEX idx_exchange_rates_day ON exchange_rates(workspace_id, currency, in_currency, valid_from);

-- How many rows of each kind a workspace has that are not deleted, and about how many bytes all of them take; kept with every
-- change. Also of data_changes.
CREATE TABLE data_totals (
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  entries BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, kind)
) {without_rowid};

-- Every change of a row of a kind, but for imports, whose rows name their import.
CREATE TABLE data_changes (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  kind TEXT NOT NULL,
  row_id {id} NOT NULL,
  -- created, changed, deleted or restored.
  action TEXT NOT NULL,
  -- The row's fields that changed, as they were and as they are; null where there was or is no row.
  before {json},
  after {json},
  -- The person who did it, or for whom an agent did it.
  profile_id {id},
  -- The agent, the conversation and the call that did it, and who approved the call.
  agent_id {id},
  conversation_id {id},
  seq BIGINT,
  approved_by {id},
  -- The change that this one takes back.
  undoes {id},
  created_at {time} NOT NULL
);
CREATE INDEX idx_data_changes_row ON data_changes(workspace_id, kind, row_id, id);
CREATE INDEX idx_data_changes_newest ON data_changes(workspace_id, id);
CREATE INDEX idx_data_changes_call ON data_changes(conversation_id, seq) WHERE conversation_id IS NOT NULL;
CREATE INDEX idx_data_changes_undoes ON data_changes(undoes) WHERE undoes IS NOT NULL;

-- What a call would change, told to the person who is asked; see core/tools.rs.
ALTER TABLE approvals ADD COLUMN preview {json};
