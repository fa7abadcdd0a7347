import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AgentTool, ServerToolList } from '@/api/types'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, httpTool, localAgent, serverTool, tool, toolServer } from '@/testing/build-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

const coach = hiredAgent({ tools: ['weather_today', 'files'] })

const builtIn = (changes: Partial<AgentTool>): AgentTool => ({
  id: 'memory',
  toolName: 'manageMemory',
  name: 'Memory',
  description: 'Remembers.',
  icon: 'Brain',
  server: 'memory-tools',
  available: true,
  unavailableBecause: null,
  ...changes,
})
const search = builtIn({ id: 'web', toolName: 'searchWeb', name: 'Web search', available: false, unavailableBecause: 'no_search_engine' })

const list = (changes: Partial<ServerToolList> = {}): ServerToolList => ({ trouble: null, needs_sign_in: false, tools: [], ...changes })
const asAdmin = { session: { ...session, workspaces: session.workspaces.map((workspace) => ({ ...workspace, role: 'admin' })) } }
const asMember = { session }

function stubTools(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply(asAdmin),
    'GET /api/agents': reply({ agents: [coach], total: 1 }),
    'GET /api/tools': reply({ tools: [httpTool(), toolServer()], built_in: [builtIn({}), search] }),
    'GET /api/tools/tool-server/server-tools': reply(list()),
    ...handlers,
  })
}

test('what works comes first; what needs set-up after it, with the way there', async () => {
  stubTools({
    'GET /api/tools': reply({
      tools: [httpTool(), httpTool({ id: 'tool-2', name: 'locked', missing_secrets: ['X-Key'] }), toolServer(), tool({ created_by: null })],
      built_in: [builtIn({}), search],
    }),
    'GET /api/tools/tool-server/server-tools': reply(list({ trouble: 'It can’t be reached.' })),
  })
  renderApp('/agents/tools')
  const needs = await screen.findByRole('region', { name: 'Needs set-up' })
  expect((await within(needs).findByText(/^It can’t be reached\./)).textContent).toBeTruthy()
  const own = screen.getByRole('region', { name: 'Your tools' })
  const names = (section: HTMLElement) => within(section).getAllByRole('listitem').map((item) => item.textContent)
  expect(names(own).map((text) => /weather_today|handoff_to_sdr/.exec(text)?.[0])).toEqual(['weather_today', 'handoff_to_sdr'])
  expect(within(own).getByText('HTTP API')).toBeTruthy()
  expect(names(screen.getByRole('region', { name: 'Built in' })).length).toBe(1)
  expect(within(needs).getByRole('link', { name: 'Set one up' }).getAttribute('href')).toBe('/settings/search')
  expect(within(needs).getByRole('link', { name: 'Enter it' }).getAttribute('href')).toBe('/agents/tools/tool-2')
})

test('members are told who sets a tool up, and are asked nothing of servers', async () => {
  const api = stubTools({ 'GET /api/auth/session': reply(asMember) })
  renderApp('/agents/tools')
  expect(await screen.findByText('Needs a search engine, which an admin sets up.')).toBeTruthy()
  expect(api.bodiesOf('GET /api/tools/tool-server/server-tools')).toEqual([])
  expect(screen.getByRole('link', { name: 'View weather_today' })).toBeTruthy()
})

test('members make what stays inside; the rest is shown, but not offered', async () => {
  stubTools({ 'GET /api/auth/session': reply(asMember) })
  const { user } = renderApp('/agents/tools/new')
  expect(await screen.findByRole('link', { name: /^Preset/ })).toBeTruthy()
  expect(screen.queryByRole('link', { name: /^MCP server/ })).toBeNull()
  expect(screen.getAllByText('For admins and owners')).toHaveLength(4)
  await user.click(screen.getByRole('link', { name: /^Handoff\s*Lets/ }))
  expect(currentPath()).toBe('/agents/tools/new/handoff')
})

