import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { agent, hiredAgent, noStats, options, session } from '@/testing/samples'

function stubDiscover(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/me': reply(session),
    'GET /api/agents': reply({ agents: [agent()], total: 1 }),
    'GET /api/agents/stats': reply(noStats),
    ...handlers,
  })
}

test('hiring asks first, then shows the agent as hired and says so', async () => {
  const api = stubDiscover()
  const { user } = renderApp('/agents/discover')
  await user.click(await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' }))
  const dialog = screen.getByRole('dialog', { name: 'Hire Budget Coach?' })
  expect(dialog.textContent).toContain('Help with money.')

  api.on('POST /api/agents/agent-1/hire', reply({}, 201))
  api.on('GET /api/agents', reply({ agents: [hiredAgent()], total: 1 }))
  await user.click(within(dialog).getByRole('button', { name: 'Hire Agent' }))
  expect(await screen.findByText('Budget Coach is hired.')).toBeTruthy()
  expect(api.bodiesOf('POST /api/agents/agent-1/hire')).toEqual([{ workspaceId: 'workspace-1' }])
  expect(await screen.findByText('0 conversations')).toBeTruthy()
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('a refusal stays in the dialog', async () => {
  stubDiscover({ 'POST /api/agents/agent-1/hire': refuse(403, 'forbidden', 'Only admins may hire.') })
  const { user } = renderApp('/agents/discover')
  await user.click(await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' }))
  const dialog = screen.getByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Hire Agent' }))
  expect((await within(dialog).findByRole('alert')).textContent).toBe('Only admins may hire.')
})

test('the server is asked once the typing stops', async () => {
  const api = stubDiscover()
  const { user } = renderApp('/agents/discover')
  await screen.findByRole('article')
  api.on('GET /api/agents', reply({ agents: [], total: 0 }))
  await user.type(screen.getByRole('searchbox'), 'tax')
  expect(await screen.findByText('No agents match “tax”')).toBeTruthy()
  const searches = api.asked.filter(({ what }) => what === 'GET /api/agents').map(({ search }) => search.get('search'))
  expect(searches).toEqual([null, 'tax'])
})

test('more agents come when asked for, from where the list ended', async () => {
  const first = Array.from({ length: 48 }, (_, index) => agent({ id: `agent-${index}`, name: `Agent ${index}` }))
  const api = stubDiscover({ 'GET /api/agents': reply({ agents: first, total: 49 }) })
  const { user } = renderApp('/agents/discover')
  const more = await screen.findByRole('button', { name: 'Show more' })
  expect(screen.getByText('49 agents')).toBeTruthy()

  api.on('GET /api/agents', reply({ agents: [agent({ id: 'last', name: 'The last one' })], total: 49 }))
  await user.click(more)
  expect(await screen.findByRole('article', { name: 'The last one' })).toBeTruthy()
  expect(api.asked.at(-1)?.search.get('offset')).toBe('48')
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
