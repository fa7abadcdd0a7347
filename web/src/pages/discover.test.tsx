import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keys } from '@/api/query-client'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, models } from '@/testing/build-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { agent, hiredAgent, noStats, options, session } from '@/testing/samples'

function stubDiscover(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [agent()], total: 1 }),
    'GET /api/agents/stats': reply(noStats),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/departments': reply({ departments: [{ id: 'department-1', name: 'Finance', slug: 'finance', icon: null }] }),
    ...handlers,
  })
}

test('hiring asks first, then leads straight to the chat', async () => {
  const tools = ['memory', 'handoff_to_sdr'].map((name) => ({
    ...{ id: name, toolName: null, name, description: null, icon: null, server: null, available: false, unavailableBecause: 'not_yet' as const },
    ...(name === 'memory' && { name: 'Memory', toolName: 'manageMemory', available: true }),
  }))
  const coach = agent({ initial_prompt: 'Hello, I plan budgets.', toolDetails: tools })
  const listed: Partial<typeof coach> = { ...coach }
  delete listed.system_prompt
  const api = stubDiscover({
    'GET /api/agents': reply({ agents: [listed], total: 1 }),
    'GET /api/agents/agent-1': reply(agentDetail({ agent: coach, localAgent: null, isHired: false })),
    'GET /api/models': reply(models),
  })
  const { user } = renderApp('/agents/discover')
  await user.click(await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' }))
  const dialog = screen.getByRole('dialog', { name: 'Hire Budget Coach?' })
  expect(dialog.textContent).toContain('Plans a budget with you.')
  expect(api.asked.filter(({ what }) => what === 'GET /api/agents').every(({ search }) => search.get('prompts') === 'false')).toBe(true)
  expect(await within(dialog).findByText('balanced (demo model)')).toBeTruthy()
  await within(dialog).findAllByText('Help with money.')
  expect(dialog.textContent).toContain('This agent can help with:Help with money.')
  expect(within(dialog).getByText('Free')).toBeTruthy()
  expect(within(dialog).getByRole('list', { name: 'Tools' }).textContent).toBe('MemoryHandoff to sdr (not available)')
  // All of what it is told stays folded until somebody asks.
  const [preview, instructions] = within(dialog).getAllByText('Help with money.')
  expect([preview?.closest('details'), instructions?.closest('details')?.open]).toEqual([null, false])

  api.on('POST /api/agents/agent-1/hire', reply({ id: 'local-9', name: 'Budget Coach' }, 201))
  await user.click(within(dialog).getByRole('button', { name: 'Hire Agent' }))
  expect(await screen.findByText('Budget Coach is hired.')).toBeTruthy()
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/local-9')
  })
  expect(api.bodiesOf('POST /api/agents/agent-1/hire')).toEqual([{ workspaceId: 'workspace-1' }])
})

test('the hired agent’s chat opens though the list of those who work here is from before', async () => {
  const someone = hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'SDR' })
  const api = stubDiscover({
    'GET /api/agents': (request) => {
      const agents = new URL(request.url).searchParams.has('hired_only') ? [someone] : [agent(), someone]
      return Response.json({ agents, total: agents.length })
    },
    'POST /api/agents/agent-1/hire': reply({ id: 'local-9', name: 'Budget Coach' }, 201),
  })
  const { user } = renderApp('/agents/local-2')
  await screen.findByRole('textbox', { name: 'Message SDR' })
  await user.click(screen.getByRole('link', { name: 'Discover' }))
  await user.click(await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' }))
  api.on('GET /api/agents', () => new Promise(() => undefined))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Hire Agent' }))
  expect(await screen.findByRole('textbox', { name: 'Message Budget Coach' })).toBeTruthy()
})

