// What a browser lays out can't be seen here; that names may be broken anywhere, and clamped texts aren't stretched, can.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { reply, stubApi } from '@/testing/api'
import { agentDetail, localAgent } from '@/testing/build-samples'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

const LONG = 'Supercalifragilistic'.repeat(5)

const team = {
  id: 'team-1',
  workspace_id: 'workspace-1',
  name: LONG,
  slug: 'long',
  description: 'It sorts what comes in. '.repeat(20),
  kind: 'swarm',
  members: [],
  config: {},
  starters: [],
  pack: null,
  created_by: 'profile-1',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

function stubLong() {
  stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent({ name: LONG })], total: 1 }),
    'GET /api/agents/local-1': reply(agentDetail({ localAgent: localAgent({ name: LONG }) })),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/teams': reply({ teams: [team] }),
    'GET /api/teams/team-1': reply(team),
    'GET /api/packs': reply({ packs: [] }),
  })
}

test.each(['/agents/local-1/settings', '/agents/teams/team-1/edit'])('the heading of %s wraps', async (path) => {
  stubLong()
  renderApp(path)
  const heading = await screen.findByRole('heading', { level: 1, name: new RegExp(LONG) })
  expect(heading.className).toContain('wrap-anywhere')
})

test('a team’s description is clamped and not stretched, however tall its neighbours are', async () => {
  stubLong()
  renderApp('/agents/teams')
  const description = await screen.findByText(/It sorts what comes in/)
  expect(description.className).toContain('line-clamp-3')
  expect(description.className.split(' ')).not.toContain('grow')
})
