import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, keys } from '@/api/query-client'
import { takeSlot } from '@/chat/connection-slots'
import { refuse, stubApi } from '@/testing/api'
import { eventStream } from '@/testing/events'
import { session } from '@/testing/samples'
import { useLive } from './use-live'
import { isLive } from './workspace-events'

const EVENTS = 'GET /api/events'

afterEach(() => {
  vi.unstubAllGlobals()
})

function openTab() {
  const queryClient = createQueryClient()
  queryClient.setQueryData(keys.session, session)
  for (const key of [keys.members('w'), keys.rules('w'), keys.members('other')]) queryClient.setQueryData(key, [])
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  renderHook(() => {
    useLive('w')
  }, { wrapper })
  return { queryClient, isStale: (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated }
}

test.each([
  ['signs the person out who has no session any more', refuse(401, 'unauthorized', 'Sign in.'), null, undefined],
  ['asks anew who the person is, whose place it is no more', refuse(403, 'forbidden', 'Not yours.'), session, true],
])('a refusal %s, and nothing is live', async (_, handler, expected, isAsked) => {
  stubApi({ [EVENTS]: handler })
  const { queryClient, isStale } = openTab()
  await waitFor(() => {
    expect(isLive()).toBe(false)
  })
  expect(queryClient.getQueryData(keys.session)).toEqual(expected)
  expect(isStale(keys.session) || undefined).toBe(isAsked)
})

test('a change of the workspace makes all of it stale, and who one is there', async () => {
  const stream = eventStream()
  stubApi({ [EVENTS]: ({ signal }) => stream.until(signal) })
  const { isStale } = openTab()
  stream.tell([null, { type: 'workspace_changed' } as never])
  await waitFor(() => {
    expect([keys.session, keys.members('w'), keys.rules('w'), keys.members('other')].map(isStale)).toEqual([true, true, true, false])
  })
  expect(isLive()).toBe(true)
})

test('what was said before a connection came about is read', async () => {
  const stream = eventStream()
  const api = stubApi({ [EVENTS]: refuse(503, 'unavailable', 'Soon.') })
  const { isStale } = openTab()
  await waitFor(() => {
    expect(api.asked.length).toBe(1)
  })
  api.on(EVENTS, ({ signal }) => stream.until(signal))
  await waitFor(() => {
    expect(isStale(keys.rules('w'))).toBe(true)
  })
})

test('a line is free where the browser has locks and gives none', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } })
  expect(await takeSlot()).not.toBeNull()
})
