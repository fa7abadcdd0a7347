import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { KeptFiles } from './kept-files'

const file = (name: string, mediaType: string) => ({ id: `id-of-${name}`, name, mediaType, size: 2048 })

test('pictures are shown, the whole result can be opened, and other files go by their names', () => {
  render(<KeptFiles files={[file('a.png', 'image/png'), file('result.txt', 'text/plain'), file('notes.txt', 'text/plain')]} />)
  expect(screen.getByRole('img', { name: 'a.png' }).getAttribute('src')).toBe('/api/result-files/id-of-a.png')
  expect(screen.getByRole('link', { name: /Open the whole result/ }).getAttribute('href')).toBe('/api/result-files/id-of-result.txt')
  expect(screen.getByRole('link', { name: /notes\.txt/ }).getAttribute('href')).toBe('/api/result-files/id-of-notes.txt')
})

test('a picture that is gone says so', () => {
  render(<KeptFiles files={[file('a.png', 'image/png')]} />)
  fireEvent.error(screen.getByRole('img', { name: 'a.png' }))
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByText('a.png (no longer kept)')).toBeTruthy()
})
