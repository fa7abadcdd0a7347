import { expect, test } from 'vitest'
import { closeBlock, splitBlocks } from './blocks'

test.each([
  ['nothing', '', []],
  ['one line', 'Hello', ['Hello']],
  ['paragraphs', 'One\n\nTwo\n\n\nThree', ['One\n\n', 'Two\n\n\n', 'Three']],
  ['a paragraph of two lines', 'One\ntwo\n\nThree', ['One\ntwo\n\n', 'Three']],
  ['blank lines in a fence', '```js\na\n\nb\n```\n\nText', ['```js\na\n\nb\n```\n\n', 'Text']],
  ['a fence that is still open', 'Text\n\n```\na\n\nb', ['Text\n\n', '```\na\n\nb']],
  ['another kind of fence inside', '~~~\n```\n\n```\n\n~~~\n\nText', ['~~~\n```\n\n```\n\n~~~\n\n', 'Text']],
  ['a fence line with words does not close', '```\na\n``` b\n\nc\n```', ['```\na\n``` b\n\nc\n```']],
  ['a loose list', '- one\n\n- two\n\n  more\n\nText', ['- one\n\n- two\n\n  more\n\n', 'Text']],
  ['a loose numbered list', '1. one\n\n2. two', ['1. one\n\n2. two']],
  ['a list after a paragraph', 'Text\n\n- one', ['Text\n\n', '- one']],
  ['a table', '| a |\n| - |\n| 1 |\n\nText', ['| a |\n| - |\n| 1 |\n\n', 'Text']],
  ['a defined link', 'See [a].\n\nText\n\n[a]: https://a.example', ['See [a].\n\nText\n\n[a]: https://a.example']],
  ['a footnote', 'See[^1].\n\n[^1]: There', ['See[^1].\n\n[^1]: There']],
])('%s', (_, text, expected) => {
  expect(splitBlocks(text)).toEqual(expected)
  expect(splitBlocks(text).join('')).toBe(text)
})

test('a block that is finished stays as it is, wherever the stream is cut', () => {
  const text = 'Hello **you**\n\n- a\n\n- b\n\n```js\nx\n\ny\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nEnd'
  const whole = splitBlocks(text)
  for (let cut = 0; cut <= text.length; cut++) {
    const finished = splitBlocks(text.slice(0, cut)).slice(0, -1)
    expect(finished).toEqual(whole.slice(0, finished.length))
  }
})

test.each([
  ['Plain', 'Plain'],
  ['```js\nlet a', '```js\nlet a\n```'],
  ['```js\n', '```js\n```'],
  ['```\na\n```\n', '```\na\n```\n'],
  ['Text\n``', 'Text\n'],
  ['This is **bold', 'This is **bold**'],
  ['This is **bold**', 'This is **bold**'],
  ['This is **', 'This is **'],
  ['Run `ls', 'Run `ls`'],
  ['Run `**` and', 'Run `**` and'],
  ['See [the page](https://exam', 'See the page'],
  ['See [the pa', 'See the pa'],
  ['See [it](https://a.example) now', 'See [it](https://a.example) now'],
  ['![a cat](https://a.exa', 'a cat'],
])('while it arrives, %j is shown as %j', (block, expected) => {
  expect(closeBlock(block)).toBe(expected)
})
