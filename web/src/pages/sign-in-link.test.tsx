import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { currentPath, renderApp } from '@/testing/render-app'
import { noStats, options, session } from '@/testing/samples'

const PREVIEW = 'POST /api/auth/links/preview'
const REDEEM = 'POST /api/auth/links/redeem'

const preview = { kind: 'sign_in', name: 'Ada Lovelace', email: 'ada@example.com', expires_at: '2027-01-01T00:00:00Z' }

function stubLink(handlers: Parameters<typeof stubApi>[0]) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: null }),
    'GET /api/agents': reply({ agents: [], total: 0 }),
    'GET /api/agents/stats': reply(noStats),
    ...handlers,
  })
}

test('opening a link does not spend it; the button does, and the secret leaves the address', async () => {
  const api = stubLink({ [PREVIEW]: reply(preview), [REDEEM]: reply(session) })
  const { user } = renderApp('/sign-in/link#secret')
  const button = await screen.findByRole('button', { name: 'Sign in as Ada Lovelace' })
  expect(api.bodiesOf(PREVIEW)).toEqual([{ token: 'secret' }])
  expect(api.bodiesOf(REDEEM)).toEqual([])

  await user.click(button)
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  expect(api.bodiesOf(REDEEM)).toEqual([{ token: 'secret' }])
  expect(currentPath()).toBe('/agents')
})

test('a person without a name is called by their address', async () => {
  stubLink({ [PREVIEW]: reply({ ...preview, name: null }) })
  renderApp('/sign-in/link#secret')
  expect(await screen.findByRole('button', { name: 'Sign in as ada@example.com' })).toBeTruthy()
})

test.each([
  ['expired', '/sign-in/link#old', refuse(410, 'link_expired', 'This link has expired.')],
  ['without its token', '/sign-in/link', reply(preview)],
])('a link that is %s says what to do', async (_, path, handler) => {
  stubLink({ [PREVIEW]: handler })
  renderApp(path)
  expect(await screen.findByText('baton admin sign-in-link EMAIL')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a link that is spent elsewhere meanwhile says what to do', async () => {
  stubLink({ [PREVIEW]: reply(preview), [REDEEM]: refuse(410, 'link_expired', 'This link has expired.') })
  const { user } = renderApp('/sign-in/link#secret')
  await user.click(await screen.findByRole('button', { name: 'Sign in as Ada Lovelace' }))
  expect(await screen.findByText('baton admin sign-in-link EMAIL')).toBeTruthy()
})

test('a link that could not be checked can be tried again', async () => {
  const api = stubLink({ [PREVIEW]: refuse(403, 'forbidden', 'This origin is not allowed.') })
  const { user } = renderApp('/sign-in/link#secret')
  expect((await screen.findByRole('alert')).textContent).toBe('This origin is not allowed.')
  api.on(PREVIEW, reply(preview))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Sign in as Ada Lovelace' })).toBeTruthy()
})

test('the first link of a server asks for the account to create', async () => {
  const api = stubLink({
    [PREVIEW]: reply({ ...preview, kind: 'first_admin', name: null, email: null }),
    [REDEEM]: refuse(400, 'invalid', 'email must be an email address', { field: 'email' }),
  })
  const { user } = renderApp('/sign-in/link#first')
  await screen.findByRole('heading', { name: 'Set up this server' })

  await user.click(screen.getByRole('button', { name: 'Set up this server' }))
  expect(screen.getByText('Name is missing.')).toBeTruthy()
  expect(api.bodiesOf(REDEEM)).toEqual([])

  await user.type(screen.getByLabelText('Name'), 'Ada')
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Set up this server' }))
  await screen.findByText('email must be an email address')
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')

  api.on(REDEEM, reply(session))
  await user.click(screen.getByRole('button', { name: 'Set up this server' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents')
  })
  expect(api.bodiesOf(REDEEM).at(-1)).toEqual({
    token: 'first',
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse',
  })
})