test('an agent that an old list doesn’t know is looked for before it is said not to work here', async () => {
  const api = stubDiscover({ 'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }) })
  const { queryClient } = renderApp('/agents/local-1')
  await screen.findByRole('textbox', { name: 'Message Budget Coach' })
  let answer: (response: Response) => void = () => undefined
  api.on('GET /api/agents', () => new Promise((resolve) => (answer = resolve)))
  act(() => {
    void queryClient.invalidateQueries({ queryKey: keys.agents('workspace-1') })
    window.history.pushState(null, '', '/agents/local-5')
  })
  expect(await screen.findByText('Loading conversation')).toBeTruthy()
  await act(async () => {
    answer(Response.json({ agents: [hiredAgent({ localAgentId: 'local-5', name: 'Newcomer' })], total: 1 }))
    await Promise.resolve()
  })
  expect(await screen.findByRole('textbox', { name: 'Message Newcomer' })).toBeTruthy()
})

test('a refusal says why and leaves the agent for hire', async () => {
  stubDiscover({ 'POST /api/agents/agent-1/hire': refuse(403, 'forbidden', 'Only admins may hire.') })
  const { user } = renderApp('/agents/discover')
  await user.click(await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Hire Agent' }))
  expect(await screen.findByText('Only admins may hire.')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(currentPath()).toBe('/agents/discover')
})

test('cancelling hires nobody and gives the focus back', async () => {
  const api = stubDiscover()
  const { user } = renderApp('/agents/discover')
  const button = await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' })
  await user.click(button)
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(button)
  expect(api.asked.some(({ what }) => what.startsWith('POST'))).toBe(false)
})

test('a hired agent is met, not hired again', async () => {
  stubDiscover({ 'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }) })
  renderApp('/agents/discover')
  const meet = await screen.findByRole('link', { name: /Meet Agent\s+Budget Coach/ })
  expect(meet.getAttribute('href')).toBe('/agents/local-1')
  expect(screen.queryByRole('button', { name: /Hire Agent/ })).toBeNull()
})

test('the server is asked once the typing stops', async () => {
  const api = stubDiscover()
  const { user } = renderApp('/agents/discover')
  await screen.findByRole('article')
  api.on('GET /api/agents', reply({ agents: [], total: 0 }))
  await user.type(screen.getByRole('searchbox'), 'tax')
  expect(await screen.findByText('No agents match “tax”')).toBeTruthy()
  const searches = api.asked.filter(({ what }) => what === 'GET /api/agents').map(({ search }) => search.get('search'))
  expect(searches.filter((search) => search !== null)).toEqual(['tax'])
})

test('a department narrows the list, and can be given up', async () => {
  const api = stubDiscover()
  const { user } = renderApp('/agents/discover')
  const finance = await screen.findByRole('button', { name: 'Finance' })
  expect(screen.getByRole('link', { name: /Hire a team/ }).getAttribute('href')).toBe('/agents/teams')
  api.on('GET /api/agents', reply({ agents: [], total: 0 }))
  await user.click(finance)
  expect(await screen.findByText('No agents in this department')).toBeTruthy()
  expect(api.asked.at(-1)?.search.get('department_id')).toBe('department-1')
  expect(finance.getAttribute('aria-pressed')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Show all agents' }))
  expect(await screen.findByRole('article', { name: 'Budget Coach' })).toBeTruthy()
})

test('more agents come when asked for, from where the list ended', async () => {
  const first = Array.from({ length: 48 }, (_, index) => agent({ id: `agent-${index}`, name: `Agent ${index}` }))
  const page = { agents: first, total: 49 }
  const rest = { agents: [agent({ id: 'last', name: 'The last one' })], total: 49 }
  stubDiscover({
    'GET /api/agents': (request) => Response.json(new URL(request.url).searchParams.get('offset') === '48' ? rest : page),
  })
  const { user } = renderApp('/agents/discover')
  const more = await screen.findByRole('button', { name: 'Show more' })
  expect(screen.getByText('49 agents, hired ones included')).toBeTruthy()
  await user.click(more)
  expect(await screen.findByRole('article', { name: 'The last one' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('a failure can be tried again', async () => {
  const api = stubDiscover({ 'GET /api/agents': refuse(403, 'forbidden', 'You are not in this workspace.') })
  const { user } = renderApp('/agents/discover')
  expect((await screen.findByRole('alert')).textContent).toContain('You are not in this workspace.')
  api.on('GET /api/agents', reply({ agents: [agent()], total: 1 }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('article', { name: 'Budget Coach' })).toBeTruthy()
})
