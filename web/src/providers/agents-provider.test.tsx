import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { SessionContext } from '@/hooks/use-session'
import { currentToasts, dismissToast } from '@/lib/toasts'
import { refuse, reply, stubApi } from '@/testing/api'
import { agent, approval, hiredAgent, session } from '@/testing/samples'
import { type AgentsContextType, AgentsProvider, useAgents } from './agents-provider'

const coach = hiredAgent()
const seller = agent({ id: 'agent-2', name: 'Sales Agent', slug: 'sales-agent' })
const talk = { id: 'conversation-1', agent_id: 'local-1', title: 'Tea' }

function open(handlers: Parameters<typeof stubApi>[0] = {}) {
  const api = stubApi({
    'GET /api/agents': reply({ agents: [coach, seller], total: 2 }),
    'GET /api/approvals': reply({ approvals: [approval()] }),
    ...handlers,
  })
  const queryClient = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <SessionContext value={session}>
        <AgentsProvider>{children}</AgentsProvider>
      </SessionContext>
    </QueryClientProvider>
  )
  return { api, ...renderHook(useAgents, { wrapper }) }
}

async function loaded(handlers?: Parameters<typeof open>[0]) {
  const opened = open(handlers)
  await waitFor(() => {
    expect(opened.result.current.isLoading).toBe(false)
    expect(opened.result.current.pendingCount).toBe(1)
  })
  return opened
}

afterEach(() => {
  currentToasts().forEach(({ id }) => {
    dismissToast(id)
  })
})

test('agents and pending approvals are fetched on mount, for the workspace', async () => {
  const { api, result } = open()
  expect(result.current).toMatchObject({ agents: [], isLoading: true, workspaceId: 'workspace-1' })
  await waitFor(() => {
    expect(result.current.isLoading).toBe(false)
  })
  const asked = api.asked.map(({ what, search }) => `${what} ${search.get('workspaceId') ?? ''} ${search.get('status') ?? ''}`)
  expect(asked.sort()).toEqual(['GET /api/agents workspace-1 ', 'GET /api/approvals workspace-1 pending'])
})

describe('what is there', () => {
  const cases: [string, (agents: AgentsContextType) => unknown, unknown][] = [
    ['agents', ({ agents }) => agents.map(({ id }) => id), ['agent-1', 'agent-2']],
    ['myAgents', ({ myAgents }) => myAgents.map(({ id }) => id), ['agent-1']],
    ['pendingCount', ({ pendingCount }) => pendingCount, 1],
    ['getAgentById', ({ getAgentById }) => getAgentById('agent-2')?.name, 'Sales Agent'],
    ['getAgentById of nothing', ({ getAgentById }) => getAgentById('local-1'), undefined],
    ['getLocalAgentById', ({ getLocalAgentById }) => getLocalAgentById('local-1')?.name, 'Budget Coach'],
    ['getConversationById of nothing', ({ getConversationById }) => getConversationById('x'), undefined],
    ['currentAgent', ({ currentAgent }) => currentAgent, null],
    ['conversations', ({ conversations }) => conversations, []],
    ['currentConversation', ({ currentConversation }) => currentConversation, null],
    ['executions', ({ executions }) => executions, []],
    ['pendingApprovals', ({ pendingApprovals }) => pendingApprovals, []],
    ['schedules', ({ schedules }) => schedules, []],
    ['isLoadingAgent', ({ isLoadingAgent }) => isLoadingAgent, false],
    ['isLoadingActivity', ({ isLoadingActivity }) => isLoadingActivity, false],
    ['isLoadingSchedules', ({ isLoadingSchedules }) => isLoadingSchedules, false],
    ['showHireAgent', ({ showHireAgent }) => showHireAgent, false],
    ['selectedAgentForHire', ({ selectedAgentForHire }) => selectedAgentForHire, null],
  ]
  test.each(cases)('%s', async (_, read, expected) => {
    const { result } = await loaded()
    expect(read(result.current)).toEqual(expected)
  })
})

