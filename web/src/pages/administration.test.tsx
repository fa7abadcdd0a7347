import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { reply, stubApi } from '@/testing/api'
import { models, provider } from '@/testing/build-samples'
import { catalogEntry } from '@/testing/people-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { options, session } from '@/testing/samples'

const admin = { ...session, profile: { ...session.profile, is_admin: true } }
const charles = { ...session.profile, id: 'profile-2', name: 'Charles Babbage', email: 'charles@example.com' }
const ENTRY = '/administration/catalog?agent=agent-1'

function version(number: number, name: string) {
  return { version: number, created_at: '2026-01-01T00:00:00Z', created_by: null, definition: catalogEntry({ name }) }
}

function stubAdministration(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: admin }),
    'GET /api/agents': reply({ agents: [], total: 0 }),
    'GET /api/approvals': reply({ approvals: [] }),
    'GET /api/tools': reply({ tools: [], built_in: [] }),
    'GET /api/models': reply(models),
    'GET /api/departments': reply({ departments: [] }),
    'GET /api/admin/agents': reply({
      agents: [
        catalogEntry(),
        catalogEntry({ id: 'agent-2', name: 'Poet', published_version: null }),
        catalogEntry({ id: 'agent-3', name: 'Clerk', is_enabled: false }),
      ],
      total: 3,
    }),
    'GET /api/admin/agents/agent-1': reply(catalogEntry({ current_version: 2 })),
    'GET /api/admin/agents/agent-1/versions': reply({ versions: [version(2, 'Budget Coach'), version(1, 'Coach')] }),
    'GET /api/admin/profiles': reply({ profiles: [admin.profile, charles], total: 2 }),
    ...handlers,
  })
}

test.each(['/administration', '/administration/profiles', '/administration/models', '/administration/search'])('for others there is nothing at %s', async (path) => {
  const api = stubAdministration({ 'GET /api/auth/session': reply({ session }) })
  renderApp(path)
  expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeTruthy()
  expect(api.asked.some(({ what }) => /\/api\/(admin|providers|search-engine)/.test(what))).toBe(false)
})

test('the catalog shows how each entry stands', async () => {
  stubAdministration()
  renderApp('/administration')
  const row = async (name: RegExp) => (await screen.findByRole('link', { name })).textContent
  expect(await row(/^Budget Coach/)).toContain('Published v1')
  expect(await row(/^Poet/)).toContain('Draft')
  expect(await row(/^Clerk/)).toContain('Disabled')
})

test('providers of the settings are shown and can’t be changed here', async () => {
  const ofSettings = provider({ id: null, workspace_id: null, name: 'openai', wire: 'openai', base_url: 'http://127.0.0.1:11434/v1', updated_at: null })
  stubAdministration({ 'GET /api/providers': reply({ providers: [ofSettings, provider({ workspace_id: null })] }) })
  renderApp('/administration/models')
  expect(await screen.findByText('Set in the server’s file or environment')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: /^(Change|Remove) / }).map((button) => button.getAttribute('aria-label'))).toEqual(['Change ours', 'Remove ours'])
})

test('a new agent begins as a draft', async () => {
  const api = stubAdministration({ 'POST /api/admin/agents': reply(catalogEntry({ published_version: null }), 201) })
  const { user } = renderApp('/administration')
  await user.click(await screen.findByRole('link', { name: 'New agent' }))
  await user.click(await screen.findByRole('button', { name: 'Create draft' }))
  expect(await screen.findByText('Name is missing.')).toBeTruthy()
  await user.type(screen.getByLabelText('Name'), 'Budget Coach')
  await user.type(screen.getByLabelText('System prompt'), 'Help.')
  await user.click(screen.getByRole('button', { name: 'Create draft' }))
  await waitFor(() => {
    expect(currentPath()).toBe(ENTRY)
  })
  expect(api.bodiesOf('POST /api/admin/agents')).toEqual([{ name: 'Budget Coach', system_prompt: 'Help.' }])
})

test('a change is a version of its own, and only what changed is sent', async () => {
  const api = stubAdministration({ 'PATCH /api/admin/agents/agent-1': reply(catalogEntry({ current_version: 3 })) })
  const { user } = renderApp(ENTRY)
  await user.type(await screen.findByLabelText('Name'), '!')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved as version 3. Publish it when it is ready.')).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/admin/agents/agent-1')).toEqual([{ name: 'Budget Coach!' }])
})

