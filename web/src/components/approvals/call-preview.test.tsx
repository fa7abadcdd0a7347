import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CallPreview, PreviewTable } from './call-preview'

const preview = {
  sentence: 'Put 2 transactions into Groceries.',
  changes: [
    { what: 'Corner Shop, Nov 3', field: 'Category', old: null, new: 'Groceries' },
    { what: 'Market, Nov 4', field: 'Category', old: 'Other', new: 'Groceries' },
    { what: 'Old budget', field: 'Amount', old: '200.00 EUR', new: null },
  ],
  more: 4,
}
const args = { action: 'categorise', category: 'Groceries' }

test('a sentence and a table of old and new; the arguments are behind it', () => {
  render(<CallPreview preview={preview} args={args} />)
  expect(screen.getByText('Put 2 transactions into Groceries.')).toBeTruthy()
  const table = screen.getByRole('table', { name: 'What changes' })
  const rows = within(table).getAllByRole('row').slice(1).map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Corner Shop, Nov 3 Category', 'nothing', 'Groceries'],
    ['Market, Nov 4 Category', 'Other', 'Groceries'],
    ['Old budget Amount', '200.00 EUR', 'nothing'],
  ])
  expect(screen.getByText('and 4 more')).toBeTruthy()
  const details = screen.getByText('Details').closest('details')
  expect(details?.open).toBe(false)
  expect(details?.textContent).toContain('categorise')
})

test('in a few lines, what is left out is counted', () => {
  render(<PreviewTable preview={preview} most={1} />)
  expect(screen.getAllByRole('row').length).toBe(2)
  expect(screen.getByText('and 6 more')).toBeTruthy()
})

test.each([null, undefined])('without a preview (%s) the arguments are shown', (none) => {
  render(<CallPreview preview={none} args={args} />)
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByText('categorise')).toBeTruthy()
})
