import { describe, expect, it } from 'vitest'
import type { Active, StreamEvent } from '@/api/types'
import { recorded, type Story } from '@/testing/stories'
import { fold, type Heard } from './fold'
import { fromStored } from './hydrate'
import { type ChatState, EMPTY } from './state'
import type { AgentMessage, MessagePart } from './types'

const AT = new Date('2026-01-01T12:00:00Z')
const heard = (cursor: string | null, event: StreamEvent): Heard => ({ cursor, event, at: AT })
const foldAll = (state: ChatState, events: Heard[]) => events.reduce(fold, state)

/** Events in a row, each a step of its own. */
function tell(events: StreamEvent[], state: ChatState = EMPTY): ChatState {
  return foldAll(state, events.map((event, at) => heard(`${at + 1}.0`, event)))
}

const by = { agentId: 'a', messageId: 'm' }
const start = (more: Partial<Extract<StreamEvent, { type: 'message_start' }>> = {}): StreamEvent => ({
  type: 'message_start', ...by, agentName: 'Ada', avatarUrl: '🚗', attempt: 1, parts: [], timestamp: '2026-01-01T00:00:00Z', ...more,
})
const text = (content: string, isComplete = false, messageId = 'm'): StreamEvent => ({ type: 'text', ...by, messageId, content, isComplete })
const thought = (content: string, isComplete = false): StreamEvent => ({ type: 'reasoning', ...by, content, isComplete })
const call = (toolCallId: string): StreamEvent => ({ type: 'tool_start', ...by, toolCallId, toolName: 'save', displayName: 'Save', args: {} })
const result = (toolCallId: string, success = true): StreamEvent => ({ type: 'tool_result', ...by, toolCallId, toolName: 'save', result: { n: 1 }, success, durationMs: 7 })
const far: StreamEvent = { type: 'tool_progress', ...by, toolCallId: 'c', progress: 1, total: 4, message: 'Reading' }
const subtask = { conversationId: 'c2', taskId: 't2' }
const asks = (toolCallId: string): StreamEvent => ({
  type: 'approval_required', ...by, approvalId: `ap-${toolCallId}`, toolCallId, toolName: 'save', args: {}, argsHash: 'hash-1', expiresAt: '2026-01-02T00:00:00Z',
})
const decided = (toolCallId: string, decision: 'approved' | 'rejected' | 'cancelled', args?: unknown): StreamEvent =>
  ({ type: 'approval_resolved', ...by, approvalId: `ap-${toolCallId}`, toolCallId, decision, by: 'Ada', reason: 'Why', decidedAt: '2026-01-01T13:00:00Z', ...(args ? { args } : {}) }) as StreamEvent
const handoff = (more: Partial<Extract<StreamEvent, { type: 'handoff' }>> = {}): StreamEvent => ({
  type: 'handoff', messageId: 'm', handoffId: 'h', from: 'a', to: 'b', toName: 'Ben', trigger: 'model', reason: 'why', context: { k: 1 } as never, epoch: 2, ...more,
})
const done: StreamEvent = {
  type: 'done', status: 'completed', turnCount: 1,
  usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, costUsd: null },
}
const toolPart = (state: string, more: object = {}): MessagePart =>
  ({ type: 'tool-call', toolCallId: 'c', toolName: 'save', displayName: 'Save', args: {}, state, ...more }) as MessagePart
const approvalPart = (status: string, more: object = {}): MessagePart =>
  ({ type: 'approval', approvalId: 'ap-c', toolCallId: 'c', toolName: 'save', argsHash: 'hash-1', status, expiresAt: '2026-01-02T00:00:00Z', ...more }) as MessagePart
const handoffPart = { type: 'handoff', handoffId: 'h', from: 'a', to: 'b', toName: 'Ben', trigger: 'model', reason: 'why', context: { k: 1 } } as const

