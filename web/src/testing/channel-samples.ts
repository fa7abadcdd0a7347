// Channels and their messages as the server tells them.

export const BEN = '0198b2c4-0000-7000-8000-000000000002'
export const channel = (changes: object = {}) => ({
  ...{ id: 'c1', kind: 'open', name: 'general', topic: 'All of us', people: [], created_by: null, members: 2, is_member: true },
  ...{ read_number: 1, unread: 2, unread_mentions: 1, last_number: 3, last: null, archived_at: null },
  ...{ last_at: '2026-01-01T00:00:00Z', created_at: '2026-01-01T00:00:00Z' },
  ...changes,
})
export const message = (number: number, changes: object = {}) => ({
  ...{ id: `m${number}`, channel_id: 'c1', thread_id: null, number, text: `Message ${number}`, profile_id: BEN, author: 'Ben' },
  ...{ agent_id: null, agent: null, conversation_id: null, approved_by: null, replies: 0, last_reply_at: null },
  ...{ created_at: '2026-01-01T00:00:00Z', edited_at: null, deleted_at: null },
  ...changes,
})
