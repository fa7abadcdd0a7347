// English: keyboard.
import { catalog } from '../catalog'

export const words = catalog('keyboard', {
  // keyboard/shortcuts-dialog
  keyboardShortcuts: 'Keyboard shortcuts',
  keyboardShortcutsDescription: 'Everything here works without a mouse. These keys are worth knowing.',
  opensTheKeyboardShortcuts: '? opens the keyboard shortcuts',
  opensTheKeyboardShortcutsHint: 'The list is in the menu with your name as well.',
  // keyboard/shortcuts
  everywhere: 'Everywhere',
  tab: 'Tab',
  goToTheNextControl: 'Go to the next control; on a new page, first to “Skip to content”',
  escape: 'Escape',
  closeTheDialogDrawerMenu: 'Close the dialog, drawer, menu or form that is open',
  goThroughAnOpenMenu: 'Go through an open menu; Enter chooses',
  openThisListUnlessYou: 'Open this list, unless you are writing',
  writingAMessage: 'Writing a message',
  enter: 'Enter',
  aNewLine: 'A new line',
  shift: 'Shift',
  ctrlOr: 'Ctrl or ⌘',
  send: 'Send',
  stopTheAnswerOrLeave: 'Stop the answer, or leave the message you are editing as it was',
  readingAConversation: 'Reading a conversation',
  readBackNewWordsNo: 'Read back; new text no longer moves the view',
  end: 'End',
  goToTheNewestAnd: 'Go to the newest, and stay there',
  listsAndForms: 'Lists and forms',
  alt: 'Alt',
  moveAStageAMember: 'Move a stage, a member or a variable',
  goFromTabToTab: 'Go from tab to tab',
  saveTheNewTitleOf: 'Save the new title of a conversation, or add a fact to a stage’s result',
  keepTheOldTitleOr: 'Keep the old title, or close a step’s details',
  sendOnPhonesANewLine: 'Send; on phones, a new line',
  upOrDown: '↑ or ↓',
  upPageUpOrHome: '↑, Page Up or Home',
  leftOrRight: '← or →',
})
