import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, noStats, options, session } from '@/testing/samples'

function stubMyAgents(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/me': reply(session),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/agents/stats': reply(noStats),
    ...handlers,
  })
}

test('only hired agents are asked for, with their own numbers', async () => {
  const numbers = { conversations: 3, completedTasks: 4, schedules: 5 }
  const agents = [
    { agentId: 'another', conversations: 9, completedTasks: 9, schedules: 9 },
    { agentId: 'local-1', ...numbers },
  ]
  const api = stubMyAgents({ 'GET /api/agents/stats': reply({ ...noStats, agents }) })
  renderApp('/agents/hired')
  expect(await screen.findByText('3 conversations')).toBeTruthy()
  expect(screen.getByText('4 tasks completed')).toBeTruthy()
  expect(screen.getByText('5 scheduled')).toBeTruthy()
  const query = api.asked.find(({ what }) => what === 'GET /api/agents')?.search
  expect(query?.get('hired_only')).toBe('true')
  expect(query?.get('workspaceId')).toBe('workspace-1')
})

test('unhiring asks first, and the empty page shows the way on', async () => {
  const api = stubMyAgents({ 'DELETE /api/agents/agent-1/unhire': reply({ success: true }) })
  const { user } = renderApp('/agents/hired')
  await user.click(await screen.findByRole('button', { name: 'More about Budget Coach' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Unhire…' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Unhire Budget Coach?' })
  expect(api.asked.some(({ what }) => what.startsWith('DELETE'))).toBe(false)

  api.on('GET /api/agents', reply({ agents: [], total: 0 }))
  await user.click(within(dialog).getByRole('button', { name: 'Unhire' }))
  expect(await screen.findByText('No agents hired yet')).toBeTruthy()
  expect(screen.getByText('Budget Coach no longer works in Engines.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Browse Agents' }).getAttribute('href')).toBe('/agents/discover')
})

test('a person without a workspace learns how to get into one', async () => {
  stubMyAgents({ 'GET /api/auth/me': reply({ ...session, workspaces: [] }) })
  renderApp('/agents/hired')
  expect(await screen.findByRole('heading', { name: 'You are not in a workspace' })).toBeTruthy()
})

test('an agent one may not change offers nothing to change', async () => {
  stubMyAgents({ 'GET /api/agents': reply({ agents: [hiredAgent({ canChange: false })], total: 1 }) })
  renderApp('/agents/hired')
  expect(await screen.findByText('Budget Coach')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'More about Budget Coach' })).toBeNull()
})

test('an agent that a colleague let go first is gone all the same', async () => {
  const api = stubMyAgents({
    'DELETE /api/agents/agent-1/unhire': reply({ error: 'There is no such agent.', code: 'not_found' }, 404),
  })
  const { user } = renderApp('/agents/hired')
  await user.click(await screen.findByRole('button', { name: 'More about Budget Coach' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Unhire…' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Unhire Budget Coach?' })
  api.on('GET /api/agents', reply({ agents: [], total: 0 }))
  await user.click(within(dialog).getByRole('button', { name: 'Unhire' }))
  expect(await screen.findByText('No agents hired yet')).toBeTruthy()
})