test('versions say what they changed and which is published, and any can be', async () => {
  const api = stubAdministration({
    'POST /api/admin/agents/agent-1/publish': reply(catalogEntry({ current_version: 2, published_version: 2 })),
  })
  const { user } = renderApp(ENTRY)
  const versions = await screen.findByRole('region', { name: 'Versions' })
  await waitFor(() => {
    expect(within(versions).getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^Version 2Draft.*changed name/),
      expect.stringMatching(/^Version 1Published.*the first$/),
    ])
  })
  await user.click(within(versions).getByRole('button', { name: 'Publish version 2' }))
  expect(await screen.findByText('Version 2 of Budget Coach is published.')).toBeTruthy()
  expect(api.bodiesOf('POST /api/admin/agents/agent-1/publish')).toEqual([{ version: 2 }])
})

test('an entry is taken off the list', async () => {
  const api = stubAdministration({ 'POST /api/admin/agents/agent-1/disable': reply(catalogEntry({ is_enabled: false })) })
  const { user } = renderApp(ENTRY)
  await user.click(await screen.findByRole('button', { name: 'Disable' }))
  expect(await screen.findByText('Budget Coach is gone, also where it was hired.')).toBeTruthy()
  expect(api.asked.some(({ what }) => what === 'POST /api/admin/agents/agent-1/disable')).toBe(true)
})

test('people are searched, and given another tier', async () => {
  const api = stubAdministration({ 'PATCH /api/admin/profiles/profile-2': reply({ ...charles, tier: 'premium' }) })
  const { user } = renderApp('/administration/profiles')
  await user.selectOptions(await screen.findByLabelText('Tier of Charles Babbage'), 'premium')
  expect(await screen.findByText('Charles Babbage has a premium profile now.')).toBeTruthy()
  expect(api.bodiesOf('PATCH /api/admin/profiles/profile-2')).toEqual([{ tier: 'premium' }])
  api.on('GET /api/admin/profiles', reply({ profiles: [], total: 0 }))
  await user.type(screen.getByRole('searchbox', { name: 'Search people' }), 'mary')
  expect(await screen.findByText('Nobody matches “mary”.')).toBeTruthy()
  expect(api.asked.findLast(({ what }) => what === 'GET /api/admin/profiles')?.search.get('search')).toBe('mary')
})

test('a sign-in link is made on purpose and shown once', async () => {
  const link = { path: '/sign-in/link#bli_x', expires_at: '2026-01-01T00:00:00Z' }
  const api = stubAdministration({ 'POST /api/admin/profiles/profile-2/sign-in-link': reply(link, 201) })
  const { user } = renderApp('/administration/profiles')
  await user.click(await screen.findByRole('button', { name: 'More about Charles Babbage' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Sign-in link…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Sign-in link for Charles Babbage' })
  expect(api.asked.some(({ what }) => what.endsWith('/sign-in-link'))).toBe(false)
  await user.click(within(dialog).getByRole('button', { name: 'Create link' }))
  const secret = await within(dialog).findByLabelText<HTMLInputElement>('Sign-in link')
  expect(secret.value).toBe(`${window.location.origin}/sign-in/link#bli_x`)
})

test.each([ENTRY, '/administration/catalog?agent=new'])('leaving %s with unsaved changes asks first, by link and by Back', async (path) => {
  stubAdministration()
  const { user } = renderApp('/administration/catalog')
  act(() => {
    window.history.pushState(null, '', path)
  })
  const prompt = await screen.findByLabelText('System prompt')
  await user.type(prompt, '!')
  await user.click(screen.getAllByRole('link', { name: 'Catalog' }).at(-1) as HTMLElement)
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Stay here' }))
  expect([currentPath(), prompt.isConnected]).toEqual([path, true])

  window.history.back()
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Stay here' }))
  expect([currentPath(), prompt.isConnected]).toEqual([path, true])

  window.history.back()
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('link', { name: /^Poet/ })).toBeTruthy()
  expect(currentPath()).toBe('/administration/catalog')
})
