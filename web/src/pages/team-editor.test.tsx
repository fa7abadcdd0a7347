import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { models, outreachPack, team } from '@/testing/build-samples'
import { doubleClick } from '@/testing/double-click'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'
import type { Team, TeamMember } from '@/api/types'

const coach = hiredAgent()
const sdr = hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'SDR', slug: 'sdr' })

function stage(agentId: string, agentName: string, stageName: string): TeamMember {
  return {
    agent_id: agentId,
    name: agentName,
    slug: agentName.toLowerCase(),
    avatar_url: null,
    is_active: true,
    is_restricted: false,
    is_default: false,
    priority: 0,
    stage: { name: stageName, output_schema: {}, instructions: null },
  }
}

const pipeline: Team = team({
  kind: 'pipeline',
  members: [stage('local-1', 'Budget Coach', 'facts'), stage('local-2', 'SDR', 'report')].map((member) => ({
    ...member,
    stage: { name: member.stage?.name ?? '', instructions: null, output_schema: { type: 'object' } as never },
  })),
})

function stubTeams(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [coach, sdr], total: 2 }),
    'GET /api/teams': reply({ teams: [] }),
    'GET /api/teams/team-1': reply(pipeline),
    'GET /api/packs': reply({ packs: [outreachPack] }),
    'GET /api/models': reply(models),
    ...handlers,
  })
}

test('stages are reordered by button and by key, and saved in that order', async () => {
  const api = stubTeams({ 'PATCH /api/teams/team-1': reply(pipeline) })
  const { user } = renderApp('/agents/teams/team-1/edit')
  const down = await screen.findByRole('button', { name: 'Move facts down' })
  await user.click(down)
  const names = () => screen.getAllByLabelText<HTMLInputElement>('Stage name').map(({ value }) => value)
  expect(names()).toEqual(['report', 'facts'])
  const examples = screen.getAllByLabelText<HTMLInputElement>('Stage name').map(({ placeholder }) => placeholder)
  expect(new Set(examples).size, 'examples that could stand in one pipeline').toBe(2)
  await waitFor(() => {
    expect(document.activeElement).toBe(down)
  })
  expect(screen.getByText('Budget Coach is now number 2 of 2.')).toBeTruthy()

  await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(names()).toEqual(['facts', 'report'])
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Desk is saved.')).toBeTruthy()
  const [body] = api.bodiesOf('PATCH /api/teams/team-1') as [{ members: { agentId: string; stage: unknown }[] }]
  expect(Object.keys(body), 'only what changed is sent').toEqual(['members'])
  expect(body.members.map(({ agentId }) => agentId)).toEqual(['local-2', 'local-1'])
  expect(body.members[0]?.stage).toEqual({ name: 'report', instructions: null, outputSchema: { type: 'object' } })
})

test('a field is added to a result, and a broken schema is named at once', async () => {
  const { user } = (stubTeams(), renderApp('/agents/teams/team-1/edit'))
  const first = await screen.findByRole('group', { name: 'Stage 1: Budget Coach' })
  await user.type(within(first).getByLabelText('Name of the fact'), 'goal{Enter}')
  await user.selectOptions(within(first).getByLabelText('Type'), 'Yes or no')
  await user.type(within(first).getByLabelText('Name of the fact'), 'agreed{Enter}')
  const schema = within(first).getByLabelText<HTMLTextAreaElement>('Output as JSON Schema')
  expect(JSON.parse(schema.value)).toEqual({ type: 'object', properties: { goal: { type: 'string' }, agreed: { type: 'boolean' } }, required: ['goal', 'agreed'] })
  await user.type(schema, 'x')
  expect(within(first).getByText('This is not JSON.')).toBeTruthy()
})

