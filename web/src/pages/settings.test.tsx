import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, localAgent, models, provider, tool } from '@/testing/build-samples'
import { ada, charles, invitation, workspaceSettings } from '@/testing/people-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

const as = (role: string) => reply({ session: { ...session, workspaces: [{ ...session.workspaces[0], role }] } })

const script = {
  id: 'token-1',
  workspace_id: 'workspace-1',
  name: 'Nightly',
  hint: 'abcd',
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: null,
}

function stubSettings(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': as('owner'),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/agents/local-1': reply(agentDetail()),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/auth/tokens': reply({ tokens: [script] }),
    'GET /api/workspaces/workspace-1': reply(workspaceSettings()),
    'GET /api/workspaces/workspace-1/members': reply({ members: [ada, charles] }),
    'GET /api/workspaces/workspace-1/invitations': reply({ invitations: [invitation] }),
    'GET /api/models': reply(models),
    'GET /api/providers': reply({ providers: [] }),
    'GET /api/search-engine': reply({ engine: null, server_has_one: true }),
    ...handlers,
  })
}

async function section(name: string): Promise<HTMLElement> {
  return screen.findByRole('region', { name })
}

test.each([
  ['/settings/tokens', 'API tokens · Settings · Baton'],
  ['/settings/nowhere', 'Not found · Baton'],
])('the title at %s', async (path, title) => {
  stubSettings()
  renderApp(path)
  await waitFor(() => { expect(document.title).toBe(title) })
})

