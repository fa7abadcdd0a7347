import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { options } from '@/testing/samples'
import { ErrorBoundary } from './error-boundary'

const OPTIONS = 'GET /api/auth/options'
const AWAY = refuse(502, 'bad_gateway', 'Nobody there.')

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
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

test.each([
  ['by itself', 20_000, false, true],
  ['not by itself when it was opened just now', 5_000, false, false],
  ['but when asked', 5_000, true, true],
])('a page whose file could not be loaded opens when the server is back: %s', async (_, since, isAsked, opens) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] })
  vi.spyOn(performance, 'now').mockReturnValue(since)
  const api = stubApi({ [OPTIONS]: AWAY })
  const reload = fail('Importing a module script failed.')
  const wait = async () => {
    if (isAsked) screen.getByRole('button', { name: 'Try again' }).click()
    await vi.advanceTimersByTimeAsync(4_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await wait()
  expect(reload).not.toHaveBeenCalled()
  api.on(OPTIONS, reply(options))
  await wait()
  expect(reload.mock.calls.length > 0).toBe(opens)
})
