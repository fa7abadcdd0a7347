// Every key that does something of its own in the app. Add a line where you add a key.

export interface Shortcut {
  /** Pressed together. */
  keys: readonly string[]
  does: string
}

export interface ShortcutGroup {
  title: string
  shortcuts: readonly Shortcut[]
}

interface Choices {
  enterSends: boolean
  helpKey: boolean
}

export function shortcutGroups({ enterSends, helpKey }: Choices): ShortcutGroup[] {
  return [
    {
      title: 'Everywhere',
      shortcuts: [
        { keys: ['Tab'], does: 'Go to the next control; on a new page, first to “Skip to content”' },
        { keys: ['Escape'], does: 'Close the dialog, drawer, menu or form that is open' },
        { keys: ['↑ or ↓'], does: 'Go through an open menu; Enter chooses' },
        ...(helpKey ? [{ keys: ['?'], does: 'Open this list, unless you are writing' }] : []),
      ],
    },
    {
      title: 'Writing a message',
      shortcuts: [
        { keys: ['Enter'], does: enterSends ? 'Send; on phones, a new line' : 'A new line' },
        { keys: ['Shift', 'Enter'], does: 'A new line' },
        { keys: ['Ctrl or ⌘', 'Enter'], does: 'Send' },
        { keys: ['Escape'], does: 'Stop the answer, or leave the message you are editing as it was' },
      ],
    },
    {
      title: 'Reading a conversation',
      shortcuts: [
        { keys: ['↑, Page Up or Home'], does: 'Read back; new words no longer move the view' },
        { keys: ['End'], does: 'Go to the newest, and stay there' },
      ],
    },
    {
      title: 'Lists and forms',
      shortcuts: [
        { keys: ['Alt', '↑ or ↓'], does: 'Move a stage, a member or a variable' },
        { keys: ['← or →'], does: 'Go from tab to tab' },
        { keys: ['Enter'], does: 'Save the new title of a conversation, or add a fact to a stage’s result' },
        { keys: ['Escape'], does: 'Keep the old title, or close a step’s details' },
      ],
    },
  ]
}
