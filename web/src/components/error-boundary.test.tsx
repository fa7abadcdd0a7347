import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { options } from '@/testing/samples'
import { ErrorBoundary } from './error-boundary'

const OPTIONS = 'GET /api/auth/options'
const AWAY = refuse(502, 'bad_gateway', 'Nobody there.')

afterEach(() => {
  vi.restoreAllMocks()
})

function fail(message: string) {
  vi.spyOn(console, 'error').mockReturnValue()
  const reload = vi.fn()
  vi.spyOn(window, 'location', 'get').mockReturnValue({ href: 'http://localhost/', origin: 'http://localhost', reload } as never)
  const Page = () => {
    throw new TypeError(message)
  }
  render(<ErrorBoundary><Page /></ErrorBoundary>)
  return reload
}

test.each([
  ['Failed to fetch dynamically imported module: http://localhost/assets/task.js', 'Baton cannot be reached'],
  ['error loading dynamically imported module: http://localhost/assets/task.js', 'Baton cannot be reached'],
  ['Importing a module script failed.', 'Baton cannot be reached'],
  ['Unable to preload CSS for /assets/chat.css', 'Baton cannot be reached'],
  ['x is undefined', 'This page could not be shown'],
])('%s: %s', (message, title) => {
  stubApi({ [OPTIONS]: AWAY })
  fail(message)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
})

test('a page whose file could not be loaded opens when the server is back, by itself or when asked', async () => {
  const api = stubApi({ [OPTIONS]: AWAY })
  const reload = fail('Importing a module script failed.')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => { expect(api.asked.length).toBeGreaterThan(1) })
  expect(reload).not.toHaveBeenCalled()
  api.on(OPTIONS, reply(options))
  await waitFor(() => { expect(reload).toHaveBeenCalled() }, { timeout: 4_000 })
})

test('a page that was just reloaded does not reload for ever', async () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as never])
  vi.spyOn(performance, 'now').mockReturnValue(1_000)
  stubApi({ [OPTIONS]: reply(options) })
  const reload = fail('Importing a module script failed.')
  expect(await screen.findByText('This page could not be shown')).toBeTruthy()
  expect(reload).not.toHaveBeenCalled()
})