test('a team of two is made, with who answers first', async () => {
  const api = stubTeams({ 'POST /api/teams': reply(team({ id: 'team-2' }), 201) })
  const { user } = renderApp('/agents/teams/new')
  await user.type(await screen.findByLabelText('Name'), 'Desk')
  const add = async (name: string) => {
    await user.selectOptions(screen.getByLabelText('Add an agent'), name)
    // Looking through the list with the keys adds nobody.
    expect(screen.queryByRole('group', { name })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(screen.getByRole('group', { name })).toBeTruthy()
  }
  await add('Budget Coach')
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByLabelText('Add an agent'))
  })
  await user.click(screen.getByRole('button', { name: 'Create team' }))
  expect(screen.getByText('Add at least two agents.')).toBeTruthy()
  await add('SDR')
  const radios = screen.getAllByRole<HTMLInputElement>('radio', { name: 'Answers first' })
  expect(new Set(radios.map(({ name }) => name)).size).toBe(1)
  await user.click(radios[1] as HTMLElement)
  await user.click(screen.getByRole('button', { name: 'Create team' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/teams/team-2')
  })
  expect(api.bodiesOf('POST /api/teams')).toEqual([
    {
      workspaceId: 'workspace-1',
      is_public: false,
      name: 'Desk',
      description: null,
      kind: 'swarm',
      router: null,
      members: [
        { agentId: 'local-1', isDefault: false },
        { agentId: 'local-2', isDefault: true },
      ],
    },
  ])
})

test('a pack’s team is hired in one step, and one lands in its chat', async () => {
  const api = stubTeams({ 'POST /api/packs/outreach/teams/outreach/hire': reply(team({ id: 'team-9' }), 201) })
  const { user } = renderApp('/agents/teams')
  const offer = await screen.findByRole('article', { name: 'Outreach' })
  expect(within(offer).getByText('SDR')).toBeTruthy()
  expect(within(offer).getByText('Hired')).toBeTruthy()
  await user.click(within(offer).getByRole('button', { name: 'Hire team: Outreach' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/teams/team-9')
  })
  expect(api.bodiesOf('POST /api/packs/outreach/teams/outreach/hire')).toEqual([{ workspaceId: 'workspace-1' }])
})

test('a double click hires a team once', async () => {
  const hire = 'POST /api/packs/outreach/teams/outreach/hire'
  const api = stubTeams({ [hire]: reply(team({ id: 'team-9' }), 201) })
  renderApp('/agents/teams')
  await doubleClick(await screen.findByRole('button', { name: /^Hire team/ }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/teams/team-9')
  })
  expect(api.bodiesOf(hire)).toHaveLength(1)
})

test('a pack that can’t be hired says why, on its card', async () => {
  stubTeams({ 'POST /api/packs/outreach/teams/outreach/hire': refuse(403, 'premium_required', 'This agent requires a premium subscription.') })
  const { user } = renderApp('/agents/teams')
  const offer = await screen.findByRole('article', { name: 'Outreach' })
  await user.click(within(offer).getByRole('button', { name: 'Hire team: Outreach' }))
  expect((await within(offer).findByRole('alert')).textContent).toBe('This agent requires a premium subscription.')
})

test.each<[role: string, may: boolean]>([['admin', true], ['member', false]])('whether visitors reach a team is for admins to say: %s', async (role, may) => {
  const workspaces = [{ ...session.workspaces[0], role }]
  const own = { ...pipeline, created_by: session.profile.id }
  const api = stubTeams({
    'GET /api/auth/session': reply({ session: { ...session, workspaces } }),
    'GET /api/teams/team-1': reply(own),
    'PATCH /api/teams/team-1': reply({ ...own, is_public: true }),
  })
  const { user } = renderApp('/agents/teams/team-1/edit')
  const open = await screen.findByLabelText<HTMLInputElement>('Open to visitors')
  expect([open.checked, open.disabled]).toEqual([false, !may])
  if (!may) return
  await user.click(open)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/teams/team-1')).toEqual([{ is_public: true }])
  })
})
