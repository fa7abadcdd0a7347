// The public chat of a workspace, for people without an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()
const STRANGER = { as: null }

async function openDesk() {
  const team = await app.owner.hireTeam('procurement', 'procurement-desk')
  await app.owner.patch(`/api/teams/${team.id}`, { is_public: true })
  const solutions = await app.owner.agentNamed('Solutions')
  await app.owner.openPublicChat(solutions.id)
  const { slug } = await app.owner.get(`/api/workspaces/${app.owner.workspace.id}`)
  return { team, solutions, path: `/w/${slug}` }
}

test('a visitor is refused an agent that is for people with an account', async (t) => {
  const { path } = await openDesk()
  const design = await app.owner.agentNamed('RFP Design')
  const page = await app.newPage(t, STRANGER)
  await page.goto(`${path}?agent=${design.id}`)
  const notice = page.getByRole('region', { name: 'Sign in' })
  await notice.getByText('Please sign in to access this agent.').waitFor()
  await notice.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('return'), `${path}?agent=${design.id}`)
})

test('a visitor whose agent may not hand them on is told to sign in', async (t) => {
  const { path, team } = await openDesk()
  const page = await app.newPage(t, STRANGER)
  await page.goto(`${path}?team=${team.id}`)
  const chat = new Chat(page)
  await chat.send('I need to write a request for proposals for 40 laptops')
  await chat.settled()
  await chat.by('Solutions').getByText('Authentication required to access RFP Design. Please sign in').waitFor()
  const notice = page.getByRole('region', { name: 'Sign in' })
  await notice.getByText('Please sign in to access this agent.').waitFor()
  await notice.getByRole('link', { name: 'Sign in' }).waitFor()
})

test('a visitor signs up and keeps the conversation', async (t) => {
  const { path } = await openDesk()
  const page = await app.newPage(t, STRANGER)
  await page.goto(path)
  const chat = new Chat(page)
  await chat.send('Hello, I need twenty desks.')
  await chat.settled()
  const { conversationId } = chat
  assert.notEqual(conversationId, null)
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Name').fill('Vera Visitor')
  await page.getByLabel('Email').fill('vera@example.org')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()

  await chat.own.getByText('Hello, I need twenty desks.').waitFor()
  assert.equal(new URL(page.url()).pathname, path)
  assert.equal(chat.conversationId, conversationId)
  await chat.send('They should be high ones.')
  await chat.settled(2)
})

test('a visitor whose chat is closed while it is open is told so, and finds what they wrote when it opens again', async (t) => {
  const { path, solutions } = await openDesk()
  const page = await app.newPage(t, { ...STRANGER, expected: [/agent-chat 401$/, /api\/public\/\S+ 404$/] })
  await page.goto(path)
  const chat = new Chat(page)
  await chat.box.waitFor()
  await app.owner.patch(`/api/workspaces/${app.owner.workspace.id}`, { public_chat: false })
  await chat.send('Is anybody there?')
  await page.getByRole('heading', { name: 'This chat has been closed' }).waitFor()
  assert.equal(await page.getByText('Please sign in').count(), 0)

  await app.owner.openPublicChat(solutions.id)
  await page.getByRole('button', { name: 'Try again' }).click()
  await chat.box.waitFor()
  assert.equal(await chat.box.inputValue(), 'Is anybody there?')
})
