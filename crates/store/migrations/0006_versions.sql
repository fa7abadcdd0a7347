-- Versions of a conversation stand together in lists: as one.

-- The first of them; null while there is no other.
ALTER TABLE agent_conversations ADD COLUMN family_id {id};
-- The first may be gone already: those that parted from it are still versions of each other.
WITH RECURSIVE family(id, first) AS (
    SELECT id, COALESCE(forked_from, id) FROM agent_conversations
    WHERE forked_from IS NULL OR forked_from NOT IN (SELECT id FROM agent_conversations)
    UNION ALL
    SELECT fork.id, family.first FROM agent_conversations fork JOIN family ON fork.forked_from = family.id
)
UPDATE agent_conversations SET family_id = (SELECT first FROM family WHERE family.id = agent_conversations.id)
WHERE forked_from IS NOT NULL
   OR id IN (SELECT forked_from FROM agent_conversations WHERE forked_from IS NOT NULL);
CREATE INDEX idx_agent_conversations_family ON agent_conversations(family_id) WHERE family_id IS NOT NULL;
