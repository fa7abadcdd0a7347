-- Data in and out: files that people bring, and files that are made for them.

CREATE TABLE imports (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  -- Who brought it; it goes on with their rights as they are then.
  profile_id {id},
  kind TEXT NOT NULL,
  filename TEXT NOT NULL,
  -- csv, ofx, camt or qif, once somebody has looked at it.
  format TEXT,
  -- Of the file, while its pieces are kept; 0 afterwards.
  size BIGINT NOT NULL,
  -- See ImportStatus in core/data/imports.rs.
  status TEXT NOT NULL,
  -- Whether it stops before it changes anything, and waits for somebody to start it.
  is_dry_run BOOLEAN NOT NULL,
  -- Where rows go whose account the file doesn't tell.
  account_id {id},
  -- How columns become fields, as far as somebody said so.
  mapping {json},
  -- Questions, preview, balances, what was made: for people.
  report {json} NOT NULL,
  problem TEXT,
  rows_read BIGINT NOT NULL,
  rows_new BIGINT NOT NULL,
  rows_changed BIGINT NOT NULL,
  rows_duplicate BIGINT NOT NULL,
  -- Of the duplicates, those that somebody deleted.
  rows_deleted BIGINT NOT NULL,
  -- Of the new ones, those whose id the bank had used before.
  rows_reused BIGINT NOT NULL,
  rows_refused BIGINT NOT NULL,
  -- What an undo took away, and what it left because somebody had changed it since.
  rows_undone BIGINT NOT NULL,
  rows_kept BIGINT NOT NULL,
  -- How many items of the file are stored with all that comes of them.
  items_done BIGINT NOT NULL,
  -- The process that works on it, and until when it surely does; each claim is a new attempt.
  claimed_by {id},
  claimed_until {time},
  attempt BIGINT NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  ended_at {time}
);
CREATE INDEX idx_imports_workspace ON imports(workspace_id, id);
-- Those that wait for a process, or for a person.
CREATE INDEX idx_imports_open ON imports(status, updated_at) WHERE ended_at IS NULL;

-- Those that have ended, and whose file is not removed yet.
CREATE INDEX idx_imports_left ON imports(id) WHERE ended_at IS NOT NULL AND size > 0;

-- The bytes of files: of imports until they are read, of exports until they expire.
CREATE TABLE file_pieces (
  file_id {id} NOT NULL,
  position BIGINT NOT NULL,
  workspace_id {id} NOT NULL,
  bytes {bytes} NOT NULL,
  PRIMARY KEY (file_id, position)
);
CREATE INDEX idx_file_pieces_workspace ON file_pieces(workspace_id);

-- What people are told about single lines: the first of them.
CREATE TABLE import_remarks (
  import_id {id} NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  line BIGINT NOT NULL,
  -- refused, id_reused or note.
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (import_id, position)
) {without_rowid};

-- What an import changed besides the transactions that name it: rows of other kinds, by the record of their change, and
-- transactions that were pending, as they were before.
CREATE TABLE import_changes (
  import_id {id} NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  row_id {id} NOT NULL,
  kind TEXT NOT NULL,
  change_id {id},
  before {json},
  -- The row's version as the import left it.
  version BIGINT NOT NULL,
  PRIMARY KEY (import_id, row_id)
) {without_rowid};

-- Mappings as people confirmed them, for the next file with the same columns.
CREATE TABLE import_mappings (
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- The nil id where a file was for no single account.
  account_id {id} NOT NULL,
  headers_hash TEXT NOT NULL,
  mapping {json} NOT NULL,
  updated_at {time} NOT NULL,
  PRIMARY KEY (workspace_id, kind, account_id, headers_hash)
) {without_rowid};

-- Files that an agent made for its person, until they expire.
CREATE TABLE exports (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id),
  profile_id {id} NOT NULL REFERENCES profiles(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- csv or json.
  format TEXT NOT NULL,
  filename TEXT NOT NULL,
  row_count BIGINT NOT NULL,
  size BIGINT NOT NULL,
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL
);
CREATE INDEX idx_exports_workspace ON exports(workspace_id, id);
CREATE INDEX idx_exports_profile ON exports(profile_id, id);
CREATE INDEX idx_exports_expires ON exports(expires_at);
