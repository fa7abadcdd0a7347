import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { currentPath, renderApp } from '@/testing/render-app'
import { agent, hiredAgent, noStats, options, session } from '@/testing/samples'

function stubMyAgents(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent(), agent({ id: 'agent-2', name: 'Sales Agent' })], total: 2 }),
    'GET /api/agents/stats': reply(noStats),
    'GET /api/approvals': reply({ approvals: [] }),
    ...handlers,
  })
}

async function unhireCoach() {
  const { user } = renderApp('/agents/hired')
  await user.click(await screen.findByRole('button', { name: 'More about Budget Coach' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Unhire…' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Unhire Budget Coach?' })
  return { user, unhire: within(dialog).getByRole('button', { name: 'Unhire' }) }
}

test('only hired agents are shown, with their own numbers', async () => {
  const numbers = { conversations: 3, completedTasks: 4, schedules: 5 }
  const agents = [
    { agentId: 'another', conversations: 9, completedTasks: 9, schedules: 9 },
    { agentId: 'local-1', ...numbers },
  ]
  stubMyAgents({ 'GET /api/agents/stats': reply({ ...noStats, agents }) })
  renderApp('/agents/hired')
  expect(await screen.findByText('3 conversations')).toBeTruthy()
  expect(screen.getByText('4 tasks completed')).toBeTruthy()
  expect(screen.getByText('5 scheduled')).toBeTruthy()
  expect(screen.queryByText('Sales Agent')).toBeNull()
  expect(screen.getByRole('link', { name: 'Discover More' }).getAttribute('href')).toBe('/agents/discover')
  expect(screen.getByRole('link', { name: 'Create an agent' }).getAttribute('href')).toBe('/agents/new')
})

test('unhiring asks first, is seen at once, and the empty page shows the way on', async () => {
  const api = stubMyAgents({ 'DELETE /api/agents/local-1/unhire': reply({ success: true }) })
  const { user, unhire } = await unhireCoach()
  expect(api.asked.some(({ what }) => what.startsWith('DELETE'))).toBe(false)
  api.on('GET /api/agents', reply({ agents: [agent()], total: 1 }))
  await user.click(unhire)
  expect(await screen.findByText('No agents hired yet')).toBeTruthy()
  expect(screen.getByText('Discover and hire AI agents to help automate your work')).toBeTruthy()
  expect(await screen.findByText('Budget Coach no longer works in Engines.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Browse Agents' }).getAttribute('href')).toBe('/agents/discover')
})

test('a refused unhire brings the agent back', async () => {
  stubMyAgents({ 'DELETE /api/agents/local-1/unhire': refuse(403, 'forbidden', 'Only admins may let it go.') })
  const { user, unhire } = await unhireCoach()
  await user.click(unhire)
  expect(await screen.findByText('Only admins may let it go.')).toBeTruthy()
  expect(await screen.findByRole('article', { name: 'Budget Coach' })).toBeTruthy()
})

test('settings are one menu away', async () => {
  stubMyAgents()
  const { user } = renderApp('/agents/hired')
  await user.click(await screen.findByRole('button', { name: 'More about Budget Coach' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Settings' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/local-1/settings')
  })
})

test.each([
  [1, 1, false],
  [2, 1, true],
  [null, null, false],
  [null, 1, false],
])('published %s, hired from %s: an update is offered: %s', async (published_version, hired_version, offered) => {
  stubMyAgents({ 'GET /api/agents': reply({ agents: [hiredAgent({ published_version, hired_version })], total: 1 }) })
  renderApp('/agents/hired')
  await screen.findByRole('article', { name: 'Budget Coach' })
  expect(screen.queryByText('Update available') !== null).toBe(offered)
})

test('a person without a workspace learns how to get into one', async () => {
  stubMyAgents({ 'GET /api/auth/session': reply({ session: { ...session, workspaces: [] } }) })
  renderApp('/agents/hired')
  expect(await screen.findByRole('heading', { name: 'You are not in a workspace' })).toBeTruthy()
})

test('an agent one may not change offers nothing to change', async () => {
  stubMyAgents({ 'GET /api/agents': reply({ agents: [hiredAgent({ canChange: false })], total: 1 }) })
  renderApp('/agents/hired')
  expect(await screen.findByRole('article', { name: 'Budget Coach' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'More about Budget Coach' })).toBeNull()
})
