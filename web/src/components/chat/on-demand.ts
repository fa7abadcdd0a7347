// What a chat shows only when it is asked for, or asks. Together they are one script, which a chat is usable without.
export { ApprovalQuestion } from './approval-question'
export { CallChanges } from './call-changes'
export { EditMessage } from './edit-message'
export { ForkWarning } from './edit-message'
export { UsagePopover } from './usage-popover'
