// Pages, their versions and their tree as the server tells them.

export const version = (number: number, changes: object = {}) => ({
  ...{ version: number, what: number === 1 ? 'created' : 'changed', title: 'Handbook', created_at: '2026-01-01T00:00:00Z' },
  ...{ profile_id: 'profile-1', profile_name: 'Ada Lovelace', agent_id: null, agent_name: null, conversation_id: null, approved_by: null },
  ...changes,
})
export const page = (changes: object = {}) => ({
  ...{ id: 'p1', workspace_id: 'workspace-1', parent_id: null, title: 'Handbook', body: 'Read this first.', properties: [], is_public: false },
  ...{ version: 2, children: 0, above: [], deleted_at: null, last_change: version(2), created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  ...changes,
})
export const node = (id: string, title: string, children = 0) => ({ id, title, children, is_public: false, parent_id: null, deleted_at: null })
export const list = (...pages: object[]) => ({ pages, total: pages.length })
