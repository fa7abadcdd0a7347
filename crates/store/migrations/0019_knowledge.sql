-- Pages of a workspace, in a tree, with their versions, links, files and the words by which they are found.
CREATE TABLE pages (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  parent_id {id} REFERENCES pages(id) ON DELETE CASCADE,
  -- Among the pages below the same one; numbers have gaps.
  position BIGINT NOT NULL,
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  -- The title as it is compared.
  title_key TEXT NOT NULL,
  body TEXT NOT NULL,
  properties {json} NOT NULL,
  is_public BOOLEAN NOT NULL,
  -- The number of the newest version: a change names the one it saw.
  version BIGINT NOT NULL,
  -- Of the page and its versions together.
  bytes BIGINT NOT NULL,
  -- Its path in the import that brought it, below which page, and a digest of what came.
  source_path TEXT,
  source_root {id},
  source_digest TEXT,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  deleted_at {time},
  -- The page with which it was deleted: itself, or one above it.
  deleted_with {id}
);
CREATE UNIQUE INDEX idx_pages_slug_top ON pages(workspace_id, slug) WHERE parent_id IS NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX idx_pages_slug_below ON pages(parent_id, slug) WHERE parent_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX idx_pages_children ON pages(workspace_id, parent_id, position, id);
-- For who looks below one page, and for the foreign key.
CREATE INDEX idx_pages_parent ON pages(parent_id);
CREATE INDEX idx_pages_title ON pages(workspace_id, title_key);
CREATE INDEX idx_pages_source ON pages(workspace_id, source_path) WHERE source_path IS NOT NULL;
CREATE INDEX idx_pages_deleted ON pages(workspace_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX idx_pages_purged ON pages(deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX idx_pages_deleted_with ON pages(deleted_with) WHERE deleted_with IS NOT NULL;
-- How much space they take, without reading them.
CREATE INDEX idx_pages_space ON pages(workspace_id, bytes);
CREATE INDEX idx_pages_latest ON pages(workspace_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX idx_pages_public ON pages(workspace_id, updated_at DESC, id DESC) WHERE is_public AND deleted_at IS NULL;

-- What a page was after each change, and who made it.
CREATE TABLE page_versions (
  page_id {id} NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
  version BIGINT NOT NULL,
  what TEXT NOT NULL,
  parent_id {id},
  title TEXT NOT NULL,
  -- Null: as in the version before.
  body TEXT,
  properties {json} NOT NULL,
  is_public BOOLEAN NOT NULL,
  profile_id {id} REFERENCES profiles(id) ON DELETE SET NULL,
  -- If an agent made it: which, the call that asked for it, and who allowed it.
  agent_id {id},
  conversation_id {id},
  seq BIGINT,
  approved_by TEXT,
  import_id {id},
  created_at {time} NOT NULL,
  PRIMARY KEY (page_id, version)
) {without_rowid};
CREATE INDEX idx_page_versions_import ON page_versions(import_id, page_id) WHERE import_id IS NOT NULL;
CREATE INDEX idx_page_versions_profile ON page_versions(profile_id);

-- By id, so a page that is renamed or moved keeps its links.
CREATE TABLE page_links (
  page_id {id} NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
  target_id {id} NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
  PRIMARY KEY (page_id, target_id)
) {without_rowid};
CREATE INDEX idx_page_links_target ON page_links(target_id);

-- Images and other files of pages.
CREATE TABLE page_files (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  page_id {id} NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  digest TEXT NOT NULL,
  bytes {bytes} NOT NULL,
  import_id {id},
  created_at {time} NOT NULL
);
CREATE INDEX idx_page_files_page ON page_files(page_id);
CREATE INDEX idx_page_files_workspace ON page_files(workspace_id, size);
CREATE INDEX idx_page_files_import ON page_files(import_id) WHERE import_id IS NOT NULL;

-- Files of pages that were brought in at once, so that it can be undone.
CREATE TABLE page_imports (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  profile_id {id} REFERENCES profiles(id) ON DELETE SET NULL,
  filename TEXT NOT NULL,
  counts {json} NOT NULL,
  created_at {time} NOT NULL,
  undone_at {time}
);
CREATE INDEX idx_page_imports_workspace ON page_imports(workspace_id, created_at DESC);
CREATE INDEX idx_page_imports_profile ON page_imports(profile_id);

-- Which pages have which words (store/full_text.rs). SQLite's index knows numbers, not ids, and keeps no text.
{sqlite} CREATE TABLE page_docs (doc INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE);
{sqlite} CREATE VIRTUAL TABLE page_words USING fts5(scope, title, heading, body, content='', contentless_delete=1, prefix='2 3', tokenize='ascii');
{sqlite} CREATE TRIGGER page_words_gone AFTER DELETE ON pages BEGIN
{sqlite}   DELETE FROM page_words WHERE rowid = (SELECT doc FROM page_docs WHERE id = old.id);
{sqlite}   DELETE FROM page_docs WHERE id = old.id;
{sqlite} END;
{postgres} CREATE TABLE page_words (id UUID PRIMARY KEY REFERENCES pages(id) ON DELETE CASCADE, words TSVECTOR NOT NULL);
{postgres} CREATE INDEX idx_page_words ON page_words USING gin (words);
