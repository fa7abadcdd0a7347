import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exactly, ToolArguments } from './named-values'

const VALUES = [
  true, 'true', 'yes', false, 'no', null, 'null', '', ' ', '–', 5, '5', '"5"', [], [''], ['a', 'b'], ['a, b'], 'a, b', '["a","b"]', {}, '{}',
  'two\nlines', 'two lines', '  indented', { a: { b: 1 } },
]

test('values that differ never look the same', () => {
  const shown = VALUES.map(exactly)
  expect(new Set(shown).size).toBe(VALUES.length)
  expect(shown.every((text) => text.trim() !== '')).toBe(true)
})

test('text is shown as it is, spaces and lines too', () => {
  render(<ToolArguments label="It will run with" args={{ script: 'if x:\n    run()' }} whole />)
  const value = screen.getByText((_, element) => element?.tagName === 'DD')
  expect(value.textContent).toBe('if x:\n    run()')
  expect(value.className).toContain('whitespace-pre-wrap')
})