test('what is for admins can’t be reached by its address either', async () => {
  stubTools({ 'GET /api/auth/session': reply(asMember) })
  renderApp('/agents/tools/new/server')
  expect(await screen.findByText('For admins and owners')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add server' })).toBeNull()
})

test('a known server fills in the form, and a program is only for admins of the server', async () => {
  const api = stubTools({ 'POST /api/tools': reply(toolServer({ id: 'tool-server' }), 201) })
  const { user } = renderApp('/agents/tools/new/server')
  await user.click(await screen.findByRole('button', { name: /^GitHub/ }))
  expect(screen.queryByLabelText('Reached')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('https://api.githubcopilot.com/mcp/')
  await user.type(within(screen.getByRole('group', { name: 'Authorization' })).getByLabelText('Value'), 'Bearer x')
  await user.click(screen.getByRole('button', { name: 'Add server' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/tools/tool-server')
  })
  expect(api.bodiesOf('POST /api/tools')).toEqual([
    {
      workspaceId: 'workspace-1',
      name: 'github',
      type: 'mcp_server',
      description: 'Repositories, issues and pull requests at GitHub.',
      config: { transport: 'http', url: 'https://api.githubcopilot.com/mcp/', headers: {}, secret_headers: ['Authorization'], trust: 'untrusted' },
      secrets: { Authorization: 'Bearer x' },
    },
  ])
})

const changed = serverTool({
  raw_name: 'write_file',
  state: 'changed',
  hash: 'hash-3',
  description: 'Writes a file anywhere.',
  differences: [
    { at: '/description', was: 'Writes a file.', is: 'Writes a file anywhere.' },
    { at: '/input_schema/properties/mode', is: { type: 'string' } },
  ],
})

test('new tools are chosen and allowed; a changed one shows what changed before it is allowed again', async () => {
  const [first, second] = [serverTool(), serverTool({ raw_name: 'list_files', hash: 'hash-2', title: 'List files' })]
  const allowed = (one: typeof first) => ({ ...one, state: 'allowed' as const })
  const api = stubTools({
    'GET /api/tools/tool-server/server-tools': reply(list({ tools: [first, second, changed] })),
    'POST /api/tools/tool-server/server-tools/allow': reply(list({ tools: [allowed(first), second, changed] })),
  })
  const { user } = renderApp('/agents/tools/tool-server')
  const section = await screen.findByRole('region', { name: 'Its tools' })
  const changes = await within(section).findByRole('group', { name: 'Changes of write_file' })
  expect(within(changes).getByText('Writes a file.').tagName).toBe('DEL')
  expect(within(changes).getByText('Writes a file anywhere.').tagName).toBe('INS')
  expect(within(changes).getByText('Parameter mode')).toBeTruthy()
  expect(within(changes).getAllByText('Before')).toHaveLength(1)

  await user.click(within(section).getByRole('checkbox', { name: 'Choose read_file' }))
  await user.click(within(section).getByRole('button', { name: 'Allow 1 tool' }))
  expect(await within(section).findByText('Allowed')).toBeTruthy()
  expect(within(section).getByText('1 new tool')).toBeTruthy()
  await user.click(within(changes).getByRole('button', { name: 'Allow as it is now: write_file' }))
  await waitFor(() => {
    expect(api.bodiesOf('POST /api/tools/tool-server/server-tools/allow')).toEqual([
      { tools: [{ raw_name: 'read_file', hash: 'hash-1' }] },
      { tools: [{ raw_name: 'write_file', hash: 'hash-3' }] },
    ])
  })
})

test('a tool that is another one by now is looked at again', async () => {
  const api = stubTools({
    'GET /api/tools/tool-server/server-tools': reply(list({ tools: [serverTool()] })),
    'POST /api/tools/tool-server/server-tools/allow': refuse(400, 'invalid_field', 'It is another one by now: look at it again.', { field: 'tools' }),
  })
  const { user } = renderApp('/agents/tools/tool-server')
  await user.click(await screen.findByRole('checkbox', { name: 'Choose read_file' }))
  api.on('GET /api/tools/tool-server/server-tools', reply(list({ tools: [serverTool({ description: 'Reads another file.' })] })))
  await user.click(screen.getByRole('button', { name: 'Allow 1 tool' }))
  expect(await screen.findByText('Reads another file.')).toBeTruthy()
  expect(screen.getByText('It is another one by now: look at it again.')).toBeTruthy()
})

test('a tool of a server is tried with a form made from its schema', async () => {
  const outcome = { ok: false, unknown: true, result: { error: 'No answer.' }, tookMs: 12 }
  const api = stubTools({
    'GET /api/tools/tool-server/server-tools': reply(list({ tools: [serverTool({ state: 'allowed' })] })),
    'POST /api/tools/tool-server/test': reply(outcome),
  })
  const { user } = renderApp('/agents/tools/tool-server')
  await user.click(await screen.findByRole('button', { name: /^Try it/ }))
  const form = screen.getByRole('form', { name: 'Try read_file' })
  await user.click(within(form).getByRole('button', { name: 'Run' }))
  expect(within(form).getByText('path is missing.')).toBeTruthy()
  expect(document.activeElement).toBe(within(form).getByLabelText('path'))
  await user.type(within(form).getByLabelText('path'), '/a')
  await user.click(within(form).getByRole('button', { name: 'Run' }))
  expect(await within(form).findByText('Nobody knows whether it was carried out')).toBeTruthy()
  expect(api.bodiesOf('POST /api/tools/tool-server/test')).toEqual([{ arguments: { path: '/a' }, rawName: 'read_file' }])
})

test('arguments can be typed as JSON, and come back into the form', async () => {
  const api = stubTools({ 'POST /api/tools/tool-http/test': reply({ ok: true, unknown: false, result: 'Sunny', tookMs: 1 }) })
  const { user } = renderApp('/agents/tools/tool-http')
  const form = await screen.findByRole('form', { name: 'Try weather_today' })
  await user.click(within(form).getByRole('button', { name: 'Edit as JSON' }))
  const json = within(form).getByLabelText('Arguments as JSON')
  await user.clear(json)
  await user.type(json, '[[')
  await user.click(within(form).getByRole('button', { name: 'Run' }))
  expect(within(form).getByText('Enter a JSON object, in braces.')).toBeTruthy()
  expect(within(form).getByRole<HTMLButtonElement>('button', { name: 'Edit in a form' }).disabled).toBe(true)
  await user.clear(json)
  await user.type(json, '{{"city": "Bern"}')
  await user.click(within(form).getByRole('button', { name: 'Edit in a form' }))
  expect(within(form).getByLabelText<HTMLInputElement>('city').value).toBe('Bern')
  await user.click(within(form).getByRole('button', { name: 'Run' }))
  expect(await within(form).findByText('It worked')).toBeTruthy()
  expect(api.bodiesOf('POST /api/tools/tool-http/test')).toEqual([{ arguments: { city: 'Bern' } }])
})

test('an agent’s settings say what it may do with each tool', async () => {
  const agent = localAgent({ tools: ['weather_today', 'files'] })
  const api = stubTools({
    'GET /api/agents/local-1': reply(agentDetail({ localAgent: agent })),
    'GET /api/agents/local-1/tool-permissions': reply({ permissions: [{ tool_id: 'tool-http', raw_name: null, level: 'ask' }] }),
    'GET /api/tools/tool-server/server-tools': reply(list({ tools: [serverTool({ state: 'allowed' }), serverTool({ raw_name: 'other' })] })),
    'PUT /api/agents/local-1/tool-permissions': reply({}),
    'DELETE /api/agents/local-1/tool-permissions': reply({}),
  })
  const { user } = renderApp('/agents/local-1/settings')
  const section = await screen.findByRole('region', { name: 'Tool permissions' })
  expect((await within(section).findByLabelText<HTMLSelectElement>('Permission for weather_today')).value).toBe('ask')
  // What isn't allowed, nobody has.
  expect(within(section).queryByLabelText('Permission for other')).toBeNull()
  await user.selectOptions(await within(section).findByLabelText('Permission for read_file'), 'never')
  await user.selectOptions(within(section).getByLabelText('Permission for weather_today'), '')
  await waitFor(() => {
    expect(api.asked.find(({ what }) => what === 'DELETE /api/agents/local-1/tool-permissions')?.search.get('toolId')).toBe('tool-http')
  })
  expect(api.bodiesOf('PUT /api/agents/local-1/tool-permissions')).toEqual([{ tool_id: 'tool-server', raw_name: 'read_file', level: 'never' }])
  const picker = screen.getByRole('group', { name: 'Tools' })
  expect(within(picker).getByText('MCP server')).toBeTruthy()
  expect(within(picker).queryByText('Unknown')).toBeNull()
})
