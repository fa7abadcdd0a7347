import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, keys } from '@/api/query-client'
import type { ConversationDetail, StoredMessage, StreamEvent } from '@/api/types'
import type { UseAgentChatOptions } from '@/chat/types'
import { beginLive, publish } from '@/live/workspace-events'
import { refuse, reply, stubApi } from '@/testing/api'
import { eventStream, toldAtOnce } from '@/testing/events'
import { look } from '@/testing/visibility'
import { useAgentChat } from './use-agent-chat'

const SEND = 'POST /api/agent-chat'
const READ = 'GET /api/agent-conversations/c1'
const FOLLOW = 'GET /api/agent-chat/c1/stream'

afterEach(() => {
  sessionStorage.clear()
})

function message(id: string, role: 'user' | 'assistant', content: string, changes: Partial<StoredMessage> = {}): StoredMessage {
  const parts = [{ type: 'text', text: content }] as never[]
  return { id, role, content, parts, agent_id: 'a1', attempt: 1, conversation_id: 'c1', created_at: '2026-01-01T00:00:00Z', metadata: {}, status: 'complete', ...changes }
}

function conversation(changes: Partial<ConversationDetail> = {}): ConversationDetail {
  return {
    id: 'c1', agent_id: 'a1', team_id: null, workspace_id: 'w', user_id: 'u', title: 'Tea', forked_from: null, family_id: null, parent_id: null, left_writes_behind: false,
    created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', messages: [], has_more: false, cursor: '0.0', turn: null, last_turn: null, versions: [], switches: [], agents: [{ id: 'a1', name: 'Ada', avatar_url: null }],
    active: { activationId: 'x', messageId: null, agentId: 'a1', agentName: 'Ada', avatarUrl: null, epoch: 1, pinned: false, role: null, since: '', summary: null },
    ...changes,
  }
}

const session = (sessionId = 's1'): [null, StreamEvent] => [null, { type: 'session', sessionId, conversationId: 'c1', isResumed: false }]
const said = (cursor: string, content: string, messageId = 'u1'): [string, StreamEvent] => [cursor, { type: 'user_message', messageId, content, attachments: [] }]
const starts = (cursor: string, messageId = 'm1'): [string, StreamEvent] => [
  cursor,
  { type: 'message_start', messageId, agentId: 'a1', agentName: 'Ada', avatarUrl: null, attempt: 1, parts: [], timestamp: '2026-01-01T00:00:00Z' },
]
const text = (cursor: string, content: string, messageId = 'm1'): [string, StreamEvent] => [cursor, { type: 'text', messageId, agentId: 'a1', content, isComplete: false }]
const usage = { inputTokens: 3, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, costUsd: null }
const ends = (at: number, messageId = 'm1'): [string, StreamEvent][] => [
  [`${at}.0`, { type: 'message_complete', messageId, agentId: 'a1', status: 'complete', timestamp: '2026-01-01T00:00:00Z' }],
  [`${at + 1}.0`, { type: 'done', status: 'completed', turnCount: 1, usage }],
]

function openChat(options: Partial<UseAgentChatOptions> = {}) {
  const queryClient = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </StrictMode>
  )
  const first: UseAgentChatOptions = { workspaceId: 'w', agentId: 'a1', ...options }
  const { result, rerender, unmount } = renderHook((props: UseAgentChatOptions) => useAgentChat(props), { wrapper, initialProps: first })
  const contents = () => result.current.messages.map(({ content }) => content)
  return { result, rerender, unmount, queryClient, contents, chat: () => result.current }
}

test('a message is shown at once, and its answer as it is said', async () => {
  const answer = eventStream()
  const api = stubApi({ [SEND]: () => answer.response, [READ]: reply(conversation({ cursor: '4.0', messages: [message('u1', 'user', 'Hi'), message('m1', 'assistant', 'Hello', { metadata: { usage } as never })] })) })
  const onConversationCreated = vi.fn()
  const { chat, contents } = openChat({ onConversationCreated })

  let sent: Promise<void> | undefined
  act(() => {
    sent = chat().sendMessage('Hi', { webSearch: true })
  })
  expect([contents(), chat().status]).toEqual([['Hi'], 'connecting'])

  answer.tell(session(), said('1.0', 'Hi'), starts('2.0'), text('2.3', 'Hel'))
  await act(() => sent)
  await waitFor(() => { expect([contents(), chat().status]).toEqual([['Hi', 'Hel'], 'streaming']) })
  expect(onConversationCreated).toHaveBeenCalledExactlyOnceWith('c1')
  expect(api.bodiesOf(SEND)).toEqual([{ workspaceId: 'w', agentId: 'a1', message: 'Hi', webSearch: true }])

  answer.tell(text('2.5', 'lo'), ...ends(3))
  await waitFor(() => { expect(chat()).toMatchObject({ status: 'idle', title: 'Tea', conversationId: 'c1' }) })
  expect(contents()).toEqual(['Hi', 'Hello'])
  expect(chat().messages[1]?.usage).toEqual(usage)
})