describe('the parts of a message', () => {
  const cases: [what: string, events: StreamEvent[], parts: MessagePart[]][] = [
    ['text grows', [text('Hel'), text('lo')], [{ type: 'text', text: 'Hello' }]],
    ['a finished block is not gone on with', [text('a'), text('', true), text('b')], [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }]],
    ['reasoning, then text', [thought('hm', true), text('a')], [{ type: 'reasoning', reasoning: 'hm' }, { type: 'text', text: 'a' }]],
    ['an empty block is none', [text('', true)], []],
    ['a call ends the block', [text('a'), call('c'), text('b')], [{ type: 'text', text: 'a' }, toolPart('running'), { type: 'text', text: 'b' }]],
    ['a result', [call('c'), result('c')], [toolPart('completed', { result: { n: 1 }, durationMs: 7 })]],
    ['a failure', [call('c'), result('c', false)], [toolPart('error', { result: { n: 1 }, durationMs: 7 })]],
    ['a call tells how far it is', [call('c'), far], [toolPart('running', { progress: { done: 1, total: 4, message: 'Reading' } })]],
    ['what is finished is not on its way', [call('c'), far, result('c')], [toolPart('completed', { result: { n: 1 }, durationMs: 7 })]],
    ['a call that asks another agent', [call('c'), { type: 'subtask_created', ...by, toolCallId: 'c', subtask }], [toolPart('running', { subtask })]],
    ['an approval', [call('c'), asks('c')], [toolPart('pending'), approvalPart('pending')]],
    ['an approved call runs', [call('c'), asks('c'), decided('c', 'approved')], [toolPart('running'), approvalPart('approved', { by: 'Ada', reason: 'Why', decidedAt: '2026-01-01T13:00:00Z' })]],
    ['approved with other arguments', [call('c'), asks('c'), decided('c', 'approved', { x: 2 })], [toolPart('running', { args: { x: 2 } }), approvalPart('approved', { by: 'Ada', reason: 'Why', decidedAt: '2026-01-01T13:00:00Z' })]],
    ['a rejected call', [call('c'), asks('c'), decided('c', 'rejected')], [toolPart('pending'), approvalPart('rejected', { by: 'Ada', reason: 'Why', decidedAt: '2026-01-01T13:00:00Z' })]],
    ['a handoff', [text('I call Ben.'), handoff()], [{ type: 'text', text: 'I call Ben.' }, handoffPart]],
    [
      'a stage',
      [handoff({ trigger: 'completion', stage: { name: 'scoring', number: 2, of: 3, completed: 'facts' } })],
      [{ type: 'stage', name: 'scoring', number: 2, of: 3, completed: 'facts', toName: 'Ben' }],
    ],
    ['a handoff before anyone spoke comes with the message', [handoff({ messageId: null }), start({ parts: [{ ...handoffPart, epoch: 2 }] as never[] })], [handoffPart]],
    ['a new attempt says everything anew', [text('half a sen'), call('c'), start({ attempt: 2, parts: [{ type: 'text', text: 'kept' }] as never[] }), text('new')], [
      { type: 'text', text: 'kept' },
      { type: 'text', text: 'new' },
    ]],
    [
      'a message that begins again keeps the results that were heard',
      [call('c'), result('c'), call('d'), start({ attempt: 2, parts: [{ ...toolPart('completed', { durationMs: 7 }), resultSeq: 4 }, toolPart('running', { toolCallId: 'd' })] as never[] })],
      [toolPart('completed', { result: { n: 1 }, durationMs: 7 }), toolPart('running', { toolCallId: 'd' })],
    ],
    ['a kind of part that is not known is left out', [start({ parts: [{ type: 'hologram' }, { type: 'text', text: 'a' }] as never[] })], [{ type: 'text', text: 'a' }]],
  ]
  it.each(cases)('%s', (_, events, parts) => {
    expect(tell([start(), ...events]).messages).toEqual([expect.objectContaining({ id: 'm', parts })])
  })

  it('content is the text, a paragraph per part', () => {
    expect(tell([start(), text(' a '), call('c'), thought('no'), text('b')]).messages[0]?.content).toBe('a\n\nb')
  })
})

