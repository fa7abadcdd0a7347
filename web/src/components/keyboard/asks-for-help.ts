/** Where a character is written, or chooses something by its first letter. */
const WRITES = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** Whether a key is the bare `?` that asks for help. Not while someone writes, nor above something that is open. */
export function asksForHelp(event: KeyboardEvent): boolean {
  if (event.key !== '?' || event.defaultPrevented || event.isComposing || event.repeat) return false
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.target instanceof Element && event.target.closest(WRITES) !== null) return false
  return document.querySelector(OPEN) === null
}