test('a conversation says which team it is with, and that another agent asked in it', async () => {
  stubApi({ [READ]: reply(conversation({ team_id: 'team-1', parent_id: 'c0' })) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat()).toMatchObject({ isLoading: false, teamId: 'team-1', isSubtask: true }) })
})

test('what is stored of a failed answer: its turn, and whether trying again can help', async () => {
  const failed = (recoverable?: boolean) => ({ taskId: 't1', error: { code: 'stage_unavailable', message: 'Ben is away.', recoverable } })
  for (const [told, shown] of [[false, false], [true, true], [undefined, true]] as const) {
    stubApi({ [READ]: reply(conversation({ messages: [message('m1', 'assistant', '', { status: 'failed', metadata: failed(told) as never })] })) })
    const { chat } = openChat({ conversationId: 'c1' })
    await waitFor(() => { expect(chat().messages[0]).toMatchObject({ taskId: 't1', error: { message: 'Ben is away.', recoverable: shown } }) })
  }
})

test('a turn that ended before anybody spoke says how, also after a reload', async () => {
  const error = { code: 'spend_cap_reached', message: 'The limit is reached.', recoverable: true }
  stubApi({ [READ]: reply(conversation({ last_turn: { status: 'failed', error, suggested: null }, messages: [message('u1', 'user', 'Hi')] })) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat()).toMatchObject({ endedAs: 'failed', problem: error }) })
})

test('a refused message is taken back', async () => {
  stubApi({ [SEND]: refuse(403, 'spend_cap', 'The workspace has spent its budget.') })
  const onError = vi.fn()
  const { chat, contents } = openChat({ onError })
  await act(() => expect(chat().sendMessage('Hi')).rejects.toThrow('The workspace has spent its budget.'))
  expect([contents(), chat().status, sessionStorage.length]).toEqual([[], 'error', 0])
  expect(onError).toHaveBeenCalledOnce()
})

test('a message that got no answer, or met a server about to end, is sent again with the same key', async () => {
  const keys: (string | null)[] = []
  stubApi({
    [READ]: reply(conversation()),
    [SEND]: (request) => {
      keys.push(request.headers.get('Idempotency-Key'))
      if (keys.length === 1) return Promise.reject(new TypeError('failed'))
      if (keys.length === 2) return refuse(503, 'server_ending', 'This server is about to end.')(request)
      return keys.length === 3 ? toldAtOnce() : toldAtOnce(session(), said('1.0', 'Hi'), starts('2.0'), ...ends(3))
    },
  })
  const { chat } = openChat()
  await act(() => chat().sendMessage('Hi'))
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
})

test('a message that the server may have is said once, however often a person sends it; in other words it is another', async () => {
  const keys: (string | null)[] = []
  stubApi({
    [SEND]: (request) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return refuse(500, 'internal', 'Something broke.')(request)
    },
  })
  const { chat } = openChat()
  for (const words of ['Hi', 'Hi', 'Hello', 'Hi']) await act(() => expect(chat().sendMessage(words)).rejects.toThrow())
  expect([keys[1] === keys[0], new Set(keys).size]).toEqual([true, 3])
})

test('a broken stream goes on from its cursor', async () => {
  const answer = eventStream()
  const second = eventStream()
  const api = stubApi({ [SEND]: () => answer.response, [FOLLOW]: () => second.response, [READ]: refuse(500, 'x', 'x') })
  const { chat, contents } = openChat()
  answer.tell(session(), said('1.0', 'Hi'), starts('2.0'), text('2.3', 'Hel'))
  await act(() => chat().sendMessage('Hi'))
  await waitFor(() => { expect(contents()).toEqual(['Hi', 'Hel']) })
  answer.breakOff()
  second.tell(text('2.3', 'Hel'), text('2.5', 'lo'), ...ends(3))
  await waitFor(() => { expect([contents(), chat().status]).toEqual([['Hi', 'Hello'], 'idle']) })
  expect(api.asked.find(({ what }) => what === FOLLOW)?.search.get('after')).toBe('2.3')
  await waitFor(() => { expect(second.isCancelled()).toBe(true) })
})

test('a conversation whose first answer breaks off at once is heard from its beginning', async () => {
  const answer = eventStream()
  const second = eventStream()
  const api = stubApi({ [SEND]: () => answer.response, [FOLLOW]: () => second.response, [READ]: refuse(500, 'x', 'x') })
  const { chat, contents } = openChat()
  answer.tell(session())
  await act(() => chat().sendMessage('Hi'))
  second.tell(said('1.0', 'Hi'), starts('2.0'), text('2.3', 'Hello'))
  answer.breakOff()
  await waitFor(() => { expect(contents()).toEqual(['Hi', 'Hello']) })
  expect(api.asked.find(({ what }) => what === FOLLOW)?.search.get('after')).toBe('0.0')
})

