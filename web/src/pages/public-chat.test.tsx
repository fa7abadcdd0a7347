import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { publicWorkspace } from '@/testing/people-samples'
import { currentPath, renderApp } from '@/testing/render-app'
import { options, session } from '@/testing/samples'

class StillObserver {
  observe() {
    return undefined
  }
  disconnect() {
    return undefined
  }
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
})

const guest = { ...session, workspaces: [] }

const talk = {
  id: 'talk-1',
  agent_id: 'host',
  team_id: null,
  parent_id: null,
  workspace_id: 'workspace-9',
  user_id: null,
  title: 'Cards',
  forked_from: null,
  left_writes_behind: false,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  messages: [
    {
      id: 'message-1',
      conversation_id: 'talk-1',
      agent_id: 'host',
      role: 'user',
      content: 'I lost my card',
      parts: [{ type: 'text', text: 'I lost my card' }],
      metadata: {},
      status: 'complete',
      attempt: 1,
      created_at: '2026-01-01T00:00:00Z',
    },
  ],
  has_more: false,
  cursor: '1.0',
  active: {
    activationId: 'a',
    agentId: 'host',
    agentName: 'Host',
    avatarUrl: null,
    role: null,
    summary: null,
    since: '2026-01-01T00:00:00Z',
    epoch: 1,
    pinned: false,
  },
  turn: null,
  versions: [],
  switches: [],
  agents: [],
}

function stubPublic(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply({ ...options, sign_up: 'open' }),
    'GET /api/auth/session': reply({ session: null }),
    'GET /api/public/bright': reply(publicWorkspace()),
    'GET /api/agent-conversations/talk-1': reply(talk),
    ...handlers,
  })
}

test('a visitor meets the default agent, and can choose another or a team', async () => {
  stubPublic()
  const { user } = renderApp('/w/bright')
  expect(await screen.findByText('Bright Bank')).toBeTruthy()
  expect(await screen.findByPlaceholderText('Message Host…')).toBeTruthy()
  const choices = screen.getByRole('list', { name: 'Who you can talk to' })
  expect(within(choices).getByRole('button', { name: 'Host' }).getAttribute('aria-pressed')).toBe('true')
  await user.click(within(choices).getByRole('button', { name: 'Helper' }))
  expect(await screen.findByPlaceholderText('Message Helper…')).toBeTruthy()
  expect(currentPath()).toBe('/w/bright?agent=helper')
  await user.click(screen.getByRole('button', { name: 'Front desk (team)' }))
  expect(await screen.findByRole('heading', { name: 'Chat with Front desk' })).toBeTruthy()
})

test('visitors attach nothing and change nothing that was said', async () => {
  stubPublic()
  renderApp('/w/bright?conversation=talk-1')
  expect(await screen.findByText('I lost my card')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /attach/i })).toBeNull()
  expect(screen.queryByRole('button', { name: /edit/i })).toBeNull()
})