describe('the turn', () => {
  const user = (more: object = {}): StreamEvent => ({ type: 'user_message', messageId: 'u', content: 'Hi', attachments: [], ...more })
  const problem: StreamEvent = { type: 'error', code: 'model_overloaded', message: 'Busy.', recoverable: true, messageId: 'm' }

  const cases: [what: string, events: StreamEvent[], state: Partial<ChatState>][] = [
    ['runs from the message on', [user()], { turn: 'running' }],
    ['is over when it is done', [user(), start(), done], { turn: 'none', usage: done.usage }],
    ['waits when a person has to decide', [user(), start(), call('c'), asks('c')], { turn: 'waiting' }],
    ['does not wait while another call runs', [user(), start(), call('c'), call('d'), asks('c')], { turn: 'running' }],
    ['waits when the other call is finished', [user(), start(), call('c'), call('d'), asks('c'), result('d')], { turn: 'waiting' }],
    ['goes on once decided', [user(), start(), call('c'), asks('c'), decided('c', 'approved')], { turn: 'running' }],
    ['a greeting begins none', [start({ parts: [{ type: 'text', text: 'Hello' }] as never[] })], { turn: 'none' }],
    ['fails', [user(), start(), problem, done], { turn: 'none', problem: { code: 'model_overloaded', message: 'Busy.', recoverable: true } }],
    ['a new one forgets the problem', [user(), start(), problem, done, user({ messageId: 'u2' })], { problem: null, turn: 'running' }],
    ['an announced handoff is suggested', [user(), { type: 'handoff_suggested', to: 'b', toName: 'Ben' }], { suggestion: { agentId: 'b', agentName: 'Ben' } }],
    ['a handoff takes the suggestion back', [user(), { type: 'handoff_suggested', to: 'b', toName: 'Ben' }, handoff()], { suggestion: null }],
  ]
  it.each(cases)('%s', (_, events, expected) => {
    expect(tell(events)).toMatchObject(expected)
  })

  it('what Baton said to itself is not shown', () => {
    expect(tell([user({ synthetic: true })]).messages).toEqual([])
  })

  it('the session says who runs it and what to know', () => {
    const session: StreamEvent = { type: 'session', sessionId: 's', conversationId: 'c', isResumed: true, notice: 'Ben is away.' }
    expect(fold({ ...EMPTY, cursor: '9.0' }, heard(null, session))).toMatchObject({ turn: 'running', sessionId: 's', notice: 'Ben is away.', cursor: '9.0' })
  })

  it('an error without an id and a message is a notice: it ends nothing, and passes with the next event', () => {
    const trouble: StreamEvent = { type: 'error', code: 'unavailable', message: 'The database does not answer.', recoverable: true }
    const before = tell([user(), start(), text('Half an')])
    const told = fold(before, heard(null, trouble))
    expect(told).toEqual({ ...before, trouble: 'The database does not answer.' })
    expect(fold(told, heard('4.0', text(' answer')))).toMatchObject({ trouble: null, problem: null, turn: 'running' })
    expect(fold(before, heard('4.0', trouble))).toMatchObject({ trouble: null, problem: { code: 'unavailable' } })
  })

  it('an error belongs to its message, until that begins again', () => {
    const failed = tell([user(), start(), problem, { type: 'message_complete', ...by, status: 'failed', timestamp: '' }])
    expect(failed.messages[1]).toMatchObject({ status: 'failed', error: { code: 'model_overloaded' } })
    expect(fold(failed, heard('9.0', start({ attempt: 2 }))).messages[1]).not.toHaveProperty('error')
  })
})

describe('who holds the conversation', () => {
  const active: Active = { activationId: 'x', messageId: null, agentId: 'a', agentName: 'Ada', avatarUrl: null, epoch: 5, pinned: false, role: null, since: '', summary: null }
  const switched = (epoch: number): StreamEvent => ({ type: 'switched', from: 'a', to: 'b', toName: 'Ben', by: 'user', pinned: true, epoch })

  it.each([
    ['a later one is believed', switched(6), 'b'],
    ['an earlier one is not', switched(4), 'a'],
    ['nor the same', switched(5), 'a'],
    ['a handoff', handoff({ epoch: 6 }), 'b'],
    ['an earlier handoff', handoff({ epoch: 3 }), 'a'],
  ])('%s', (_, event, agentId) => {
    expect(tell([event], { ...EMPTY, active }).active).toMatchObject({ agentId })
  })

  it('who holds it already is pinned, or left to the router again, and stays who they were', () => {
    const pin = (pinned: boolean): StreamEvent => ({ type: 'switched', from: 'a', to: 'a', toName: 'Ada', by: 'user', pinned, epoch: 5 })
    expect(tell([pin(true)], { ...EMPTY, active }).active).toEqual({ ...active, pinned: true })
    expect(tell([pin(true), pin(false)], { ...EMPTY, active }).active).toEqual(active)
  })

  it('the first message of a new conversation tells', () => {
    expect(tell([start()]).active).toMatchObject({ agentId: 'a', agentName: 'Ada', avatarUrl: '🚗' })
  })

  it('one that fell to another is told once, with the name of whom it was taken from', () => {
    const session: StreamEvent = { type: 'session', sessionId: 's', conversationId: 'c', isResumed: false, notice: "Ada isn't available any more, so Ben answers." }
    const fell: StreamEvent = { type: 'switched', from: 'a', to: 'b', toName: 'Ben', by: 'fallback', pinned: false, epoch: 6 }
    const asked: StreamEvent = { type: 'user_message', messageId: 'u2', content: 'Hi', attachments: [] }
    const events = [heard(null, session), heard('20.0', fell), heard('21.0', asked)]
    const told = foldAll(tell([start()]), events)
    expect(told).toMatchObject({ notice: null, switches: [{ after: 'm', fromName: 'Ada', toName: 'Ben' }] })
    // Before the first message there is no mark to tell it.
    expect(foldAll({ ...EMPTY, active }, events)).toMatchObject({ notice: session.notice, switches: [{ after: null, fromName: 'Ada' }] })
  })

  it('a switch in the middle of a message does not cut it', () => {
    const greeting = start({ messageId: 'g', agentId: 'b', agentName: 'Ben', parts: [{ type: 'text', text: 'Ben here.' }] as never[] })
    const events: [string, StreamEvent][] = [
      ['12.0', start()],
      ['12.345', text('One ')],
      ['13.345', switched(6)],
      ['14.345', greeting],
      ['15.345', { type: 'message_complete', agentId: 'b', messageId: 'g', status: 'complete', timestamp: '' }],
      ['15.360', text('two.')],
    ]
    const state = foldAll({ ...EMPTY, active }, events.map(([cursor, event]) => heard(cursor, event)))
    expect(state.messages.map(({ content, status }) => [content, status])).toEqual([['One two.', 'streaming'], ['Ben here.', 'complete']])
    expect(state.active).toMatchObject({ agentId: 'b', pinned: true })
    expect(state.switches).toEqual([{ after: 'm', from: 'a', to: 'b', toName: 'Ben', by: 'user', pinned: true, epoch: 6, fromName: 'Ada' }])
    expect(state.cursor).toBe('15.360')
  })
})