test('a tab that nobody looks at is not connected, and goes on where it was', async () => {
  const answer = eventStream()
  const second = eventStream()
  const api = stubApi({
    [SEND]: ({ signal }) => answer.until(signal),
    [FOLLOW]: ({ signal }) => second.until(signal),
    [READ]: refuse(500, 'x', 'x'),
  })
  const { chat, contents } = openChat()
  answer.tell(session(), said('1.0', 'Hi'), starts('2.0'), text('2.3', 'Hel'))
  await act(() => chat().sendMessage('Hi'))
  await waitFor(() => { expect(contents()).toEqual(['Hi', 'Hel']) })
  act(() => { look('hidden') })
  await waitFor(() => { expect(answer.isCancelled()).toBe(true) })
  expect([chat().status, chat().connection, api.bodiesOf(FOLLOW).length]).toEqual(['streaming', 'online', 0])
  second.tell(text('2.5', 'lo'))
  act(() => { look('visible') })
  await waitFor(() => { expect(contents()).toEqual(['Hi', 'Hello']) })
  expect(api.asked.find(({ what }) => what === FOLLOW)?.search.get('after')).toBe('2.3')
})

test('what waits is sent when the turn ends, though nobody looks', async () => {
  const live = beginLive()
  const answer = eventStream()
  const next = eventStream()
  const running = conversation({ cursor: '2.0', turn: { session_id: 's1', status: 'running' }, messages: [message('u1', 'user', 'Hi')] })
  const api = stubApi({ [READ]: reply(running), [FOLLOW]: ({ signal }) => answer.until(signal), [SEND]: ({ signal }) => next.until(signal) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().status).toBe('streaming') })
  await act(() => chat().sendMessage('And then?'))
  act(() => { look('hidden') })
  await waitFor(() => { expect(answer.isCancelled()).toBe(true) })
  api.on(READ, reply(conversation({ cursor: '4.0', messages: [message('u1', 'user', 'Hi'), message('m1', 'assistant', 'Hello')] })))
  act(() => { publish({ type: 'turn_ended', conversationId: 'c1', sessionId: 's1', status: 'completed' }) })
  await waitFor(() => { expect(api.bodiesOf(SEND)).toMatchObject([{ message: 'And then?' }]) })
  next.tell(session('s2'), said('5.0', 'And then?', 'u2'), starts('6.0', 'm2'), text('6.1', 'The', 'm2'))
  await waitFor(() => { expect(next.isCancelled(), 'and left again').toBe(true) })
  live()
})

test('while other tabs hold all lines, what is said is fetched in glances', async () => {
  const request = (_: string, __: LockOptions, hold: (lock: Lock | null) => unknown) => Promise.resolve(hold(null))
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue({ request } as LockManager)
  const begun = eventStream()
  const glances = [eventStream(), eventStream()]
  let at = 0
  const api = stubApi({ [SEND]: ({ signal }) => begun.until(signal), [FOLLOW]: ({ signal }) => (glances[at++] ?? eventStream()).until(signal), [READ]: refuse(500, 'x', 'x') })
  const { chat, contents } = openChat()
  begun.tell(session(), said('1.0', 'Hi'))
  glances[0]?.tell(starts('2.0'), text('2.3', 'Hel'))
  glances[1]?.tell(text('2.5', 'lo'), ...ends(3))
  await act(() => chat().sendMessage('Hi'))
  await waitFor(() => { expect(contents()).toEqual(['Hi', 'Hel']) })
  expect(begun.isCancelled()).toBe(true)
  await waitFor(() => { expect([contents(), chat().status, chat().connection]).toEqual([['Hi', 'Hello'], 'idle', 'online']) }, { timeout: 4_000 })
  expect(api.asked.filter(({ what }) => what === FOLLOW).map(({ search }) => search.get('after'))).toEqual(['1.0', '2.3'])
})

test('a conversation whose turn runs is read, and gone on with', async () => {
  const stream = eventStream()
  const stored = conversation({ cursor: '2.0', turn: { session_id: 's1', status: 'running' }, messages: [message('u1', 'user', 'Hi'), message('m1', 'assistant', '', { parts: [], status: 'streaming' })] })
  stubApi({ [READ]: reply(stored), [FOLLOW]: () => stream.response })
  const { chat, contents } = openChat({ conversationId: 'c1' })
  expect(chat().isLoading).toBe(true)
  await waitFor(() => { expect(chat()).toMatchObject({ isLoading: false, status: 'streaming', title: 'Tea' }) })
  stream.tell(text('2.5', 'Hello'))
  await waitFor(() => { expect(contents()).toEqual(['Hi', 'Hello']) })
})

test('a cursor that means nothing any more: the conversation is read again', async () => {
  const running = conversation({ cursor: '9.0', turn: { session_id: 's1', status: 'running' }, messages: [message('u1', 'user', 'Hi')] })
  const api = stubApi({
    [READ]: reply(running),
    [FOLLOW]: () => {
      api.on(READ, reply(conversation({ cursor: '4.0', messages: [message('u1', 'user', 'Hi'), message('m1', 'assistant', 'Hello')] })))
      return toldAtOnce([null, { type: 'reset' }])
    },
  })
  const { chat, contents } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect([contents(), chat().status]).toEqual([['Hi', 'Hello'], 'idle']) })
})

