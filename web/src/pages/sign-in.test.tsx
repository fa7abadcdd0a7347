import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { currentPath, renderApp } from '@/testing/render-app'
import { agent, noStats, options, session } from '@/testing/samples'

const SIGNED_OUT = refuse(401, 'unauthenticated', 'Sign in first.')

function stubSignIn(handlers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: null }),
    'GET /api/agents': reply({ agents: [agent()], total: 1 }),
    'GET /api/agents/stats': reply(noStats),
    ...handlers,
  })
}

async function signIn(user: ReturnType<typeof renderApp>['user'], password: string) {
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('a stranger signs in and gets to the page they wanted', async () => {
  stubSignIn({ 'POST /api/auth/sign-in': reply(session) })
  const { user } = renderApp('/agents/discover')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(currentPath()).toBe('/sign-in?return=%2Fagents%2Fdiscover')
  await signIn(user, 'correct horse')
  expect(await screen.findByRole('article', { name: 'Budget Coach' })).toBeTruthy()
  expect(currentPath()).toBe('/agents/discover')
})

test('a crafted return address leads home', async () => {
  stubSignIn({ 'POST /api/auth/sign-in': reply(session) })
  const { user } = renderApp('/sign-in?return=//evil.example/agents')
  await signIn(user, 'correct horse')
  await screen.findByRole('heading', { name: 'Agents', level: 1 })
  expect(currentPath()).toBe('/agents')
})

test('a wrong password is said once, and what was typed stays', async () => {
  stubSignIn({ 'POST /api/auth/sign-in': refuse(401, 'invalid_credentials', 'Email or password is wrong.') })
  const { user } = renderApp('/sign-in')
  await signIn(user, 'wrong')
  expect((await screen.findByRole('alert')).textContent).toBe('Email or password is wrong.')
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com')
  expect(currentPath()).toBe('/sign-in')
})

test('a field that was left empty is no longer called missing once it is typed into', async () => {
  stubSignIn()
  const { user } = renderApp('/sign-in')
  await user.click(await screen.findByRole('button', { name: 'Sign in' }))
  expect(screen.getByText('Password is missing.')).toBeTruthy()
  await user.type(screen.getByLabelText('Email'), 'a')
  expect(screen.queryByText('Email is missing.')).toBeNull()
  expect(screen.getByText('Password is missing.')).toBeTruthy()
})

test('too many tries say how long to wait', async () => {
  const body = { error: 'Too many tries.', code: 'rate_limited' }
  stubSignIn({ 'POST /api/auth/sign-in': reply(body, 429, { 'Retry-After': '42' }) })
  const { user } = renderApp('/sign-in')
  await signIn(user, 'wrong')
  expect((await screen.findByRole('alert')).textContent).toBe('Too many tries. Try again in 42 seconds.')
})

test.each([
  ['open', true],
  ['invited', false],
  ['closed', false],
])('with sign-up %s the way to it is shown: %s', async (sign_up, shown) => {
  stubSignIn({ 'GET /api/auth/options': reply({ sign_up, demo: true }) })
  renderApp('/sign-in')
  await screen.findByText('Demo')
  expect(screen.queryByRole('link', { name: 'Create an account' }) !== null).toBe(shown)
})

test.each([
  [false, 'No password? An admin of the server can print a link:', 'baton admin sign-in-link EMAIL'],
  [true, 'The demo’s owner has no password. On the server, this prints a link:', 'baton admin sign-in-link owner@demo.localhost'],
])('who has no password learns how to get in (demo: %s)', async (demo, words, command) => {
  stubSignIn({ 'GET /api/auth/options': reply({ ...options, demo }) })
  renderApp('/sign-in')
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText(command)).toBeTruthy()
})

test('a session that ends while the app is open leads to sign-in and back', async () => {
  const api = stubSignIn({ 'GET /api/auth/session': reply({ session }), 'POST /api/auth/sign-in': reply(session) })
  const { user } = renderApp('/agents/discover')
  await user.click(await screen.findByRole('button', { name: 'Hire Agent: Budget Coach' }))
  api.on('POST /api/agents/agent-1/hire', SIGNED_OUT)
  await user.click(screen.getByRole('button', { name: 'Hire Agent' }))
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(currentPath()).toBe('/sign-in?return=%2Fagents%2Fdiscover')
})

test('signing out forgets the page', async () => {
  stubSignIn({ 'GET /api/auth/session': reply({ session }), 'POST /api/auth/sign-out': reply({ success: true }) })
  const { user } = renderApp('/agents/discover')
  const [menu] = await screen.findAllByRole('button', { name: /Account/ })
  if (menu) await user.click(menu)
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(currentPath()).toBe('/sign-in')
})
