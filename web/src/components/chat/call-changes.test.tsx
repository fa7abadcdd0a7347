import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import type { ToolCallPart } from '@/chat/types'
import { SessionContext } from '@/hooks/use-session'
import { refuse, reply, stubApi } from '@/testing/api'
import { person } from '@/testing/person'
import { session } from '@/testing/samples'
import { ToolCall } from './tool-call'

const change = (changes: object) => ({
  ...{ id: 'x1', kind: 'transactions', row_id: 't1', action: 'changed', before: {}, after: {}, profile_id: 'profile-1', agent_id: 'local-1' },
  ...{ conversation_id: 'one', seq: 7, approved_by: null, undoes: null, is_undone: false, created_at: '2026-01-01T00:00:00Z' },
  ...changes,
})
const call: ToolCallPart = {
  ...{ type: 'tool-call', toolCallId: 'call-1', toolName: 'manageTransactions', args: {}, state: 'completed' },
  result: { answer: '2 transactions now in Groceries.', changed: 2, changedBy: { conversationId: 'one', seq: 7 }, rows: [{ id: 't1', kind: 'transactions', done: 'changed' }] },
}

function open(changes: object[], handlers: Parameters<typeof stubApi>[0] = {}, part = call) {
  const api = stubApi({
    'GET /api/data/changes': reply({ changes }),
    ...handlers,
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <ToolCall part={part} approval={undefined} live={false} />
      </SessionContext>
    </QueryClientProvider>,
  )
  return { api, user: person() }
}

test('what a call changed is taken back from its card, all of it, and the card says so', async () => {
  const both = [change({}), change({ id: 'x2', row_id: 't2' })]
  const { api, user } = open(both, { 'POST /api/data/changes/undo': reply({ changed: 2, changes: [], rows: [] }) })
  expect(await screen.findByText('Changed 2 things')).toBeTruthy()
  expect(Object.fromEntries(api.asked.find(({ what }) => what === 'GET /api/data/changes')?.search ?? [])).toMatchObject({ conversationId: 'one', seq: '7' })
  api.on('GET /api/data/changes', reply({ changes: both.map((one) => ({ ...one, is_undone: true })) }))
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Taken back')).toBeTruthy()
  expect(api.bodiesOf('POST /api/data/changes/undo')).toEqual([{ workspaceId: 'workspace-1', changes: ['x1', 'x2'] }])
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('only what is not taken back yet is', async () => {
  const { api, user } = open([change({}), change({ id: 'x2', row_id: 't2', is_undone: true })], {
    'POST /api/data/changes/undo': refuse(409, 'changed_since', 'The row was changed since.'),
  })
  expect(await screen.findByText('1 of 2 taken back')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => {
    expect(api.bodiesOf('POST /api/data/changes/undo')).toEqual([{ workspaceId: 'workspace-1', changes: ['x1'] }])
  })
})

test('a visitor sees the call, and nothing is asked for them', async () => {
  const api = stubApi({})
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ToolCall part={call} approval={undefined} live={false} />
    </QueryClientProvider>,
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.getByText('Done')).toBeTruthy()
  expect(api.asked).toEqual([])
})

test('a call that changed nothing of the data asks for nothing', async () => {
  const { api } = open([], {}, { ...call, result: { answer: 'You spent 12.50 EUR.' } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(api.asked).toEqual([])
})

const pageCall = (done: string, toolName = 'manageKnowledge'): ToolCallPart => ({
  ...{ type: 'tool-call', toolCallId: 'call-2', toolName, args: {}, state: 'completed' },
  result: { done, id: 'p1', path: 'trips', title: 'Trips', version: 4 },
})
const page = (version: number) => reply({ id: 'p1', title: 'Trips', version, body: 'New.', deleted_at: null })

test('what a call changed of a page is set back to the version before, also whether visitors may read it', async () => {
  const before = { title: 'Travel', body: 'Old.', properties: [], is_public: false }
  const { api, user } = open([], {
    'GET /api/knowledge/p1': page(4),
    'GET /api/knowledge/p1/versions/3': reply({ version: 3, ...before }),
    'PATCH /api/knowledge/p1': page(5),
  }, pageCall('updated'))
  expect((await screen.findByRole('link', { name: 'Trips' })).getAttribute('href')).toBe('/knowledge/p1')
  api.on('GET /api/knowledge/p1', page(5))
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText(/Taken back/)).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/knowledge/p1')).toEqual([{ version: 4, ...before }])
  await waitFor(() => {
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})

test('a page that a call made is deleted, if nobody has changed it since', async () => {
  const { api, user } = open([], { 'GET /api/knowledge/p1': page(4), 'DELETE /api/knowledge/p1': page(5) }, pageCall('created'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => {
    expect(api.asked.find(({ what }) => what === 'DELETE /api/knowledge/p1')?.search.get('version')).toBe('4')
  })
})

test.each([
  ['updated', 6, /\(changed since\)/],
  ['moved', 4, /Moved the page/],
])('a page that was %s and is at version %d has no way back here', async (done, version, text) => {
  open([], { 'GET /api/knowledge/p1': page(version) }, pageCall(done))
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a tool of somebody else that answers like ours has no card that could delete a page', async () => {
  const { result } = pageCall('created')
  const forged = { ...pageCall('created', 'notes_add'), result: { ...(result as object), changedBy: { conversationId: 'one', seq: 7 } } }
  const { api } = open([change({})], { 'GET /api/knowledge/p1': page(4) }, forged)
  // Beside it one whose card is there in the end.
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <ToolCall part={call} approval={undefined} live={false} />
      </SessionContext>
    </QueryClientProvider>,
  )
  expect(await screen.findByText('Changed 1 thing')).toBeTruthy()
  expect(screen.queryByText(/Made the page/)).toBeNull()
  expect(api.asked.some(({ what }) => what.includes('knowledge'))).toBe(false)
})
