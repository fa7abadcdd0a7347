import { expect, test } from 'vitest'
import { sends } from './composer-keys'

const enter = { key: 'Enter', shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 }

test.each([
  // What is pressed, whether it sends when Enter does, and when Enter makes a new line.
  ['Enter', enter, true, false],
  ['Shift+Enter', { ...enter, shiftKey: true }, false, false],
  ['Alt+Enter', { ...enter, altKey: true }, false, false],
  ['Ctrl+Enter', { ...enter, ctrlKey: true }, true, true],
  ['⌘+Enter', { ...enter, metaKey: true }, true, true],
  ['Enter that chooses a word', { ...enter, isComposing: true }, false, false],
  ['Enter that chooses a word, in Safari', { ...enter, keyCode: 229 }, false, false],
  ['Ctrl+Enter while a word is chosen', { ...enter, ctrlKey: true, isComposing: true }, false, false],
  ['a letter', { ...enter, key: 'a', keyCode: 65, ctrlKey: true }, false, false],
])('%s', (_, event, whenEnterSends, whenEnterBreaks) => {
  expect(sends(event, true)).toBe(whenEnterSends)
  expect(sends(event, false)).toBe(whenEnterBreaks)
})