describe('what can be done', () => {
  const cases: [string, (agents: AgentsContextType) => Promise<unknown>, string, string, unknown][] = [
    ['fetchAgents', (a) => a.fetchAgents({ search: 'tax', hired_only: true }), 'GET /api/agents', 'search=tax&hired_only=true', undefined],
    ['refreshAgents', (a) => a.refreshAgents(), 'GET /api/agents', '', undefined],
    ['fetchAgent', (a) => a.fetchAgent('local-1'), 'GET /api/agents/local-1', '', coach],
    ['fetchAgent of nothing', (a) => a.fetchAgent('gone'), 'GET /api/agents/gone', '', null],
    ['fetchConversations', (a) => a.fetchConversations('local-1'), 'GET /api/agent-conversations', 'agentId=local-1', undefined],
    ['createConversation', (a) => a.createConversation('local-1', 'Tea'), 'POST /api/agent-conversations', '', talk],
    ['fetchPendingApprovals', (a) => a.fetchPendingApprovals(), 'GET /api/approvals', 'status=pending', undefined],
  ]
  test.each(cases)('%s asks the server', async (_, run, what, query, expected) => {
    const { api, result } = await loaded({
      'GET /api/agents/local-1': reply({ agent: coach, localAgent: null, isHired: true }),
      'GET /api/agent-conversations': reply([talk]),
      'POST /api/agent-conversations': reply(talk, 201),
    })
    api.asked.length = 0
    const answer = await act(() => run(result.current))
    expect(answer).toEqual(expected)
    const sent = api.asked.find((request) => request.what === what)?.search
    for (const [name, value] of new URLSearchParams(query)) expect(sent?.get(name)).toBe(value)
    expect(sent).toBeDefined()
  })

  test('what was fetched is what is current', async () => {
    const { result } = await loaded({
      'GET /api/agents/local-1': reply({ agent: coach, localAgent: null, isHired: true }),
      'GET /api/agent-conversations': reply([talk]),
    })
    await act(() => result.current.fetchAgent('local-1'))
    await act(() => result.current.fetchConversations('local-1'))
    expect(result.current.currentAgent?.name).toBe('Budget Coach')
    expect(result.current.getConversationById('conversation-1')?.title).toBe('Tea')
    act(() => {
      result.current.setCurrentConversation(result.current.conversations[0] ?? null)
      result.current.setSelectedAgentForHire(seller)
      result.current.setShowHireAgent(true)
    })
    expect(result.current.currentConversation?.id).toBe('conversation-1')
    expect([result.current.selectedAgentForHire?.id, result.current.showHireAgent]).toEqual(['agent-2', true])
  })

  const later: [string, (agents: AgentsContextType) => Promise<void>][] = [
    ['fetchActivity', (a) => a.fetchActivity({ limit: 50 })],
    ['approveExecution', (a) => a.approveExecution('x')],
    ['rejectExecution', (a) => a.rejectExecution('x', 'no')],
    ['fetchSchedules', (a) => a.fetchSchedules()],
    ['toggleSchedule', (a) => a.toggleSchedule('x', true)],
  ]
  test.each(later)('%s resolves, and asks nothing until there are schedules', async (_, run) => {
    const { api, result } = await loaded()
    api.asked.length = 0
    await run(result.current)
    expect(api.asked).toEqual([])
  })
})

describe('hiring', () => {
  const local = { id: 'local-2', name: 'Sales Agent', hired_at: '2026-02-02T00:00:00Z' }

  function held() {
    let answer: (response: Response) => void = () => undefined
    const response = new Promise<Response>((resolve) => {
      answer = resolve
    })
    return { handler: () => response, answer: (body: unknown, status: number) => { answer(Response.json(body, { status })) } }
  }

  test('counts at once, and has an address when the server has answered', async () => {
    const hire = held()
    const { api, result } = await loaded({ 'POST /api/agents/agent-2/hire': hire.handler })
    let hired: Promise<unknown> = Promise.resolve()
    act(() => {
      hired = result.current.hireAgent('agent-2')
    })
    await waitFor(() => {
      expect(result.current.myAgents).toHaveLength(2)
    })
    api.on('GET /api/agents', () => new Promise(() => undefined))
    hire.answer(local, 201)
    expect(await act(() => hired)).toEqual(local)
    await waitFor(() => {
      expect(result.current.getLocalAgentById('local-2')?.hiredAt).toBe(local.hired_at)
    })
    expect(api.bodiesOf('POST /api/agents/agent-2/hire')).toEqual([{ workspaceId: 'workspace-1' }])
  })

  test('is taken back when it is refused, with the reason', async () => {
    const { api, result } = await loaded({ 'POST /api/agents/agent-2/hire': refuse(403, 'forbidden', 'Only admins may hire.') })
    api.on('GET /api/agents', () => new Promise(() => undefined))
    expect(await act(() => result.current.hireAgent('agent-2'))).toBeNull()
    await waitFor(() => {
      expect(result.current.getAgentById('agent-2')?.isHired).toBe(false)
    })
    expect(currentToasts().map(({ text, tone }) => [text, tone])).toEqual([['Only admins may hire.', 'error']])
  })

  test('what a colleague hired first is hired', async () => {
    const { result } = await loaded({
      'POST /api/agents/agent-2/hire': refuse(409, 'already_hired', 'It is hired.'),
      'GET /api/agents/agent-2': reply({ agent: seller, localAgent: local, isHired: true }),
    })
    expect(await act(() => result.current.hireAgent('agent-2'))).toEqual(local)
  })
})

describe('unhiring', () => {
  const cases: [string, number, boolean][] = [
    ['is done', 200, false],
    ['is done where a colleague was faster', 404, false],
    ['is taken back when it is refused', 403, true],
  ]
  test.each(cases)('%s (%d)', async (_, status, stays) => {
    const { api, result } = await loaded({ 'DELETE /api/agents/local-1/unhire': reply({ success: status === 200, error: 'No.' }, status) })
    api.on('GET /api/agents', () => new Promise(() => undefined))
    await act(() => result.current.unhireAgent('local-1'))
    await waitFor(() => {
      expect(result.current.getAgentById('agent-1')?.isHired).toBe(stays)
    })
  })
})