test('what is written during a turn waits, survives a reload, and is sent in order', async () => {
  const answers = [eventStream(), eventStream(), eventStream()]
  const api = stubApi({ [SEND]: () => answers[api.bodiesOf(SEND).length - 1]?.response ?? new Response(), [READ]: refuse(500, 'x', 'x') })
  const { chat } = openChat()
  answers[0]?.tell(session(), said('1.0', 'One'), starts('2.0'))
  await act(() => chat().sendMessage('One'))
  await act(() => chat().sendMessage('Two'))
  await act(() => chat().sendMessage('Three'))
  await act(() => chat().sendMessage('Never'))
  act(() => { chat().removeQueued(chat().queued[2]?.id ?? '') })
  expect(chat().queued.map(({ content }) => content)).toEqual(['Two', 'Three'])
  expect(JSON.parse(sessionStorage.getItem('baton.queue.c1') ?? '')).toMatchObject([{ content: 'Two' }, { content: 'Three' }])

  answers[1]?.tell(session('s2'), said('5.0', 'Two', 'u2'), starts('6.0', 'm2'), ...ends(7, 'm2'))
  answers[2]?.tell(session('s3'), said('9.0', 'Three', 'u3'), starts('10.0', 'm3'), ...ends(11, 'm3'))
  answers[0]?.tell(...ends(3))
  await waitFor(() => { expect(chat()).toMatchObject({ status: 'idle', queued: [] }) })
  expect(api.bodiesOf(SEND)).toMatchObject([{ message: 'One' }, { message: 'Two', conversationId: 'c1' }, { message: 'Three' }])
  expect(sessionStorage.length).toBe(0)
})

test('what waited is cleared with the messages, and does not come back with a reload', async () => {
  const stream = eventStream()
  stubApi({ [SEND]: () => stream.response, [READ]: refuse(500, 'x', 'x') })
  const { chat } = openChat()
  stream.tell(session(), said('1.0', 'One'), starts('2.0'))
  await act(() => chat().sendMessage('One'))
  await act(() => chat().sendMessage('Two'))
  expect(sessionStorage.getItem('baton.queue.c1')).not.toBeNull()
  act(() => { chat().clearMessages() })
  expect(chat()).toMatchObject({ messages: [], queued: [] })
  expect(sessionStorage.length).toBe(0)
})

test('a turn that runs elsewhere makes the message wait', async () => {
  const api = stubApi({ [READ]: reply(conversation()), [SEND]: refuse(409, 'turn_in_progress', 'An answer is under way.') })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().isLoading).toBe(false) })
  api.on(READ, reply(conversation({ cursor: '2.0', turn: { session_id: 's9', status: 'running' } })))
  api.on(FOLLOW, () => toldAtOnce(...ends(3)))
  await act(() => chat().sendMessage('Hi'))
  expect(chat().queued).toMatchObject([{ content: 'Hi' }])
  api.on(SEND, () => toldAtOnce(session(), said('5.0', 'Hi'), starts('6.0'), ...ends(7)))
  api.on(READ, reply(conversation({ cursor: '4.0' })))
  await waitFor(() => { expect(chat().queued).toEqual([]) })
  expect(api.bodiesOf(SEND)).toHaveLength(2)
})

test('writing while an approval waits: what ended the waiting turn is not missed', async () => {
  const call = { type: 'tool-call', toolCallId: 't', toolName: 'save', displayName: 'Save', args: {}, state: 'pending' }
  const approval = { type: 'approval', approvalId: 'p', toolCallId: 't', toolName: 'save', status: 'pending', expiresAt: '' }
  const waiting = message('m0', 'assistant', '', { parts: [call, approval] as never[], status: 'streaming' })
  stubApi({
    [READ]: reply(conversation({ cursor: '5.0', turn: { session_id: 's0', status: 'waiting' }, messages: [waiting] })),
    [SEND]: () => toldAtOnce(session(), said('9.0', 'No'), starts('10.0')),
    [FOLLOW]: () =>
      toldAtOnce(
        ['6.0', { type: 'approval_resolved', messageId: 'm0', agentId: 'a1', approvalId: 'p', toolCallId: 't', decision: 'rejected', by: 'Ada' }],
        ['7.0', { type: 'message_complete', messageId: 'm0', agentId: 'a1', status: 'stopped', timestamp: '' }],
        ['8.0', { type: 'done', status: 'stopped', turnCount: 1, usage }],
        said('9.0', 'No'),
        starts('10.0'),
        text('10.2', 'OK'),
        ...ends(11),
      ),
  })
  const endLive = beginLive()
  const { chat, contents } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().isWaiting).toBe(true) })
  await act(() => chat().sendMessage('No'))
  await waitFor(() => { expect([contents(), chat().status]).toEqual([['', 'No', 'OK'], 'idle']) })
  expect(chat().messages[0]).toMatchObject({ status: 'stopped', parts: [{ state: 'pending' }, { status: 'rejected' }] })
  endLive()
})

