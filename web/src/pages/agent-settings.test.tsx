import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keys } from '@/api/query-client'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, localAgent, models } from '@/testing/build-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { agent, hiredAgent, options, session } from '@/testing/samples'

const SETTINGS = '/agents/local-1/settings'

const houseStyle = {
  id: 'rule-1',
  workspace_id: 'workspace-1',
  name: 'House style',
  content: 'Plain words.',
  active: true,
  position: 10,
  agent_ids: ['local-9'],
  ai_agent_ids: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

const allowable = [
  { tool_name: 'getCurrentTime', display_name: 'Current time' },
  { tool_name: 'manageMemory', display_name: 'Memory' },
]

const asAdmin = reply({ session: { ...session, workspaces: [{ ...session.workspaces[0], role: 'admin' }] } })

function stubSettings(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/agents/local-1': reply(agentDetail()),
    'GET /api/agents/local-1/memories': reply({ memories: [], total: 0 }),
    'GET /api/agents/local-1/allow-rules': reply({ rules: [], tools: allowable }),
    'GET /api/tools': reply({ tools: [], built_in: [] }),
    'GET /api/models': reply(models),
    'GET /api/departments': reply({ departments: [] }),
    'GET /api/skills': reply({ skills: [] }),
    'GET /api/rules': reply({ rules: [houseStyle] }),
    ...handlers,
  })
}

test('only what changed is sent, and what is saved is no longer unsaved', async () => {
  const api = stubSettings({ 'PATCH /api/agents/local-1': reply(localAgent({ name: 'Budget Coach!' })) })
  const { user } = renderApp(SETTINGS)
  await user.type(await screen.findByLabelText('Name'), '!')
  api.on('GET /api/agents/local-1', reply(agentDetail({ localAgent: localAgent({ name: 'Budget Coach!' }) })))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Budget Coach! is saved.')).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/agents/local-1')).toEqual([{ name: 'Budget Coach!' }])
  await waitFor(() => {
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })
})

test('what a colleague saves meanwhile is shown, and never undone by saving something else', async () => {
  const api = stubSettings({ 'PATCH /api/agents/local-1': reply(localAgent()) })
  const { user, queryClient } = renderApp(SETTINGS)
  const change = async (changes: Parameters<typeof localAgent>[0]) => {
    api.on('GET /api/agents/local-1', reply(agentDetail({ localAgent: localAgent(changes) })))
    await act(() => queryClient.invalidateQueries({ queryKey: keys.agents('workspace-1') }))
  }
  await screen.findByLabelText('Name')
  await change({ name: 'Coach' })
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Coach')

  await user.type(screen.getByLabelText('Role'), '!')
  await change({ name: 'Trainer' })
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Coach')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => {
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Trainer')
  })
  expect(api.bodiesOf('PATCH /api/agents/local-1')).toEqual([{ role: expect.stringMatching(/!$/) as string }])
})

test('what the server refuses stands at its field, which gets the focus', async () => {
  stubSettings({
    'PATCH /api/agents/local-1': refuse(422, 'invalid_field', 'model is unknown here.', { field: 'model' }),
  })
  const { user } = renderApp(SETTINGS)
  const model = await screen.findByLabelText('Model')
  await screen.findByRole('option', { name: 'opus → no model has this name here' })
  await user.selectOptions(model, 'opus')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('model is unknown here.')).toBeTruthy()
  expect(document.activeElement).toBe(model)
})

