import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { catalog } from './catalog'
import { accented } from './pseudo'
import { rich } from './rich'
import { say } from './say'

const words = catalog('test', {
  left: 'You left {workspace}.',
  people: { one: '{count} person in {workspace}', other: '{count} people in {workspace}' },
  newHere: 'New here? <link>Create an account</link> or ask {name}.',
})

test('a value stands where the text has its name, as it is', () => {
  expect(say(words.left, { workspace: '$& {name}' })).toBe('You left $& {name}.')
})

test.each([
  [1, '1 person in Home'],
  [0, '0 people in Home'],
  [1234, '1,234 people in Home'],
])('%s chooses the form of the number', (count, text) => {
  expect(say(words.people, { count, workspace: 'Home' })).toBe(text)
})

test('a sentence keeps its order, whatever its parts are', () => {
  const { container } = render(
    <p>{rich(words.newHere, { link: (label) => <a href="/sign-up">{label}</a>, name: <strong>Ada</strong> })}</p>,
  )
  expect(container.innerHTML).toBe(
    '<p>New here? <a href="/sign-up">Create an account</a> or ask <strong>Ada</strong>.</p>',
  )
})

// @ts-expect-error A placeholder without a value doesn't compile.
const forgotten = () => say(words.left, {})

// @ts-expect-error A number without its count doesn't compile.
const uncounted = () => say(words.people, { workspace: 'Home' })

// @ts-expect-error A text that isn't in the catalog doesn't compile.
const missing = (): unknown => words.right

test('what doesn’t compile shows its placeholder, and is no crash', () => {
  expect(forgotten()).toBe('You left {workspace}.')
  expect(uncounted()).toBe('{count} people in Home')
  expect(missing()).toBeUndefined()
})

test('accents leave placeholders and tags alone', () => {
  expect(accented('Ask {name} <link>now</link>')).toBe('[Áśķ {name} <link>ńóẃ</link>]')
})