test('stopping while an approval waits: the turn ends, and what was asked is no longer asked', async () => {
  const STOP = 'POST /api/agent-chat/c1/stop'
  const call = { type: 'tool-call', toolCallId: 't', toolName: 'save', displayName: 'Save', args: {}, state: 'pending' }
  const approval = { type: 'approval', approvalId: 'p', toolCallId: 't', toolName: 'save', status: 'pending', expiresAt: '' }
  const waiting = message('m0', 'assistant', '', { parts: [call, approval] as never[], status: 'streaming' })
  const api = stubApi({
    [READ]: reply(conversation({ cursor: '5.0', turn: { session_id: 's0', status: 'waiting' }, messages: [waiting] })),
    [STOP]: reply({ stopped: true }),
    [FOLLOW]: () =>
      toldAtOnce(
        ['6.0', { type: 'approval_resolved', messageId: 'm0', agentId: 'a1', approvalId: 'p', toolCallId: 't', decision: 'cancelled', by: 'Ada' }],
        ['7.0', { type: 'message_complete', messageId: 'm0', agentId: 'a1', status: 'stopped', timestamp: '' }],
        ['8.0', { type: 'done', status: 'stopped', turnCount: 1, usage }],
      ),
  })
  const endLive = beginLive()
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().isWaiting).toBe(true) })
  api.on(READ, refuse(500, 'x', 'x'))
  act(() => { chat().stopGeneration() })
  await waitFor(() => { expect(chat()).toMatchObject({ isWaiting: false, status: 'idle', endedAs: 'stopped' }) })
  expect(api.bodiesOf(STOP)).toHaveLength(1)
  expect(chat().messages[0]).toMatchObject({ status: 'stopped', parts: [{ state: 'pending' }, { status: 'cancelled' }] })
  endLive()
})

test('a turn begun in another tab is followed', async () => {
  const api = stubApi({ [READ]: reply(conversation()) })
  const { chat, contents } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().isLoading).toBe(false) })
  const stream = eventStream()
  api.on(READ, reply(conversation({ cursor: '2.0', turn: { session_id: 's5', status: 'running' }, messages: [message('u1', 'user', 'Hi')] })))
  api.on(FOLLOW, () => stream.response)
  publish({ type: 'turn_started', conversationId: 'another', agentId: 'a1', sessionId: 's4' })
  publish({ type: 'turn_started', conversationId: 'c1', agentId: 'a1', sessionId: 's5' })
  stream.tell(starts('3.0'), text('3.4', 'Hey'))
  await waitFor(() => { expect([contents(), chat().status]).toEqual([['Hi', 'Hey'], 'streaming']) })
  expect(api.asked.filter(({ what }) => what === FOLLOW)).toHaveLength(1)
})

test.each([
  ['stale: who holds it now', refuse(409, 'stale_epoch', 'Someone was quicker.', { active: { ...conversation().active, agentId: 'a3', epoch: 7 } }), 'a3'],
  ['refused: who held it before', refuse(403, 'forbidden', 'Please sign in to access this agent.'), 'a1'],
])('a switch is shown at once, and when %s', async (_, answer, agentId) => {
  const api = stubApi({ [READ]: reply(conversation()), 'POST /api/agent-conversations/c1/switch': answer })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().active?.agentId).toBe('a1') })
  let switched: Promise<void> | undefined
  act(() => {
    switched = chat().switchAgent('a2')
  })
  expect(chat().active?.agentId).toBe('a2')
  await act(() => expect(switched).rejects.toThrow())
  expect(chat().active?.agentId).toBe(agentId)
  expect(api.bodiesOf('POST /api/agent-conversations/c1/switch')).toEqual([{ agentId: 'a2', epoch: 1 }])
})

test('a version made in another tab appears', async () => {
  const point = { message_id: 'u1', conversations: [{ id: 'c1' }, { id: 'c2' }] } as never
  const messages = [message('u1', 'user', 'Hi')]
  const api = stubApi({ [READ]: reply(conversation({ messages })) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().isLoading).toBe(false) })
  api.on(READ, reply(conversation({ messages, versions: [point] })))
  act(() => {
    publish({ type: 'conversation_changed', conversationId: 'c2' })
  })
  await waitFor(() => { expect(chat().versions).toEqual([point]) })
})

test('an edit is sent in a fork; without an answer the fork goes again', async () => {
  const FORK = 'POST /api/agent-conversations/c1/fork'
  const stored = conversation({ messages: [message('u1', 'user', 'Hi'), message('m1', 'assistant', 'Hello')] })
  const api = stubApi({
    [READ]: reply(stored),
    [FORK]: reply({ ...stored, id: 'c2' }, 201),
    [SEND]: refuse(429, 'rate_limited', 'Too many.'),
    'DELETE /api/agent-conversations/c2': reply({ success: true }),
  })
  const onForked = vi.fn()
  const { chat } = openChat({ conversationId: 'c1', onForked })
  await waitFor(() => { expect(chat().messages).toHaveLength(2) })
  await act(() => expect(chat().editMessage('u1', 'Hey')).rejects.toThrow('Too many.'))
  expect([onForked.mock.calls.length, api.asked.at(-1)?.what]).toEqual([0, 'DELETE /api/agent-conversations/c2'])
  expect(api.asked.at(-1)?.search.get('keepVersions'), 'the others stay').toBe('true')

  const answer = eventStream()
  answer.tell(session())
  api.on(SEND, () => answer.response)
  await act(() => chat().regenerate('m1'))
  expect(onForked).toHaveBeenCalledExactlyOnceWith('c2')
  expect(api.bodiesOf(FORK)).toEqual([{ beforeMessageId: 'u1' }, { beforeMessageId: 'u1' }])
  expect(api.bodiesOf(SEND)).toMatchObject([{ message: 'Hey', conversationId: 'c2' }, { message: 'Hi', conversationId: 'c2' }])
})

