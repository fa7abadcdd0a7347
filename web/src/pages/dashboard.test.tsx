import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { agent, approval, hiredAgent, noStats, options, session } from '@/testing/samples'

const memory = { id: 'memory', toolName: 'manageMemory', name: 'Memory', description: null, icon: null, server: null, available: true, unavailableBecause: null }
const usage = {
  whose: 'workspace',
  time_zone: 'UTC',
  days: [
    { date: '2026-11-14', input_tokens: 0, output_tokens: 0, cost_usd: 0, calls: 0, unpriced_calls: 0 },
    { date: '2026-11-15', input_tokens: 900, output_tokens: 100, cost_usd: 0.5, calls: 2, unpriced_calls: 1 },
  ],
  total: { input_tokens: 900, output_tokens: 100, cost_usd: 0.5, calls: 2, unpriced_calls: 1 },
}

function stubDashboard(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent({ toolDetails: [memory] }), agent({ id: 'agent-2' })], total: 2 }),
    'GET /api/agents/stats': reply({ ...noStats, hiredAgents: 3, pendingApprovals: 1, completedTasks: 47, activeSchedules: 12 }),
    'GET /api/approvals': reply({ approvals: [approval()] }),
    'GET /api/agents/usage': reply(usage),
    'GET /api/analytics/pins': reply({ pins: [] }),
    ...handlers,
  })
}

test('four numbers, and links only to pages that exist', async () => {
  stubDashboard()
  renderApp('/agents')
  expect(await screen.findByRole('heading', { name: 'Agents', level: 1 })).toBeTruthy()
  expect(screen.getByText('Your AI agents and their activity')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Discover Agents' }).getAttribute('href')).toBe('/agents/discover')
  await screen.findByText('47')
  const cards = within(screen.getByRole('list', { name: 'In numbers' })).getAllByRole('listitem')
  await waitFor(() => {
    expect(cards.map((card) => card.textContent)).toEqual(['Hired Agents3', 'Pending Approvals1', 'Completed Tasks47', 'Active Schedules12'])
  })
  expect(cards.map((card) => card.querySelector('a')?.getAttribute('href'))).toEqual([
    '/agents/hired',
    '/agents/activity/pending',
    undefined,
    undefined,
  ])
  expect(within(cards[1] ?? document.body).getByRole('img', { name: 'needs your attention' })).toBeTruthy()
})

test('an approval says who wants what, and goes when it is decided', async () => {
  const api = stubDashboard({ 'POST /api/approvals/approval-1/approve': reply(approval({ status: 'approved' })) })
  const { user } = renderApp('/agents')
  const approve = await screen.findByRole('button', { name: 'Approve: Budget Coach wants to use Memory' })
  expect(screen.getByText('action: save · content: Tea at four')).toBeTruthy()
  expect(screen.queryByRole('checkbox', { name: /^Always allow/ })).toBeNull()
  expect(screen.getByRole('link', { name: /Open conversation/ }).getAttribute('href')).toBe('/agents/local-1?conversation=conversation-1')
  api.on('GET /api/approvals', reply({ approvals: [] }))
  await user.click(approve)
  await waitFor(() => {
    expect(screen.queryByRole('button', { name: /Approve:/ })).toBeNull()
  })
  expect(screen.queryByRole('img', { name: 'needs your attention' })).toBeNull()
  expect(api.bodiesOf('POST /api/approvals/approval-1/approve')).toHaveLength(1)
})

test('a decision that is refused comes back', async () => {
  stubDashboard({ 'POST /api/approvals/approval-1/reject': refuse(403, 'forbidden', 'This is not yours to decide.') })
  const { user } = renderApp('/agents')
  await user.click(await screen.findByRole('button', { name: /Reject:/ }))
  await user.click(screen.getByRole('button', { name: 'Reject' }))
  expect(await screen.findByText('This is not yours to decide.')).toBeTruthy()
  expect(await screen.findByRole('button', { name: /Reject:/ })).toBeTruthy()
})

test('my agents stand in a row that ends with the way to more', async () => {
  stubDashboard()
  renderApp('/agents')
  const row = await screen.findByRole('list', { name: 'My agents' })
  expect(within(row).getAllByRole('article')).toHaveLength(1)
  expect(within(row).getByRole('link', { name: /Meet Agent/ }).getAttribute('href')).toBe('/agents/local-1')
  expect(within(row).getByRole('link', { name: 'Discover More' }).getAttribute('href')).toBe('/agents/discover')
  expect(screen.getByRole('link', { name: /View all my agents/ }).getAttribute('href')).toBe('/agents/hired')
})

test('tokens and cost are drawn, and told to readers', async () => {
  stubDashboard()
  renderApp('/agents')
  const table = await screen.findByRole('table', { name: 'Tokens and cost by day' })
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map((row) => row.textContent)).toEqual(['Nov 15900100$0.502'])
})

test('a workspace that used nothing says so', async () => {
  stubDashboard({ 'GET /api/agents/usage': reply({ ...usage, days: [], total: { ...usage.total, calls: 0 } }) })
  renderApp('/agents')
  const section = within(await screen.findByRole('region', { name: 'Tokens and cost' }))
  expect(await section.findByText('No agent has used a model in these days.')).toBeTruthy()
})

test.each([
  ['Pending Approvals', 'GET /api/approvals', reply({ approvals: [approval()] }), 'Loading pending approvals', 'The approvals could not be loaded', /wants to use/],
  ['Tokens and cost', 'GET /api/agents/usage', reply(usage), 'Loading tokens and cost', 'Tokens and cost could not be loaded', /in all/],
])('%s has its place while it loads and when it fails, and is tried again', async (name, what, handler, loading, failure, shown) => {
  const fail: (() => void)[] = []
  const api = stubDashboard({
    [what]: () => new Promise((resolve) => fail.push(() => {
      resolve(Response.json({ code: 'forbidden', error: 'Not now.' }, { status: 403 }))
    })),
  })
  const { user } = renderApp('/agents')
  const place = await screen.findByRole('region', { name })
  expect(within(place).getByText(loading)).toBeTruthy()
  await waitFor(() => {
    expect(fail).not.toHaveLength(0)
  })
  fail.forEach((one) => {
    one()
  })
  expect((await within(place).findByRole('alert')).textContent).toBe(`${failure}Not now.`)

  api.on(what, handler)
  await user.click(within(place).getByRole('button', { name: 'Try again' }))
  expect(await within(place).findByText(shown)).toBeTruthy()
  await waitFor(() => {
    expect(document.activeElement).toBe(within(place).getByRole('heading', { name }))
  })
})

test('a fresh workspace is led to its first agent', async () => {
  stubDashboard({
    'GET /api/agents': reply({ agents: [agent()], total: 1 }),
    'GET /api/agents/stats': reply(noStats),
    'GET /api/approvals': reply({ approvals: [] }),
  })
  renderApp('/agents')
  expect(await screen.findByText('No agents hired yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Browse Agents' })).toBeTruthy()
  expect(await screen.findByText('Nothing waits for your decision.')).toBeTruthy()
  expect(screen.queryByRole('img', { name: 'needs your attention' })).toBeNull()
})
