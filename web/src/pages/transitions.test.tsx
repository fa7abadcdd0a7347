import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { options, session } from '@/testing/samples'

const totals = {
  attempts: 4,
  completed: 3,
  success_rate: 0.75,
  average_latency_ms: 120,
  tokens_full: 4000,
  tokens_sent: 1000,
  tokens_saved: 3000,
}
const pair = { ...totals, from_agent_id: 'a', from_name: 'Lead', to_agent_id: 'b', to_name: 'Translator' }
const attempt = {
  id: 'transition-1',
  trigger: 'model',
  from_agent_id: 'a',
  from_name: 'Lead',
  to_agent_id: 'b',
  to_name: 'Translator',
  outcome: 'completed',
  code: null,
  latency_ms: 12,
  tokens_full: 400,
  tokens_sent: 100,
  created_at: '2026-01-01T00:00:00Z',
  conversation_id: 'conversation-1',
  reason: 'German is asked for',
}
const refused = { ...attempt, id: 'transition-2', outcome: 'refused', code: 'loop', conversation_id: null, reason: null, to_name: null }

function stubTransitions(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [], total: 0 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/agents/transitions': reply({ totals, pairs: [pair], transitions: [attempt, refused] }),
    ...handlers,
  })
}

test('pairs with their success, and attempts with what became of them', async () => {
  stubTransitions()
  renderApp('/agents/transitions')
  const pairs = await screen.findByRole('table', { name: 'Handoffs by pair of agents' })
  const cells = within(pairs).getAllByRole('cell').map((cell) => cell.textContent)
  expect(cells).toEqual(['LeadTranslator', '4', '75%', '3K 75%', '120 ms'])

  const [, first, second] = within(screen.getByRole('table', { name: 'Recent handoffs' })).getAllByRole('row')
  expect(first?.textContent).toContain('CompletedHanded off by the agent“German is asked for”300 75%12 ms')
  expect(within(first ?? document.body).getByRole('link').getAttribute('href')).toBe('/agents/a?conversation=conversation-1')
  expect(second?.textContent).toContain('No such agentRefusedThe agents had handed off back and forth already')
  expect(within(second ?? document.body).queryByRole('link')).toBeNull()
})

test('another period is another question', async () => {
  const api = stubTransitions()
  const { user } = renderApp('/agents/transitions')
  const empty = { totals: { ...totals, attempts: 0, success_rate: null }, pairs: [], transitions: [] }
  const week = await screen.findByRole('button', { name: 'Last 7 days' })
  api.on('GET /api/agents/transitions', reply(empty))
  await user.click(week)
  expect(await screen.findByText('No handoffs in the last 7 days')).toBeTruthy()
  expect(api.asked.at(-1)?.search.get('days')).toBe('7')
})

test('a failure can be tried again', async () => {
  const api = stubTransitions({ 'GET /api/agents/transitions': refuse(403, 'forbidden', 'Not your workspace.') })
  const { user } = renderApp('/agents/transitions')
  expect((await screen.findByRole('alert')).textContent).toContain('Not your workspace.')
  api.on('GET /api/agents/transitions', reply({ totals, pairs: [pair], transitions: [] }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('table', { name: 'Handoffs by pair of agents' })).toBeTruthy()
})