test('older messages come before, and reading again keeps them and what is drawn', async () => {
  const newest = [message('u2', 'user', 'Again'), message('m2', 'assistant', 'Yes')]
  const api = stubApi({ [READ]: reply(conversation({ messages: newest, has_more: true })) })
  const { chat, contents } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().hasOlder).toBe(true) })
  api.on(READ, reply(conversation({ messages: [message('u1', 'user', 'Hi'), message('m1', 'assistant', 'Hello')] })))
  await act(() => chat().loadOlder())
  expect(api.asked.at(-1)?.search.get('before')).toBe('u2')
  expect([contents(), chat().hasOlder]).toEqual([['Hi', 'Hello', 'Again', 'Yes'], false])

  const before = chat().messages
  api.on(READ, reply(conversation({ title: 'Renamed', messages: newest, has_more: true })))
  publish({ type: 'conversation_changed', conversationId: 'c1' })
  await waitFor(() => { expect(chat().title).toBe('Renamed') })
  expect([chat().messages, chat().hasOlder]).toEqual([before, false])
  expect(chat().messages).toBe(before)
})

test('what Baton says to itself is no older page', async () => {
  const messages = [message('x1', 'user', 'Go on', { metadata: { synthetic: true } as never }), message('m1', 'assistant', 'Hello')]
  const api = stubApi({ [READ]: reply(conversation({ messages, has_more: true })) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().hasOlder).toBe(true) })
  api.on(READ, reply(conversation({ messages: [message('u1', 'user', 'Hi')] })))
  await act(() => chat().loadOlder())
  api.on(READ, reply(conversation({ title: 'Renamed', messages, has_more: true })))
  publish({ type: 'conversation_changed', conversationId: 'c1' })
  await waitFor(() => { expect(chat().title).toBe('Renamed') })
  expect(chat().hasOlder).toBe(false)
})

test('another answer: writes count from the question on, which may lie on an older page', async () => {
  const newest = [message('m1', 'assistant', 'Over to Ben'), message('m2', 'assistant', 'Done')]
  const wrote = message('m0', 'assistant', 'Saved', { metadata: { wrote: true } as never })
  const api = stubApi({ [READ]: reply(conversation({ messages: newest, has_more: true })), 'POST /api/agent-conversations/c1/fork': refuse(403, 'x', 'No forks.') })
  const { chat, contents } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().hasOlder).toBe(true) })
  api.on(READ, reply(conversation({ messages: [message('u1', 'user', 'Hi'), wrote] })))
  expect(await act(() => chat().wroteSince('m2'))).toBe(true)
  expect(contents()).toEqual(['Hi', 'Saved', 'Over to Ben', 'Done'])
  await act(() => expect(chat().regenerate('m2')).rejects.toThrow('No forks.'))
  expect(api.bodiesOf('POST /api/agent-conversations/c1/fork')).toEqual([{ beforeMessageId: 'u1' }])
})

test('a greeting that nobody asked for has no other answer, and that is said', async () => {
  stubApi({ [READ]: reply(conversation({ messages: [message('m1', 'assistant', 'Hello')] })) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().messages).toHaveLength(1) })
  await act(() => expect(chat().regenerate('m1')).rejects.toThrow('Nobody asked'))
})

test('whoever has left is not called back', async () => {
  const answers = { created: eventStream(), forked: eventStream() }
  const messages = [message('u1', 'user', 'Hi'), message('m1', 'assistant', 'Hello')]
  const api = stubApi({ [SEND]: () => answers.created.response, [READ]: reply(conversation({ messages })), 'POST /api/agent-conversations/c1/fork': reply(conversation({ id: 'c2' }), 201) })
  const called = { onConversationCreated: vi.fn(), onForked: vi.fn() }
  const first = openChat(called)
  let sent: Promise<void> | undefined
  act(() => { sent = first.chat().sendMessage('Hi') })
  first.unmount()
  answers.created.tell(session())
  await sent

  api.on(SEND, () => answers.forked.response)
  const second = openChat({ ...called, conversationId: 'c1' })
  await waitFor(() => { expect(second.chat().messages).toHaveLength(2) })
  const forked = second.chat().regenerate('m1')
  second.unmount()
  answers.forked.tell(session())
  await forked
  expect([called.onConversationCreated.mock.calls, called.onForked.mock.calls]).toEqual([[], []])
})

const CREATE = 'POST /api/agent-conversations'
const SWITCH = 'POST /api/agent-conversations/c1/switch'