test('a visitor who renames the open conversation sees it in the chat too', async () => {
  const api = stubPublic({
    'GET /api/agent-conversations': reply([talk]),
    'PATCH /api/agent-conversations/talk-1': reply({ ...talk, title: 'Lost card' }),
  })
  const { user } = renderApp('/w/bright?conversation=talk-1')
  await user.click(await screen.findByRole('button', { name: 'History' }))
  await user.click(await screen.findByRole('button', { name: 'More about Cards' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  api.on('GET /api/agent-conversations/talk-1', reply({ ...talk, title: 'Lost card' }))
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Lost card{Enter}')
  await waitFor(() => {
    expect(document.title).toContain('Lost card')
  })
})

test('an agent that is not for visitors asks to sign in, and the way leads back to it', async () => {
  stubPublic()
  renderApp('/w/bright?agent=closed')
  const notice = await screen.findByRole('region', { name: 'Sign in' })
  expect(notice.textContent).toContain('Please sign in to access this agent.')
  expect(within(notice).getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
    '/sign-in?return=%2Fw%2Fbright%3Fagent%3Dclosed',
  )
})

test('a visitor signs up and comes back to the same conversation', async () => {
  const api = stubPublic({ 'POST /api/auth/sign-up': reply(guest) })
  const { user } = renderApp('/w/bright?conversation=talk-1')
  await screen.findByText('I lost my card')
  await user.click(screen.getByRole('link', { name: 'Sign in' }))
  await user.click(await screen.findByRole('link', { name: 'Create an account' }))
  await user.type(await screen.findByLabelText('Name'), 'Ada Lovelace')
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  api.on('GET /api/auth/session', reply({ session: guest }))
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  expect(await screen.findByText('I lost my card')).toBeTruthy()
  expect(currentPath()).toBe('/w/bright?conversation=talk-1')
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull()
  // Whom one may talk to depends on who one is, so it is asked again.
  expect(api.asked.filter(({ what }) => what === 'GET /api/public/bright').length).toBe(2)
})

test.each(['/w/bright?team=desk&conversation=talk-1', '/w/bright?conversation=talk-1'])('a conversation with a team is one, and still after signing in: %s', async (path) => {
  stubPublic({ 'GET /api/agent-conversations/talk-1': reply({ ...talk, team_id: 'desk' }) })
  renderApp(path)
  await screen.findByText('I lost my card')
  expect(screen.getByRole('heading', { name: 'Chat with Front desk' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(`/sign-in?${new URLSearchParams({ return: path }).toString()}`)
})

test.each([
  ['swarm', 'Message Host…', false],
  ['router', 'Message Front desk. The router chooses who answers.', true],
  ['pipeline', 'Message Host…', false],
] as const)('a visitor in a %s chooses among those listed', async (kind, words, hasAuto) => {
  const desk = { id: 'desk', name: 'Front desk', description: null, kind, agent_id: 'host' }
  const active = { ...talk.active, activationId: 'b', agentId: 'helper', agentName: 'Helper', epoch: 2, pinned: kind === 'router' }
  const api = stubPublic({
    'GET /api/public/bright': reply(publicWorkspace({ teams: [desk] })),
    'GET /api/agent-conversations/talk-1': reply({ ...talk, team_id: 'desk' }),
    'POST /api/agent-conversations/talk-1/switch': reply({ active }),
  })
  const { user } = renderApp('/w/bright?team=desk&conversation=talk-1')
  expect(await screen.findByPlaceholderText(words)).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: /choose who answers$/ }))
  expect(screen.queryByRole('menuitem', { name: /^Auto/ }) !== null).toBe(hasAuto)
  api.on('GET /api/agent-conversations/talk-1', reply({ ...talk, team_id: 'desk', active }))
  await user.click(screen.getByRole('menuitem', { name: /^Helper/ }))
  expect(await screen.findByPlaceholderText('Message Helper…')).toBeTruthy()
  expect(currentPath()).toBe('/w/bright?team=desk&conversation=talk-1')
  expect(api.asked.filter(({ what }) => what === 'POST /api/agent-conversations/talk-1/switch').length).toBe(1)
})

test('a guest is known by name, and a member finds the way in', async () => {
  const api = stubPublic({ 'GET /api/auth/session': reply({ session: guest }) })
  const { unmount } = renderApp('/w/bright')
  expect(await screen.findByText('Ada Lovelace')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Open workspace' })).toBeNull()
  unmount()
  const member = { ...session, workspaces: [{ id: 'workspace-9', name: 'Bright Bank', slug: 'bright', role: 'member' }] }
  api.on('GET /api/auth/session', reply({ session: member }))
  renderApp('/w/bright')
  expect(await screen.findByRole('link', { name: 'Open workspace' })).toBeTruthy()
})

test.each([
  ['closed or unknown', refuse(404, 'not_found', 'There is no such workspace.'), 'There is no chat at this address', /It may have been closed/],
  [
    'crowded',
    reply({ error: 'Too many visitors.', code: 'rate_limited' }, 429, { 'Retry-After': '120' }),
    'Too many visitors at the moment',
    /Too many visitors\. Try again in 2 minutes\./,
  ],
  ['refused', refuse(400, 'bad', 'Something odd.'), 'The chat could not be loaded', /Something odd/],
])('an address that is %s says so', async (_, handler, title, words) => {
  stubPublic({ 'GET /api/public/bright': handler })
  renderApp('/w/bright')
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  expect(screen.getByText(words)).toBeTruthy()
})

test('where no agent is for visitors, signing in is the way', async () => {
  stubPublic({ 'GET /api/public/bright': reply(publicWorkspace({ agents: [], teams: [], default_agent_id: null })) })
  renderApp('/w/bright')
  expect(await screen.findByRole('heading', { name: 'Nobody is here to talk to' })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Sign in' })[0]?.getAttribute('href')).toBe('/sign-in?return=%2Fw%2Fbright')
})

test('too many messages are said plainly, and what was typed is not lost', async () => {
  stubPublic({
    'POST /api/agent-chat': reply({ error: 'You write too fast.', code: 'rate_limited' }, 429, { 'Retry-After': '30' }),
  })
  const { user } = renderApp('/w/bright')
  await user.type(await screen.findByPlaceholderText('Message Host…'), 'Hello')
  await user.click(screen.getByRole('button', { name: /send/i }))
  expect((await screen.findAllByText(/You write too fast\. Try again in 30 seconds\./)).length).toBeGreaterThan(0)
  expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Host…').value).toBe('Hello')
})

const SIGN_IN_REFUSAL = refuse(401, 'unauthorized', 'Please sign in.')

test('a chat that is closed while it is open says so, keeps what was written, and may open again', async () => {
  const api = stubPublic({ 'POST /api/agent-chat': SIGN_IN_REFUSAL })
  const { user } = renderApp('/w/bright')
  const box = await screen.findByPlaceholderText('Message Host…')
  api.on('GET /api/public/bright', refuse(404, 'not_found', 'There is no such workspace.'))
  await user.type(box, 'I lost my card{Enter}')
  expect(await screen.findByRole('heading', { name: 'This chat has been closed' })).toBeTruthy()
  expect(screen.queryByText('Please sign in.')).toBeNull()
  api.on('GET /api/public/bright', reply(publicWorkspace()))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByPlaceholderText('Message Host…')).toHaveProperty('value', 'I lost my card')
  expect(screen.queryByText('Please sign in.')).toBeNull()
})

test('a chat whose open conversation can’t be read because it was closed says so', async () => {
  const api = stubPublic({ 'GET /api/agent-conversations/talk-1': () => {
    api.on('GET /api/public/bright', refuse(404, 'not_found', 'There is no such workspace.'))
    return SIGN_IN_REFUSAL(new Request('http://localhost'))
  } })
  renderApp('/w/bright?conversation=talk-1')
  expect(await screen.findByRole('heading', { name: 'This chat has been closed' })).toBeTruthy()
})

test('who is asked to sign in is not asked any more on the way there', async () => {
  stubPublic({ 'POST /api/agent-chat': SIGN_IN_REFUSAL })
  const { user } = renderApp('/w/bright')
  await user.type(await screen.findByPlaceholderText('Message Host…'), 'I lost my card{Enter}')
  expect(await screen.findByText('Please sign in.')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Sign in' }))
  await screen.findByLabelText('Password')
  expect(screen.queryByText('Please sign in.')).toBeNull()
})
