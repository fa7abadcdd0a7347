import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { person } from '@/testing/person'
import { Tooltip, Tooltips } from './tooltip'

afterEach(() => {
  vi.restoreAllMocks()
})

function renderTwo() {
  render(
    <Tooltips>
      <Tooltip label="Opens the first">
        <button type="button">First</button>
      </Tooltip>
      <Tooltip label="Opens the second">
        <button type="button">Second</button>
      </Tooltip>
    </Tooltips>,
  )
}

/** Whether the device has something to hover with. */
function withHover(canHover: boolean) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query === '(hover: none)' && !canHover }) as MediaQueryList,
  )
}

const shown = () => screen.queryByRole('tooltip')?.textContent

test('beside a tooltip that is shown, the next is shown at once', async () => {
  withHover(true)
  renderTwo()
  const user = person()
  await user.tab()
  expect(shown()).toBe('Opens the first')
  await user.hover(screen.getByRole('button', { name: 'Second' }))
  expect(shown()).toBe('Opens the second')
})

test('the pointer waits for the first one', async () => {
  withHover(true)
  renderTwo()
  await person().hover(screen.getByRole('button', { name: 'First' }))
  expect(shown()).toBeUndefined()
  expect((await screen.findByRole('tooltip')).textContent).toBe('Opens the first')
})

test('on a touch screen the focus shows none, as nothing would close it', () => {
  withHover(false)
  renderTwo()
  act(() => {
    screen.getByRole('button', { name: 'First' }).focus()
  })
  expect(shown()).toBeUndefined()
})
