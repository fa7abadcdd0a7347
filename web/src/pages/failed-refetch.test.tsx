// A page asks again now and then. When that fails, what a person is writing there stays.
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keys } from '@/api/query-client'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, tool, localAgent, models, team } from '@/testing/build-samples'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

function stubAll() {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: { ...session, workspaces: [{ ...session.workspaces[0], role: 'admin' }] } }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/agents/local-1': reply(agentDetail({ localAgent: localAgent() })),
    'GET /api/agents/local-1/memories': reply({ memories: [], total: 0 }),
    'GET /api/teams/team-1': reply(team()),
    'GET /api/tools': reply({ tools: [tool()], built_in: [] }),
    'GET /api/models': reply(models),
    'GET /api/departments': reply({ departments: [] }),
    'GET /api/skills': reply({ skills: [] }),
    'GET /api/rules': reply({ rules: [] }),
  })
}

test.each([
  ['an agent’s settings', '/agents/local-1/settings', 'Name', ['agents/local-1']],
  ['a tool', '/agents/tools/tool-1', 'Handoff instructions', ['tools', 'agents']],
  ['a team', '/agents/teams/team-1/edit', 'Name', ['teams/team-1', 'agents']],
  ['a chat with an agent', '/agents/local-1', 'Message Budget Coach', ['agents']],
  ['a chat with a team', '/agents/teams/team-1', /^Message /, ['teams/team-1', 'agents']],
])('%s', async (_, path, label, fails) => {
  const api = stubAll()
  const { user, queryClient } = renderApp(path)
  const box = await screen.findByRole('textbox', { name: label })
  await user.type(box, 'unsaved')
  for (const what of fails) api.on(`GET /api/${what}`, refuse(403, 'forbidden', 'Not now.'))
  await act(() => Promise.all([keys.read, keys.workspaces].map((queryKey) => queryClient.invalidateQueries({ queryKey }))))
  expect(queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'error' })).not.toHaveLength(0)
  expect(box.isConnected).toBe(true)
})