describe('profile', () => {
  test('whether Enter sends is kept in this browser', async () => {
    stubSettings()
    const { user } = renderApp('/settings')
    const sends = within(await section('Keyboard')).getByRole<HTMLInputElement>('switch', { name: 'Enter sends a message' })
    expect(sends.checked, 'as before').toBe(true)
    await user.click(sends)
    expect(sends.checked).toBe(false)
    expect(localStorage.getItem('baton.enter-sends')).toBe('off')
  })

  test.each([
    ['abc1234', '2026-11-18', ['Version1.2.3', 'Commitabc1234 · 2026-11-18', 'LicenceMIT or Apache 2.0']],
    [null, null, ['Version1.2.3', 'LicenceMIT or Apache 2.0']],
  ])('about Baton, built from commit %s', async (commit, commit_date, facts) => {
    stubSettings({ 'GET /api/auth/session': reply({ session: { ...session, server: { ...session.server, commit, commit_date } } }) })
    renderApp('/settings')
    const about = within(await section('About Baton'))
    const lines = about.getAllByRole('term').map((term) => `${term.textContent}${term.nextElementSibling?.textContent}`)
    expect(lines).toEqual([...facts, 'APIDocumentation'])
    expect(about.getByRole('link', { name: 'Documentation' }).getAttribute('href')).toBe('/api/docs')
  })

  test('a new name is saved and shown in the sidebar', async () => {
    const changed = { ...session, profile: { ...session.profile, name: 'Ada King' } }
    const api = stubSettings({ 'PATCH /api/auth/me': reply(changed) })
    const { user } = renderApp('/settings')
    const profile = await section('Profile')
    const name = within(profile).getByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'Ada King')
    await user.click(within(profile).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Your profile is saved.')).toBeTruthy()
    expect(api.bodiesOf('PATCH /api/auth/me')).toEqual([{ name: 'Ada King' }])
    expect(screen.getAllByRole('button', { name: /Account: Ada King/ }).length).toBeGreaterThan(0)
  })

  test('a new password is sent with the current one, and a refusal stands at its field', async () => {
    const api = stubSettings({
      'PATCH /api/auth/me': refuse(422, 'invalid_credentials', 'The current password is wrong.', { field: 'current_password' }),
    })
    const { user } = renderApp('/settings/profile')
    const signIn = await section('Sign-in')
    const password = within(signIn).getByLabelText('New password')
    const save = within(signIn).getByRole('button', { name: 'Save' })
    await user.type(password, 'short')
    await user.click(save)
    expect(await within(signIn).findByText('Use at least 8 characters.')).toBeTruthy()
    expect(api.bodiesOf('PATCH /api/auth/me')).toEqual([])

    await user.type(password, 'er than it was')
    const current = within(signIn).getByLabelText('Current password')
    await user.type(current, 'wrong')
    await user.click(save)
    expect(await within(signIn).findByText('The current password is wrong.')).toBeTruthy()
    expect(document.activeElement).toBe(current)
    expect(api.bodiesOf('PATCH /api/auth/me')).toEqual([{ password: 'shorter than it was', current_password: 'wrong' }])
  })

  test('an account is deleted only after its address is typed', async () => {
    const api = stubSettings({ 'DELETE /api/auth/me': reply({ success: true }) })
    const { user } = renderApp('/settings/profile')
    await user.click(await screen.findByRole('button', { name: 'Delete account…' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete your account?' })
    const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete account' })
    expect(confirm.disabled).toBe(true)
    await user.type(within(dialog).getByLabelText(/to confirm/), 'ada@example.com')
    await user.type(within(dialog).getByLabelText('Password'), 'a long secret')
    await user.click(confirm)
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(api.bodiesOf('DELETE /api/auth/me')).toEqual([{ current_password: 'a long secret' }])
    expect(currentPath()).toBe('/sign-in')
  })
})

test('a token is shown once, where it was made', async () => {
  const api = stubSettings({ 'POST /api/auth/tokens': reply({ ...script, id: 'token-2', name: 'Robot', token: 'bat_secret' }, 201) })
  const { user } = renderApp('/settings/tokens')
  await user.type(await screen.findByLabelText('Name'), 'Robot')
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  const secret = await screen.findByLabelText<HTMLInputElement>('Token “Robot”')
  expect(secret.value).toBe('bat_secret')
  expect(document.activeElement).toBe(secret)
  expect(screen.getByText('Copy it now: it is not shown again.')).toBeTruthy()
  expect(api.bodiesOf('POST /api/auth/tokens')).toEqual([{ name: 'Robot', workspaceId: 'workspace-1' }])
})

test('deleting a token asks first', async () => {
  const api = stubSettings({ 'DELETE /api/auth/tokens/token-1': reply({ success: true }) })
  const { user } = renderApp('/settings/tokens')
  await user.click(await screen.findByRole('button', { name: 'Delete Nightly' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(api.asked.some(({ what }) => what.startsWith('DELETE'))).toBe(false)
  api.on('GET /api/auth/tokens', reply({ tokens: [] }))
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('You have no tokens.')).toBeTruthy()
})

describe('workspace', () => {
  test('a cap is a sum or nothing, and what it does not count is said', async () => {
    const warnings = ['The model openai/local has no price, so the cap does not count it.']
    const api = stubSettings({
      'PATCH /api/workspaces/workspace-1': reply(workspaceSettings({ spend_cap_usd: 20, warnings })),
    })
    const { user } = renderApp('/settings/workspace')
    const cap = await screen.findByLabelText('Spend cap per day, in dollars')
    await user.type(cap, 'lots')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/Enter a sum in dollars/)).toBeTruthy()
    await user.clear(cap)
    await user.type(cap, '20')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(warnings[0] ?? '')).toBeTruthy()
    expect(api.bodiesOf('PATCH /api/workspaces/workspace-1')).toEqual([{ spend_cap_usd: 20 }])
  })

  test('members look at it and change nothing', async () => {
    stubSettings({ 'GET /api/auth/session': as('member') })
    renderApp('/settings/workspace')
    expect(await screen.findByText('Only admins and owners can change this.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Export workspace' })).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('Name').readOnly).toBe(true)
  })

  test('one that could not be loaded can be tried again', async () => {
    const api = stubSettings({ 'GET /api/workspaces/workspace-1': refuse(403, 'forbidden', 'Not yours.') })
    const { user } = renderApp('/settings/workspace')
    expect(await screen.findByText('Not yours.')).toBeTruthy()
    api.on('GET /api/workspaces/workspace-1', reply(workspaceSettings()))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('Default agent')).toBeTruthy()
  })
})