test('choices before there is a conversation make one, however many', async () => {
  const api = stubApi({ [CREATE]: reply(conversation(), 201), [READ]: reply(conversation()), [SWITCH]: reply({ active: conversation().active }) })
  const { chat } = openChat({ agentId: undefined, teamId: 't1' })
  await act(() => Promise.all([chat().switchAgent('a2'), chat().switchAgent('a3')]))
  expect([api.bodiesOf(CREATE).length, api.bodiesOf(SWITCH).length]).toEqual([1, 2])
})

test('a choice while the first message is on its way is made in the conversation that it begins', async () => {
  const answer = eventStream()
  const api = stubApi({ [SEND]: () => answer.response, [CREATE]: reply(conversation(), 201), [READ]: reply(conversation()), [SWITCH]: reply({ active: conversation().active }) })
  const { chat } = openChat({ agentId: undefined, teamId: 't1' })
  let both: Promise<unknown> | undefined
  act(() => { both = Promise.all([chat().sendMessage('Hi'), chat().switchAgent('a2')]) })
  answer.tell(session(), said('1.0', 'Hi'))
  await act(() => both)
  expect([api.bodiesOf(CREATE).length, api.bodiesOf(SWITCH).length]).toEqual([0, 1])
})

test('a message written while a choice makes the conversation follows in it', async () => {
  const api = stubApi({ [SEND]: () => toldAtOnce(session(), said('1.0', 'Hi'), starts('2.0'), ...ends(3)), [CREATE]: reply(conversation(), 201), [READ]: reply(conversation()), [SWITCH]: reply({ active: conversation().active }) })
  const { chat } = openChat({ agentId: undefined, teamId: 't1' })
  await act(() => Promise.all([chat().switchAgent('a2'), chat().sendMessage('Hi')]))
  await waitFor(() => { expect(api.bodiesOf(SEND)).toMatchObject([{ conversationId: 'c1', message: 'Hi' }]) })
})

test('a stop is for the message that was just beginning, not for the one after it', async () => {
  const STOP = 'POST /api/agent-chat/c1/stop'
  const api = stubApi({ [SEND]: refuse(403, 'x', 'No.'), [READ]: reply(conversation()), [STOP]: reply({ stopped: true }) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().isLoading).toBe(false) })
  let sent: Promise<void> | undefined
  act(() => {
    sent = chat().sendMessage('Hi')
    chat().stopGeneration()
  })
  await act(() => expect(sent).rejects.toThrow('No.'))
  api.on(SEND, () => toldAtOnce(session(), said('1.0', 'Hi'), starts('2.0'), ...ends(3)))
  await act(() => chat().sendMessage('Hi'))
  expect(api.bodiesOf(STOP)).toEqual([])
})

test('a message that waited and was refused says why, and is sent again when asked', async () => {
  const running = conversation({ cursor: '2.0', turn: { session_id: 's1', status: 'running' }, messages: [message('u1', 'user', 'Hi')] })
  const stream = eventStream()
  const api = stubApi({ [READ]: reply(running), [FOLLOW]: () => stream.response, [SEND]: refuse(403, 'spend_cap', 'The budget is spent.') })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().status).toBe('streaming') })
  await act(() => chat().sendMessage('And then?'))
  api.on(READ, reply(conversation({ cursor: '4.0' })))
  stream.tell(starts('3.0'), ...ends(3))
  await waitFor(() => { expect(chat().error?.message).toBe('The budget is spent.') })
  await waitFor(() => { expect(chat().queued).toMatchObject([{ content: 'And then?' }]) })
  api.on(SEND, () => toldAtOnce(session('s2'), said('5.0', 'And then?', 'u2'), starts('6.0', 'm2'), ...ends(7, 'm2')))
  await act(() => chat().sendQueued())
  expect(chat()).toMatchObject({ error: null, queued: [] })
})

test.each([
  ['deleted', 404, { status: 'idle', messages: [], loadError: { status: 404 } }, true],
  ['not theirs any more', 403, { status: 'error', messages: [{ status: 'failed' }], loadError: null, problem: { message: 'Refused.', recoverable: false } }, true],
  ['behind a session that is over', 401, { status: 'error', messages: [{ status: 'failed' }], loadError: { status: 401 } }, false],
])('a turn whose conversation is %s ends here', async (_, status, shown, staysSignedIn) => {
  const half = message('m1', 'assistant', 'Hel', { status: 'streaming' })
  const api = stubApi({
    [READ]: reply(conversation({ cursor: '2.0', turn: { session_id: 's1', status: 'running' }, messages: [half] })),
    [FOLLOW]: refuse(status, 'refused', 'Refused.'),
  })
  const { chat, queryClient } = openChat({ conversationId: 'c1' })
  queryClient.setQueryData(keys.session, { profile: {} })
  await waitFor(() => { expect(chat()).toMatchObject({ isLoading: false, ...shown }) })
  expect(queryClient.getQueryData(keys.session) !== null).toBe(staysSignedIn)
  expect(api.asked.filter(({ what }) => what === FOLLOW)).toHaveLength(1)
})

