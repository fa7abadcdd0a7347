// What a chat shows only to whoever asks for it. Together they are one script, which a chat is usable without.
export { EditMessage } from './edit-message'
export { ForkWarning } from './edit-message'
export { UsagePopover } from './usage-popover'