test('leaving with unsaved changes asks first', async () => {
  stubSettings()
  const { user } = renderApp(SETTINGS)
  await user.type(await screen.findByLabelText('Role'), 'x')
  await user.click(screen.getByRole('link', { name: 'Chat' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
  expect(currentPath()).toBe(SETTINGS)
  await user.click(within(dialog).getByRole('button', { name: 'Leave' }))
  expect(currentPath()).toBe('/agents/local-1')
})

test('another workspace is entered at its start, once unsaved changes are given up, and only in this tab', async () => {
  const second = { ...session.workspaces[0], id: 'workspace-2', name: 'Second' }
  stubSettings({ 'GET /api/auth/session': reply({ session: { ...session, workspaces: [...session.workspaces, second] } }) })
  const { user } = renderApp(SETTINGS)
  await user.type(await screen.findByLabelText('Role'), 'x')
  act(() => {
    localStorage.setItem('baton.workspace', 'workspace-2')
    window.dispatchEvent(new StorageEvent('storage', { key: 'baton.workspace' }))
  })
  await user.click(screen.getByRole('button', { name: 'Workspace: Engines' }))
  await user.click(screen.getByRole('menuitemradio', { name: 'Second' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
  expect(currentPath()).toBe(SETTINGS)
  await user.click(within(dialog).getByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('button', { name: 'Workspace: Second' })).toBeTruthy()
  expect(currentPath()).toBe('/agents')
})

test('being the default agent is called that, and says whom it replaces', async () => {
  const desk = hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'Front Desk', is_default: true })
  const api = stubSettings({
    'GET /api/auth/session': asAdmin,
    'GET /api/agents': reply({ agents: [hiredAgent(), desk], total: 2 }),
    'PATCH /api/agents/local-1': reply(localAgent({ is_default: true })),
  })
  const { user } = renderApp(SETTINGS)
  expect(await screen.findByText(/Front Desk is the default now; this replaces it\.$/)).toBeTruthy()
  expect(screen.queryByRole('switch', { name: 'Open to visitors' })).toBeNull()
  await user.click(screen.getByRole('switch', { name: 'Default agent' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/agents/local-1')).toEqual([{ is_default: true }])
  })
})

test('a published version shows what it changes before it is taken over', async () => {
  const api = stubSettings({
    'GET /api/agents/local-1': reply(agentDetail({ agent: agent({ published_version: 2, system_prompt: 'Help more.' }) })),
    'POST /api/agents/local-1/update': reply(localAgent({ hired_version: 2, system_prompt: 'Help more.' })),
  })
  const { user } = renderApp(SETTINGS)
  await user.click(await screen.findByRole('button', { name: 'Update to the published version' }))
  const dialog = screen.getByRole('dialog', { name: 'Update Budget Coach?' })
  expect(within(dialog).getByText('Help more.')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Update' }))
  expect(await screen.findByText('Budget Coach is up to date.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('System prompt').value).toBe('Help more.')
  expect(api.bodiesOf('POST /api/agents/local-1/update')).toHaveLength(1)
})

test.each([
  ['nobody has set tiers up', session.profile.tier, hiredAgent(), agentDetail(), 0],
  ['the person is premium', 'premium', hiredAgent(), agentDetail(), 1],
  ['another agent is for premium profiles', session.profile.tier, hiredAgent({ is_restricted: true }), agentDetail(), 1],
  ['this agent is for premium profiles', session.profile.tier, hiredAgent(), agentDetail({ localAgent: localAgent({ is_restricted: true }) }), 1],
] as const)('whether the settings speak of premium, where %s', async (_, tier, listed, detail, count) => {
  stubSettings({
    'GET /api/auth/session': reply({ session: { ...session, profile: { ...session.profile, tier } } }),
    'GET /api/agents': reply({ agents: [listed], total: 1 }),
    'GET /api/agents/local-1': reply(detail),
  })
  renderApp(SETTINGS)
  const access = await screen.findByRole('region', { name: 'Access' })
  await waitFor(() => { expect(within(access).queryAllByRole('switch', { name: 'Premium only' })).toHaveLength(count) })
})

test('a published version hides nothing of what the server takes over, and names nothing that stays', async () => {
  const published = agent({
    published_version: 2,
    permission_mode: 'acceptEdits',
    avatar_url: '/api/avatars/2.png',
    department_id: 'department-1',
    department: { id: 'department-1', name: 'Finance', slug: 'finance', icon: null },
    category: 'crm',
    config: { tone: 'warm' } as never,
    tools: ['web', 'books'],
    toolDetails: [{ id: 'web', name: 'Search the web', available: true, description: null, icon: null, server: null, toolName: null, unavailableBecause: null }],
    is_free: false,
    is_head: true,
    is_default: true,
    is_restricted: true,
    role: 'support',
  })
  const detail = agentDetail({ agent: published, localAgent: localAgent({ avatar_url: '/api/avatars/1.png' }) })
  const api = stubSettings({ 'GET /api/auth/session': asAdmin, 'GET /api/agents/local-1': reply(detail) })
  const shown = async () => {
    const { user, unmount } = renderApp(SETTINGS)
    await user.click(await screen.findByRole('button', { name: 'Update to the published version' }))
    const dialog = screen.getByRole('dialog', { name: 'Update Budget Coach?' })
    const texts = [...dialog.querySelectorAll('dl > div')].map(({ textContent }) => textContent)
    unmount()
    return texts
  }
  const forMembers: unknown[] = [
    'AvatarNow: a pictureThen: another picture',
    'CategoryNow: GeneralThen: CRM',
    'DepartmentNow: noneThen: Finance',
    'Heads its departmentNow: noThen: yes',
    'ToolsNow: noneThen: Search the web, books',
    'Shown as freeNow: yesThen: no',
    expect.stringMatching(/^ConfigNow: \{\}Then: .*"tone": "warm"/s),
  ]
  const forAdmins = ['RoleNow: noneThen: support', 'Permission modeNow: Ask before changesThen: Ask before reaching outside', 'Premium onlyNow: noThen: yes']
  expect(await shown()).toEqual(expect.arrayContaining([...forMembers, ...forAdmins]))
  expect(await shown()).toHaveLength(forMembers.length + forAdmins.length)

  api.on('GET /api/auth/session', reply({ session }))
  expect(await shown()).toEqual(forMembers)

  api.on('GET /api/agents/local-1', reply(agentDetail({ agent: agent({ published_version: 2 }) })))
  const { user } = renderApp(SETTINGS)
  await user.click(await screen.findByRole('button', { name: 'Update to the published version' }))
  expect(screen.getByText('This copy is the same already. Only its version number changes.')).toBeTruthy()
})

test('a rule of the workspace is followed at the flick of a switch', async () => {
  const api = stubSettings({ 'GET /api/auth/session': asAdmin, 'PATCH /api/rules/rule-1': reply(houseStyle) })
  const { user } = renderApp(SETTINGS)
  await user.click(await screen.findByRole('switch', { name: 'Follows “House style”' }))
  await waitFor(() => {
    expect(api.bodiesOf('PATCH /api/rules/rule-1')).toEqual([{ agent_ids: ['local-9', 'local-1'] }])
  })
})

test('what is written about a rule or a memory outlives news of it and a search for others', async () => {
  const memory = { id: 'memory-1', agent_id: 'local-1', scope: 'own', path: 'tea', content: 'At four.', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
  const api = stubSettings({
    'GET /api/auth/session': asAdmin,
    'GET /api/agents/local-1/memories': (request) =>
      Response.json(request.url.includes('search=') ? { memories: [], total: 0 } : { memories: [memory], total: 1 }),
  })
  const { user, queryClient } = renderApp(SETTINGS)
  const edit = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `More about ${name}` }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    return screen.findByRole('form', { name: `Edit ${name}` })
  }
  const ruleForm = await edit('House style')
  await user.type(within(ruleForm).getByLabelText('Rule'), ' Always.')
  api.on('GET /api/rules', reply({ rules: [{ ...houseStyle, content: 'Plain words!' }] }))
  await act(() => queryClient.invalidateQueries({ queryKey: keys.rules('workspace-1') }))
  expect(within(ruleForm).getByLabelText('Rule')).toHaveProperty('value', 'Plain words. Always.')
  expect(ruleForm.isConnected).toBe(true)
  api.on('GET /api/rules', refuse(403, 'forbidden', 'Not now.'))
  await act(() => queryClient.invalidateQueries({ queryKey: keys.rules('workspace-1') }))
  expect(screen.queryByText(/could not be loaded/)).toBeNull()

  const memoryForm = await edit('tea')
  await user.type(screen.getByRole('searchbox', { name: 'Search memory' }), 'coffee')
  await waitFor(() => {
    expect(api.asked.some(({ search }) => search.get('search') === 'coffee')).toBe(true)
  })
  await act(() => queryClient.invalidateQueries({ queryKey: keys.memories('workspace-1', 'local-1') }))
  expect(memoryForm.isConnected).toBe(true)
})

test('an agent is let go from its settings, and gone from the list before the server has said so', async () => {
  stubSettings({
    'GET /api/agents': reply({ agents: [hiredAgent(), hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'SDR' })], total: 2 }),
    'DELETE /api/agents/local-1/unhire': () => new Promise(() => undefined),
  })
  const { user } = renderApp(SETTINGS)
  await user.click(await screen.findByRole('button', { name: 'Unhire Budget Coach' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Unhire' }))
  expect(await screen.findByRole('article', { name: 'SDR' })).toBeTruthy()
  await waitFor(() => {
    expect(screen.queryByRole('article', { name: 'Budget Coach' })).toBeNull()
  })
  expect(currentPath()).toBe('/agents/hired')
})

test('who may not change an agent sees everything and can change nothing', async () => {
  stubSettings({ 'GET /api/agents/local-1': reply(agentDetail({ localAgent: localAgent({ created_by: null }) })) })
  renderApp(SETTINGS)
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).readOnly).toBe(true)
  expect(screen.getByText('You can look at everything here. Whoever made the agent, admins and owners can change it.')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Let it go' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'New rule' })).toBeNull()
})

test('an agent of one’s own is made in a short form, and one lands in its chat', async () => {
  const api = stubSettings({ 'POST /api/agents': reply(localAgent({ id: 'local-5', name: 'Support Desk' }), 201) })
  const { user } = renderApp('/agents/new')
  await user.type(await screen.findByLabelText('Name'), 'Support Desk')
  expect(screen.getByLabelText<HTMLInputElement>('Role').value).toBe('support')
  await user.type(screen.getByLabelText('What should it do?'), 'Help people.')
  await user.click(screen.getByRole('button', { name: 'Create agent' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/local-5')
  })
  expect(api.bodiesOf('POST /api/agents')).toEqual([
    {
      workspaceId: 'workspace-1',
      name: 'Support Desk',
      role: 'support',
      description: null,
      system_prompt: 'Help people.',
      model: 'balanced',
      tools: [],
    },
  ])
})

test('a tool is allowed without asking, and that is taken back', async () => {
  const rule = { agent_id: 'local-1', tool_name: 'manageMemory', covers_outside: false, made_by: 'Ada', created_at: '2026-01-01T00:00:00Z' }
  const api = stubSettings({
    'GET /api/auth/session': asAdmin,
    'POST /api/agents/local-1/allow-rules': reply(rule, 201),
    'DELETE /api/agents/local-1/allow-rules': reply({ success: true }),
  })
  const { user } = renderApp(SETTINGS)
  const section = await screen.findByRole('region', { name: 'Without asking' })
  expect(await within(section).findByText('The agent asks as its permission mode says.')).toBeTruthy()
  const allow = within(section).getByRole<HTMLButtonElement>('button', { name: 'Allow without asking' })
  expect(allow.disabled).toBe(true)
  await user.selectOptions(within(section).getByLabelText('Tool'), 'Memory')
  api.on('GET /api/agents/local-1/allow-rules', reply({ rules: [rule], tools: allowable }))
  await user.click(allow)
  expect(await within(section).findByText(/Only within the workspace. Made by Ada/)).toBeTruthy()
  expect(api.bodiesOf('POST /api/agents/local-1/allow-rules')).toEqual([{ tool_name: 'manageMemory' }])
  expect(within(section).queryByRole('option', { name: 'Memory' })).toBeNull()

  api.on('GET /api/agents/local-1/allow-rules', reply({ rules: [], tools: allowable }))
  await user.click(within(section).getByRole('button', { name: 'Take back: Memory' }))
  expect(await within(section).findByText('The agent asks as its permission mode says.')).toBeTruthy()
  expect(api.asked.some(({ what }) => what === 'DELETE /api/agents/local-1/allow-rules')).toBe(true)
})