test('a conversation that is deleted in another tab is gone here too', async () => {
  const api = stubApi({ [READ]: reply(conversation({ messages: [message('u1', 'user', 'Hi')] })) })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().isLoading).toBe(false) })
  api.on(READ, refuse(404, 'not_found', 'Gone.'))
  publish({ type: 'conversation_changed', conversationId: 'c1' })
  await waitFor(() => { expect(chat().loadError?.message).toBe('Gone.') })
  expect(chat()).toMatchObject({ conversationId: 'c1', messages: [], active: null, title: null })
  const asked = api.asked.length
  publish({ type: 'conversation_changed', conversationId: 'c2' })
  act(() => { look('visible') })
  await act(() => Promise.resolve())
  expect(api.asked).toHaveLength(asked)
})

test.each<[string, string, (chat: ReturnType<typeof useAgentChat>) => Promise<void>]>([
  ['a decision', 'POST /api/approvals/p1/approve', (chat) => chat.approve({ approvalId: 'p1', argsHash: 'hash-1' })],
  ['a switch', 'POST /api/agent-conversations/c1/switch', (chat) => chat.switchAgent('a2')],
  ['another version', 'POST /api/agent-conversations/c1/fork', (chat) => chat.editMessage('u1', 'Hello')],
])('%s after the session has run out leads to signing in', async (_, asks, perform) => {
  const api = stubApi({ [READ]: reply(conversation({ messages: [message('u1', 'user', 'Hi')] })), [asks]: refuse(401, 'unauthorized', 'Sign in.') })
  const { chat, queryClient } = openChat({ conversationId: 'c1' })
  queryClient.setQueryData(keys.session, { profile: {} })
  await waitFor(() => { expect(chat().isLoading).toBe(false) })
  await act(() => expect(perform(chat())).rejects.toMatchObject({ status: 401 }))
  expect(api.asked.map(({ what }) => what)).toContain(asks)
  expect(queryClient.getQueryData(keys.session)).toBeNull()
})

test('who spoke and who took over is known after a reload, page by page, also of agents that are gone', async () => {
  const mark = (after: string | null, epoch: number) => ({ after, epoch, from: 'a1', to: 'a2', toName: 'Ben', by: 'user' as const, pinned: false })
  const agents = [{ id: 'a2', name: 'Ben', avatar_url: '🦊' }]
  const api = stubApi({
    [READ]: reply(conversation({ has_more: true, messages: [message('m2', 'assistant', 'Two', { agent_id: 'a2' })], switches: [mark(null, 3), mark('m2', 4)], agents })),
  })
  const { chat } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().messages).toMatchObject([{ agentName: 'Ben', avatarUrl: '🦊' }]) })
  api.on(READ, reply(conversation({ messages: [message('m0', 'assistant', 'Zero'), message('m1', 'assistant', 'One')], switches: [mark('m0', 2)] })))
  await act(() => chat().loadOlder())
  expect(chat().switches.map(({ fromName }) => fromName)).toEqual(['Ada', undefined, undefined])
  const places = () => chat().switches.map(({ after, epoch }) => [after, epoch])
  expect(places()).toEqual([['m0', 2], ['m1', 3], ['m2', 4]])

  // Read again from its end, it keeps what the older page told.
  api.on(READ, reply(conversation({ cursor: '9.0', has_more: true, messages: [message('m2', 'assistant', 'Two', { agent_id: 'a2' })], switches: [mark(null, 3), mark('m2', 5)], agents })))
  publish({ type: 'conversation_changed', conversationId: 'c1' })
  await waitFor(() => { expect(places()).toEqual([['m0', 2], ['m1', 3], ['m2', 5]]) })
})

test('an offered switch is offered after a reload too, but not again to whoever put it away', async () => {
  const suggested = { agent_id: 'a2', agent_name: 'Ben' }
  const offers = conversation({ cursor: '5.0', last_turn: { status: 'completed', error: null, suggested }, messages: [message('m1', 'assistant', 'Ben takes over.')] })
  const api = stubApi({ [READ]: reply(offers) })
  const { chat, unmount } = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(chat().suggestion).toEqual({ agentId: 'a2', agentName: 'Ben' }) })
  act(() => { chat().dismissSuggestion() })
  api.on(READ, reply({ ...offers, title: 'Read again' }))
  publish({ type: 'conversation_changed', conversationId: 'c1' })
  await waitFor(() => { expect(chat().title).toBe('Read again') })
  expect(chat().suggestion).toBeNull()
  unmount()

  const reloaded = openChat({ conversationId: 'c1' })
  await waitFor(() => { expect(reloaded.chat().title).toBe('Read again') })
  expect(reloaded.chat().suggestion).toBeNull()
  // It is another offer after another answer.
  api.on(READ, reply({ ...offers, cursor: '9.0', messages: [message('m1', 'assistant', 'Ben takes over.'), message('m2', 'assistant', 'Now Ben takes over.')] }))
  publish({ type: 'conversation_changed', conversationId: 'c1' })
  await waitFor(() => { expect(reloaded.chat().suggestion).toEqual({ agentId: 'a2', agentName: 'Ben' }) })
})
