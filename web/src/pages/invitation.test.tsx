import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { currentPath, renderApp } from '@/testing/render-app'
import { noStats, options, session } from '@/testing/samples'

const INVITATION = 'GET /api/invitations/tok'
const invitation = {
  workspace_name: 'Difference Works',
  role: 'admin',
  invited_by: 'Charles',
  email: 'ada@example.com',
  expires_at: '2027-01-01T00:00:00Z',
}
const joined = {
  ...session,
  workspaces: [...session.workspaces, { id: 'workspace-2', name: 'Difference Works', slug: 'dw', role: 'admin' }],
}

function stubInvitation(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: null }),
    [INVITATION]: reply(invitation),
    'GET /api/agents': reply({ agents: [], total: 0 }),
    'GET /api/agents/stats': reply(noStats),
    ...handlers,
  })
}

test('a signed-in person accepts and lands in the new workspace', async () => {
  stubInvitation({ 'GET /api/auth/session': reply({ session }), 'POST /api/invitations/tok/accept': reply(joined) })
  const { user } = renderApp('/invitations/tok')
  expect(await screen.findByText(/Charles invites you to join as an admin/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Accept invitation' }))
  expect(await screen.findByRole('button', { name: 'Workspace: Difference Works' })).toBeTruthy()
})

test('a stranger is shown both ways in, and each comes back to the invitation', async () => {
  stubInvitation()
  renderApp('/invitations/tok')
  const signUp = await screen.findByRole('link', { name: 'Create an account' })
  expect(signUp.getAttribute('href')).toBe('/sign-up?invitation=tok')
  const signIn = screen.getByRole('link', { name: 'I have an account' })
  expect(signIn.getAttribute('href')).toBe('/sign-in?return=%2Finvitations%2Ftok')
})

test('signing up with an invitation sends it along and enters', async () => {
  const api = stubInvitation({ 'POST /api/auth/sign-up': reply(session, 201) })
  const { user } = renderApp('/sign-up?invitation=tok')
  await user.type(await screen.findByLabelText('Name'), 'Ada')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  expect(currentPath()).toBe('/agents')
  expect(api.bodiesOf('POST /api/auth/sign-up')).toEqual([
    { name: 'Ada', email: 'ada@example.com', password: 'correct horse', invitation: 'tok' },
  ])
})

test('an invitation that is over says so', async () => {
  stubInvitation({ [INVITATION]: refuse(410, 'invitation_expired', 'This invitation has expired.') })
  renderApp('/invitations/tok')
  expect(await screen.findByRole('heading', { name: 'This invitation no longer works' })).toBeTruthy()
})