describe('members', () => {
  test('an owner gives another role', async () => {
    const api = stubSettings({ 'PATCH /api/workspaces/workspace-1/members/profile-2': reply({ ...charles, role: 'admin' }) })
    const { user } = renderApp('/settings/members')
    await user.selectOptions(await screen.findByLabelText('Role of Charles Babbage'), 'admin')
    expect(await screen.findByText('Charles Babbage is now an admin.')).toBeTruthy()
    expect(api.bodiesOf('PATCH /api/workspaces/workspace-1/members/profile-2')).toEqual([{ role: 'admin' }])
  })

  test('what the server refuses is said, and the role stays', async () => {
    stubSettings({
      'PATCH /api/workspaces/workspace-1/members/profile-1': refuse(409, 'last_owner', 'A workspace needs an owner.'),
    })
    const { user } = renderApp('/settings/members')
    const role = await screen.findByLabelText<HTMLSelectElement>('Role of Ada Lovelace')
    await user.selectOptions(role, 'member')
    expect(await screen.findByText('A workspace needs an owner.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLSelectElement>('Role of Ada Lovelace').value).toBe('owner')
  })

  test('an invitation is a link to pass on, shown once', async () => {
    const api = stubSettings({
      'POST /api/workspaces/workspace-1/invitations': reply({ ...invitation, token: 'bin_x', path: '/invitations/bin_x' }, 201),
    })
    const { user } = renderApp('/settings/members')
    await user.type(await screen.findByLabelText('Email'), 'mary@example.com')
    await user.click(screen.getByRole('button', { name: 'Create invitation' }))
    const link = await screen.findByLabelText<HTMLInputElement>('Invitation for mary@example.com')
    expect(link.value).toBe(`${window.location.origin}/invitations/bin_x`)
    expect(api.bodiesOf('POST /api/workspaces/workspace-1/invitations')).toEqual([
      { role: 'member', email: 'mary@example.com' },
    ])
  })

  test('an open invitation is revoked', async () => {
    const api = stubSettings({ 'DELETE /api/workspaces/workspace-1/invitations/invitation-1': reply({ success: true }) })
    const { user } = renderApp('/settings/members')
    const revoke = await screen.findByRole('button', { name: 'Revoke the invitation for mary@example.com' })
    api.on('GET /api/workspaces/workspace-1/invitations', reply({ invitations: [] }))
    await user.click(revoke)
    expect(await screen.findByText('No invitation is open.')).toBeTruthy()
  })

  test('a member sees who is here and can only leave', async () => {
    stubSettings({
      'GET /api/auth/session': as('member'),
      'GET /api/workspaces/workspace-1/members': reply({ members: [{ ...ada, role: 'member' }, { ...charles, role: 'owner' }] }),
    })
    const { user } = renderApp('/settings/members')
    expect(await screen.findByText('charles@example.com')).toBeTruthy()
    expect(screen.queryByLabelText('Role of Charles Babbage')).toBeNull()
    expect(screen.queryByRole('button', { name: 'More about Charles Babbage' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Create invitation' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'More about Ada Lovelace' }))
    expect(await screen.findByRole('menuitem', { name: 'Leave…' })).toBeTruthy()
  })
})

describe('models', () => {
  test('without a provider the demo notice says what answers', async () => {
    stubSettings()
    renderApp('/settings/models')
    expect(await screen.findByText('Only the demo model answers.')).toBeTruthy()
    expect(await screen.findByText('This workspace uses the server’s providers.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Set up the server’s providers' }), 'for its admins').toBeNull()
    expect(screen.getByText('No model has this name here')).toBeTruthy()
  })

  test('providers, what names stand for, and prices', async () => {
    const aliases = [{ alias: 'sonnet', model: 'anthropic/claude', inputPrice: 3, outputPrice: 15 }]
    const providers = [{ provider: 'anthropic', hasKey: true, baseUrl: null }]
    stubSettings({ 'GET /api/models': reply({ demo: false, providers, aliases }) })
    renderApp('/settings/models')
    const list = await section('Providers')
    expect(list.textContent).toContain('AnthropicKey set')
    expect(screen.queryByText('Only the demo model answers.')).toBeNull()
    expect(screen.getByText('anthropic/claude')).toBeTruthy()
    expect(screen.getByText('$3.00 in, $15.00 out')).toBeTruthy()
  })

  test('members see what answers, and set nothing', async () => {
    const api = stubSettings({ 'GET /api/auth/session': as('member') })
    renderApp('/settings/models')
    expect(await screen.findByText('Only the demo model answers.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add provider' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Web search' })).toBeNull()
    expect(api.asked.some(({ what }) => what.includes('/api/providers'))).toBe(false)
  })

  test('a provider of the workspace is tested and added; what is wrong stands at its field', async () => {
    let tries = 0
    const api = stubSettings({
      'POST /api/providers/test': reply({ ok: false, message: 'Nothing answered.' }),
      'POST /api/providers': (request) =>
        tries++ === 0
          ? refuse(400, 'invalid_field', 'base_url points to an address that is not public.', { field: 'base_url' })(request)
          : reply(provider({ name: 'lab' }), 201)(request),
    })
    const { user } = renderApp('/settings/models')
    await user.click(await screen.findByRole('button', { name: 'Add provider' }))
    const form = within(await section('New provider'))
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(form.getByText('Give it a name.')).toBeTruthy()
    await user.selectOptions(form.getByLabelText('Format'), 'openai')
    await user.type(form.getByLabelText('Name'), 'lab')
    await user.type(form.getByLabelText('Base URL'), 'http://10.0.0.1/v1')
    await user.type(form.getByLabelText('API key'), 'sk-1')
    await user.click(form.getByRole('button', { name: 'Add model' }))
    await user.type(form.getByLabelText('Model'), 'llama')
    await user.type(form.getByLabelText('Also answers to'), 'sonnet, haiku')
    await user.type(form.getByLabelText('Input $'), '1.5')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(form.getByText('Enter both prices, or neither.')).toBeTruthy()
    await user.type(form.getByLabelText('Output $'), '2')
    await user.click(form.getByRole('button', { name: 'Test' }))
    expect(await form.findByText('Nothing answered.')).toBeTruthy()
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText(/is not public/)).toBeTruthy()
    await user.type(form.getByLabelText('Base URL'), '/')
    expect(form.queryByText('Nothing answered.'), 'what is typed now was not tried').toBeNull()
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('lab is saved. It answers from now on.')).toBeTruthy()
    const model = { model: 'llama', aliases: ['sonnet', 'haiku'], input_price: 1.5, output_price: 2, cache_read_price: null, cache_write_price: null, context_window: null }
    expect(api.bodiesOf('POST /api/providers').at(-1)).toEqual({
      workspaceId: 'workspace-1',
      name: 'lab',
      wire: 'openai',
      base_url: 'http://10.0.0.1/v1/',
      key: 'sk-1',
      models: [model],
    })
    expect(api.bodiesOf('POST /api/providers/test')).toEqual([
      { workspaceId: 'workspace-1', wire: 'openai', base_url: 'http://10.0.0.1/v1', key: 'sk-1', model: 'llama' },
    ])
  })

  test('a provider that is changed keeps its key and its other prices; one without its secret key says so', async () => {
    const models = [{ model: 'claude', aliases: [], input_price: 3, output_price: 15, cache_read_price: 0.3, cache_write_price: null, context_window: 200_000 }]
    const api = stubSettings({
      'GET /api/providers': reply({ providers: [provider({ models }), provider({ id: 'provider-2', name: 'lost', key_is_readable: false })] }),
      'PATCH /api/providers/provider-1': reply(provider()),
      'DELETE /api/providers/provider-2': reply({ success: true }),
    })
    const { user } = renderApp('/settings/models')
    expect(await screen.findByText('Key can’t be read')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Change ours' }))
    const form = within(await section('Change ours'))
    expect(form.getByText('A key is set. Leave this empty to keep it.')).toBeTruthy()
    await user.clear(form.getByLabelText('Output $'))
    await user.type(form.getByLabelText('Output $'), '16')
    await user.click(form.getByRole('button', { name: 'Save' }))
    await screen.findByText('ours is saved. It answers from now on.')
    expect(api.bodiesOf('PATCH /api/providers/provider-1')).toEqual([
      { name: 'ours', wire: 'anthropic', base_url: null, models: [{ ...models[0], output_price: 16 }] },
    ])
    await user.click(screen.getByRole('button', { name: 'Remove lost' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('lost is removed.')).toBeTruthy()
  })
})

test('a web search engine is set for the workspace', async () => {
  const api = stubSettings({ 'PUT /api/search-engine': reply({ kind: 'brave', base_url: null, has_key: true, key_is_readable: true, updated_at: '2026-01-01T00:00:00Z' }) })
  const { user } = renderApp('/settings/search')
  expect(await screen.findByText('This workspace uses the server’s search engine.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText('Enter the address of your SearXNG.')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Engine'), 'brave')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText('Enter the key.')).toBeTruthy()
  await user.type(screen.getByLabelText('API key'), 'bsk-1')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Web search is set up.')).toBeTruthy()
  expect(api.bodiesOf('PUT /api/search-engine')).toEqual([{ workspaceId: 'workspace-1', kind: 'brave', base_url: null, key: 'bsk-1' }])
})

test('a search engine that is removed is gone from its form too', async () => {
  const engine = { kind: 'brave', base_url: null, has_key: true, key_is_readable: true, updated_at: '2026-01-01T00:00:00Z' }
  const api = stubSettings({
    'GET /api/search-engine': reply({ engine, server_has_one: true }),
    'PUT /api/search-engine': reply(engine),
    'DELETE /api/search-engine': reply({}),
  })
  const { user } = renderApp('/settings/search')
  const kind = await screen.findByLabelText<HTMLSelectElement>('Engine')
  await user.type(screen.getByLabelText('API key'), 'bsk-2')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Web search is set up.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('API key').value).toBe('')
  api.on('GET /api/search-engine', reply({ engine: null, server_has_one: true }))
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('This workspace uses the server’s search engine.')).toBeTruthy()
  expect(kind.value).toBe('searxng')
})

test('the public chat opens at once, with its address and what agents can do there', async () => {
  const desk = hiredAgent({ is_default: true })
  const others = ['2', '3'].map((at) => hiredAgent({ id: `agent-${at}`, localAgentId: `local-${at}`, name: `Other ${at}` }))
  const api = stubSettings({
    'GET /api/agents': reply({ agents: [...others, desk], total: 3 }),
    'GET /api/agents/local-1': reply(agentDetail({ localAgent: localAgent({ public_tools: ['getCurrentTime'] }) })),
    'PATCH /api/workspaces/workspace-1': reply(workspaceSettings({ public_chat: true })),
  })
  const { user } = renderApp('/settings/public-chat')
  const address = await screen.findByLabelText<HTMLInputElement>('Address')
  expect(address.value).toBe(`${window.location.origin}/w/engines`)
  expect(screen.queryByRole('link', { name: /Open the public chat/ })).toBeNull()
  expect(await screen.findByText('Public tools: getCurrentTime')).toBeTruthy()
  await user.click(screen.getByRole('switch', { name: 'Open to visitors' }))
  const link = await screen.findByRole('link', { name: /Open the public chat/ })
  expect(link.getAttribute('href')).toBe('/w/engines')
  expect(api.bodiesOf('PATCH /api/workspaces/workspace-1')).toEqual([{ public_chat: true }])
  const single = api.asked.map(({ what }) => what).filter((what) => what.startsWith('GET /api/agents/local-'))
  expect(single, 'only whom visitors reach, and not again for a switch').toEqual(['GET /api/agents/local-1'])
  expect(screen.getByRole('link', { name: 'Access of Budget Coach' }).getAttribute('href')).toBe('/agents/local-1/settings#access')
})

test('the audit says who did what, and goes on', async () => {
  const event = (id: string, action: string, profile_id: string | null, subject: string | null = null, details = {}) => ({
    id,
    profile_id,
    action,
    subject,
    details,
    created_at: '2026-01-01T00:00:00Z',
  })
  const api = stubSettings({
    'GET /api/tools': reply({ tools: [tool()], built_in: [] }),
    'GET /api/workspaces/workspace-1/audit': (request) =>
      Response.json({
        total: 4,
        events: new URL(request.url).searchParams.get('offset') === '0'
          ? [event('e1', 'tool.created', 'profile-2', 'tool-1')]
          : [
              event('e2', 'token.created', 'gone'),
              event('e3', 'agent.unhired', 'profile-1', 'local-9', { name: 'Old Hand' }),
              event('e4', 'workspace.changed', 'profile-1', 'workspace-1', { fields: ['spend_cap', 'public_chat'] }),
            ],
      }),
  })
  const { user } = renderApp('/settings/audit')
  const audit = await section('Audit')
  await waitFor(() => {
    expect(audit.textContent).toContain('Charles Babbage made a tool: handoff_to_sdr')
  })
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => {
    expect(audit.textContent).toContain('Someone who left made an API token')
  })
  expect(audit.textContent).toContain('Ada Lovelace let an agent go: Old Hand')
  expect(audit.textContent).toContain('Ada Lovelace changed the workspace’s settings: spend cap, public chat')
  expect(api.asked.filter(({ what }) => what.endsWith('/audit')).map(({ search }) => search.get('offset'))).toEqual(['0', '1'])
})

test.each([
  ['a member looks for the audit', 'member', '/settings/audit'],
  ['a section does not exist', 'owner', '/settings/nothing'],
])('there is nothing when %s', async (_, role, path) => {
  stubSettings({ 'GET /api/auth/session': as(role) })
  renderApp(path)
  expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeTruthy()
})

test('the sections are links, and on small screens a choice', async () => {
  stubSettings()
  const { user } = renderApp('/settings')
  const nav = await screen.findByRole('navigation', { name: 'Settings' })
  expect(within(nav).getByRole('link', { name: 'Profile' }).getAttribute('aria-current')).toBe('page')
  await user.selectOptions(within(nav).getByLabelText('Section'), 'models')
  expect(currentPath()).toBe('/settings/models')
})

test('a workspace is made in the switcher, and entered', async () => {
  const made = { id: 'workspace-2', name: 'Looms', slug: 'looms', role: 'owner' }
  const api = stubSettings({ 'POST /api/workspaces': reply(workspaceSettings({ id: 'workspace-2', name: 'Looms' }), 201) })
  const { user } = renderApp('/settings')
  const [switcher] = await screen.findAllByRole('button', { name: 'Workspace: Engines' })
  if (switcher) await user.click(switcher)
  await user.click(await screen.findByRole('menuitem', { name: 'Create a workspace…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Create a workspace' })
  await user.type(within(dialog).getByLabelText('Name'), 'Looms')
  api.on('GET /api/auth/session', reply({ session: { ...session, workspaces: [...session.workspaces, made] } }))
  await user.click(within(dialog).getByRole('button', { name: 'Create workspace' }))
  expect((await screen.findAllByRole('button', { name: 'Workspace: Looms' })).length).toBeGreaterThan(0)
  expect(api.bodiesOf('POST /api/workspaces')).toEqual([{ name: 'Looms' }])
})
