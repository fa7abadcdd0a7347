-- Channels: where the people of a workspace write to each other; who is in them, what they wrote, and who was named.
CREATE TABLE channels (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('open', 'private', 'direct')),
  -- A direct one has none: it is called by its people.
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  topic TEXT NOT NULL,
  -- Of a direct one: the ids of its people, in order.
  people_key TEXT,
  created_by {id} REFERENCES profiles(id) ON DELETE SET NULL,
  -- Of the newest message that answers no other: unread ones are counted by these numbers.
  last_number BIGINT NOT NULL,
  last_message_id {id},
  -- When something was last written, else when it was made.
  last_at {time} NOT NULL,
  -- Of all its messages.
  bytes BIGINT NOT NULL,
  created_at {time} NOT NULL,
  archived_at {time}
);
-- Names of private ones may repeat: a name that is refused would tell of a channel that one doesn't see.
CREATE UNIQUE INDEX idx_channels_open ON channels(workspace_id, name_key) WHERE kind = 'open' AND archived_at IS NULL;
CREATE UNIQUE INDEX idx_channels_people ON channels(workspace_id, people_key) WHERE people_key IS NOT NULL;
-- How much space they take.
CREATE INDEX idx_channels_space ON channels(workspace_id, kind, bytes);
CREATE INDEX idx_channels_created_by ON channels(created_by);

CREATE TABLE channel_members (
  channel_id {id} NOT NULL REFERENCES channels(id) ON DELETE CASCADE,
  profile_id {id} NOT NULL,
  workspace_id {id} NOT NULL,
  -- The number of the newest message that they have read, and how many after it were deleted.
  read_number BIGINT NOT NULL,
  unread_deleted BIGINT NOT NULL,
  joined_at {time} NOT NULL,
  PRIMARY KEY (channel_id, profile_id),
  FOREIGN KEY (workspace_id, profile_id) REFERENCES workspace_members(workspace_id, profile_id) ON DELETE CASCADE
) {without_rowid};
CREATE INDEX idx_channel_members_profile ON channel_members(workspace_id, profile_id);

CREATE TABLE channel_messages (
  id {id} PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
  channel_id {id} NOT NULL REFERENCES channels(id) ON DELETE CASCADE,
  -- The channel, or the message that it replies to.
  parent_id {id} NOT NULL,
  -- Within its parent, without gaps: a deleted message stays, without its text.
  number BIGINT NOT NULL,
  text TEXT NOT NULL,
  profile_id {id} REFERENCES profiles(id) ON DELETE SET NULL,
  -- If an agent wrote it for that person: which, the call that asked for it, and who allowed it.
  agent_id {id},
  conversation_id {id},
  seq BIGINT,
  approved_by {id},
  -- Replies that are there; the number of the newest one.
  replies BIGINT NOT NULL,
  last_reply BIGINT NOT NULL,
  last_reply_at {time},
  created_at {time} NOT NULL,
  edited_at {time},
  deleted_at {time}
);
CREATE UNIQUE INDEX idx_channel_messages_place ON channel_messages(channel_id, parent_id, number);
CREATE INDEX idx_channel_messages_workspace ON channel_messages(workspace_id, id);
CREATE INDEX idx_channel_messages_profile ON channel_messages(profile_id, id);
CREATE INDEX idx_channel_messages_deleted ON channel_messages(channel_id, parent_id, number) WHERE deleted_at IS NOT NULL;

-- Who is to hear of a message: people that it names, and those of the thread that it adds to.
CREATE TABLE channel_mentions (
  message_id {id} NOT NULL REFERENCES channel_messages(id) ON DELETE CASCADE,
  profile_id {id} NOT NULL,
  workspace_id {id} NOT NULL,
  channel_id {id} NOT NULL,
  -- As the message has them.
  parent_id {id} NOT NULL,
  number BIGINT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('named', 'replied')),
  read_at {time},
  PRIMARY KEY (message_id, profile_id),
  FOREIGN KEY (workspace_id, profile_id) REFERENCES workspace_members(workspace_id, profile_id) ON DELETE CASCADE
) {without_rowid};
CREATE INDEX idx_channel_mentions_profile ON channel_mentions(workspace_id, profile_id, message_id);
CREATE INDEX idx_channel_mentions_unread ON channel_mentions(workspace_id, profile_id, parent_id, number) WHERE read_at IS NULL;

-- Which messages have which words (store/full_text.rs).
{sqlite} CREATE TABLE channel_message_docs (doc INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE);
{sqlite} CREATE VIRTUAL TABLE channel_message_words USING fts5(scope, title, heading, body, content='', contentless_delete=1, prefix='2 3', tokenize='ascii');
{sqlite} CREATE TRIGGER channel_message_words_gone AFTER DELETE ON channel_messages BEGIN
{sqlite}   DELETE FROM channel_message_words WHERE rowid = (SELECT doc FROM channel_message_docs WHERE id = old.id);
{sqlite}   DELETE FROM channel_message_docs WHERE id = old.id;
{sqlite} END;
{postgres} CREATE TABLE channel_message_words (id UUID PRIMARY KEY REFERENCES channel_messages(id) ON DELETE CASCADE, words TSVECTOR NOT NULL);
{postgres} CREATE INDEX idx_channel_message_words ON channel_message_words USING gin (words);
