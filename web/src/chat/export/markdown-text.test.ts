import { expect, test } from 'vitest'
import { fenced, inLine, safeMarkdown } from './markdown'

test.each([
  ['plain', '```\nplain\n```'],
  ['a ``` b', '````\na ``` b\n````'],
  ['`````\ncode\n`````', '``````\n`````\ncode\n`````\n``````'],
])('a fence is longer than any within it: %j', (text, expected) => {
  expect(fenced(text)).toBe(expected)
})

test.each([
  ['Ada', 'Ada'],
  ['# Ada\n<b>*Byron*</b>', String.raw`\# Ada \<b\>\*Byron\*\</b\>`],
])('a name stays in its line: %j', (text, expected) => {
  expect(inLine(text)).toBe(expected)
})

test.each([
  ['markdown stays', '# Plan\n\n- **tea** and `milk`\n\n| a | b |', '# Plan\n\n- **tea** and `milk`\n\n| a | b |'],
  ['code stays', 'So:\n```html\n<b>\n```\nDone.', 'So:\n```html\n<b>\n```\nDone.'],
  ['code in a list stays', '1. So:\n   ```html\n   <b>\n\n   ```', '1. So:\n   ```html\n   <b>\n\n   ```'],
  ['code that was never closed is', 'So:\n~~~~js\na ~~~ b', 'So:\n~~~~js\na ~~~ b\n~~~~'],
  ['a shorter fence is a part of a longer', '````\n```\n<b>\n````\n<b>', '````\n```\n<b>\n````\n&lt;b>'],
  ['HTML is shown', 'a <b>c</b> <!-- d --> 1 < 2 <3', 'a &lt;b>c&lt;/b> &lt;!-- d --> 1 < 2 <3'],
  ['links stay', '<https://a.example> <mailto:a@b.example> <javascript:alert()>', '<https://a.example> <mailto:a@b.example> &lt;javascript:alert()>'],
  ['code in a line stays', 'Use `<b>` or ``a ` <i>``, not <b>.', 'Use `<b>` or ``a ` <i>``, not &lt;b>.'],
  ['code over two lines hides no HTML', 'a ` b\n`<script>`', 'a ` b\n`&lt;script>`'],
  ['a backtick that is none hides no HTML', '\\`<script>\\`', '\\`&lt;script>\\`'],
  ['a backslash keeps no HTML alive', '\\<script>', '\\&lt;script>'],
])('%s', (_, text, expected) => {
  expect(safeMarkdown(text)).toBe(expected)
})

test.each([
  ['a fence in a list item that ends', '- a\n  ```\n<script>\n```'],
  ['a fence behind a mark', '- ```\n  a\n  ```\n  <script>'],
  ['a fence in a quote', '> ```\n<script>'],
  ['a fence that may be closed', ' ```\n   ```\n <script>'],
  ['three backticks in a line', 'a ``` b'],
])('what is unclear is shown as it was written: %s', (_, text) => {
  expect(safeMarkdown(text)).toBe(fenced(text, 'markdown'))
})