describe('cursors', () => {
  it.each([
    ['9.5', '10.0', true],
    ['10.9', '10.10', true],
    ['10.10', '10.9', false],
    ['10.0', '9.99', false],
    ['10.0', '10.0', false],
  ])('after %s, %s is new: %s', (have, cursor, isNew) => {
    const state = { ...EMPTY, cursor: have }
    expect(fold(state, heard(cursor, start())) !== state).toBe(isNew)
  })
})

describe('what an event does not touch stays the same object', () => {
  it('messages and parts', () => {
    const before = tell([start({ messageId: 'old' }), text('Hi', true, 'old'), start(), thought('hm', true), text('a')])
    const after = fold(before, heard('99.0', text('b')))
    expect(after.messages[0]).toBe(before.messages[0])
    expect(after.messages[1]).not.toBe(before.messages[1])
    expect(after.messages[1]?.parts[0]).toBe(before.messages[1]?.parts[0])
  })

  it('nothing, when the event is a duplicate', () => {
    const before = tell([start(), text('a')])
    expect(fold(before, heard('2.0', text('a')))).toBe(before)
  })
})

/** Names, faces and times of a person's message are told differently; what a message cost is only stored. */
function comparable(messages: AgentMessage[]) {
  return messages.map(({ id, role, content, parts, status, agentId, attempt, attachments, error }) => ({
    id, role, content, parts, status, attempt, attachments, error, agentId: role === 'user' ? '' : agentId,
  }))
}

describe.each(recorded)('a conversation as it was told: $name', ({ first, events, snapshots }: Story) => {
  const told = events.map(({ cursor, event }) => heard(cursor, event))
  const begin = fromStored(first)
  const whole = foldAll(begin, told)

  it('folds to what is stored', () => {
    expect(snapshots.length).toBeGreaterThan(0)
    for (const { after, detail } of snapshots) {
      const folded = foldAll(begin, told.slice(0, after))
      const stored = fromStored(detail)
      expect(comparable(folded.messages)).toEqual(comparable(stored.messages))
      expect(folded).toMatchObject({ cursor: stored.cursor, turn: stored.turn })
      expect(folded.active).toMatchObject({ agentId: stored.active?.agentId, agentName: stored.active?.agentName, epoch: stored.active?.epoch })
    }
  })

  it('gives the same from every cut, with what was heard twice', () => {
    for (let cut = 0; cut <= told.length; cut++) {
      const prefix = foldAll(begin, told.slice(0, cut))
      const overlap = Math.max(0, cut - 4)
      expect(foldAll(prefix, told.slice(overlap)), `cut at ${cut}`).toEqual(whole)
    }
  })

  it('gives the same from what is stored on', () => {
    for (const { detail } of snapshots) {
      expect(comparable(foldAll(fromStored(detail), told).messages)).toEqual(comparable(whole.messages))
    }
  })
})
