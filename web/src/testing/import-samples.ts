// A file that was looked at, as the server tells it.

export const importOf = (changes: object = {}) => ({
  ...{ id: 'i1', workspace_id: 'workspace-1', profile_id: 'profile-1', kind: 'transactions', filename: 'november.csv', format: 'csv', status: 'ready' },
  ...{ is_dry_run: true, account_id: 'a1', read: 12, stored: 9, new: 8, changed: 1, duplicates: 2, deleted: 1, reused: 0, refused: 1, undone: 0, kept: 0 },
  ...{ problem: null, created_at: '2026-11-18T10:00:00Z', updated_at: '2026-11-18T10:00:00Z', ended_at: null },
  ...changes,
})
const report = (changes: object = {}) => ({
  ...{ questions: [], columns: ['Date', 'Amount', 'Who'], preview: [['03/04/2026', '-12.50', 'Corner Shop']], is_kept_mapping: false, accounts: [], new_categories: [] },
  mapping: { columns: { booked_on: { column: 'Date' }, amount: { column: 'Amount' } }, sign: 'as_written' },
  ...changes,
})
export const importDetails = (of: object = {}, told: object = {}, remarks: object[] = []) => ({ import: importOf(of), report: report(told), remarks })
