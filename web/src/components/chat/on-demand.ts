// What a chat shows only to whoever asks for it. Together they are one script, which a chat is usable without.
export { ArgumentsEditor } from './arguments-editor'
export { EditMessage } from './edit-message'
export { ForkWarning } from './fork-warning'
export { UsagePopover } from './usage-popover'
