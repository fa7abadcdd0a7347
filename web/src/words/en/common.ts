// English: common.
import { catalog } from '../catalog'

export const words = catalog('common', {
  // lib/amounts
  unknown: 'Unknown',
  milliseconds: '{ms} ms',
  seconds: '{seconds} s',
  minutesAndSeconds: '{minutes} min {seconds} s',
  hoursAndMinutes: '{hours} h {minutes} min',
  bytes: '{size} B',
  kilobytes: '{size} kB',
  megabytes: '{size} MB',
  // Words of many pages
  instructions: 'Instructions',
  tools: 'Tools',
  access: 'Access',
  myAgents: 'My Agents',
  chat: 'Chat',
  pendingApprovals: 'Pending Approvals',
  settings: 'Settings',
  signIn: 'Sign in',
  conversation: 'Conversation',
  team: 'Team',
  tool: 'Tool',
  theAgent: 'The agent',
  showMore: 'Show more',
  premiumOnly: 'Premium only',
  defaultAgent: 'Default agent',
  name: 'Name',
  model: 'Model',
  description: 'Description',
  you: 'You',
  cancel: 'Cancel',
  nameIsMissing: 'Name is missing.',
  remove: 'Remove',
  none: 'None',
  clearSearch: 'Clear search',
  cost: 'Cost',
  tryAgain: 'Try again',
  deleteMore: 'Delete…',
  copied: 'Copied',
  close: 'Close',
  members: 'Members',
  // keyboard/help-key
  theKeyboardShortcutsCouldNot: 'The keyboard shortcuts could not be loaded. Check the connection and try again.',
  // ui/confirm-dialog
  delete: 'Delete',
  typePhraseToConfirm: 'Type “{phrase}” to confirm',
  // ui/copy
  theBrowserDidNotAllow: 'The browser did not allow copying.',
  copyAsJSON: 'Copy as JSON',
  // ui/error-boundary
  thisPageCouldNotBe: 'This page could not be shown',
  batonCannotBeReached: 'Baton cannot be reached',
  // ui/named-values
  noArguments: 'No arguments',
  value: 'value',
  yes: 'yes',
  no: 'no',
  // ui/password-input
  showPassword: 'Show password',
  // ui/toasts
  dismiss: 'Dismiss',
  // ui/text-link
  viewAll: {
    agents: 'View all<hidden> my agents</hidden>',
    approvals: 'View all<hidden> pending approvals</hidden>',
  },
  justNow: 'just now',
})
