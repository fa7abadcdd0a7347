// English: approval-decision.
import { catalog } from '../catalog'

export const words = catalog('approval-decision', {
  // approvals/call-preview
  itWillRunWith: 'It will run with',
  details: 'Details',
  whatChanges: 'What changes',
  what: 'What',
  now: 'Now',
  then: 'Then',
  nothing: 'nothing',
  moreChanges: { one: 'and {count} more', other: 'and {count} more' },
  // approvals/approval-decision
  thisPartOfThePage: 'This part of the page could not be loaded. Reload the page.',
  alwaysAllowItWithThe: 'Always allow it with the same arguments in this conversation',
  reject: 'Reject',
  approve: 'Approve',
  editArguments: 'Edit arguments',
  back: 'Back',
  reason: 'Reason <note>(optional, the agent is told)</note>',
})
