// The first five minutes of a newcomer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()

test('sign in by the link that the server prints, once', async (t) => {
  await app.server.kill()
  await app.server.restart()
  const page = await app.newPage(t, { as: null, expected: [/links\/preview 4/] })
  await page.goto(app.server.signInLink)
  await page.getByRole('button', { name: 'Sign in as Robin Demo' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/agents')
  assert.equal(new URL(page.url()).hash, '')

  const again = await app.newPage(t, { as: null, expected: [/links\/preview 4/] })
  await again.goto(app.server.signInLink)
  await again.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('discover, hire, chat', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/agents')
  await page.getByRole('link', { name: 'Discover Agents' }).click()
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('translate')
  const card = page.getByRole('article', { name: 'Translator' })
  await card.getByText('Hire to get started').waitFor()
  await card.getByRole('button', { name: /^Hire Agent/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Hire Translator?' })
  await dialog.getByText('This agent can help with:').waitFor()
  await dialog.getByRole('button', { name: 'Hire Agent' }).click()

  await page.getByRole('heading', { name: 'What should we meet about?' }).waitFor()
  await page.getByText('Hello, I translate.').waitFor()
  const chat = new Chat(page)
  await chat.send('Hello, who are you?')
  await chat.settled()
  assert.match(await chat.by('Translator').innerText(), /Translator/)
  assert.notEqual(chat.conversationId, null, 'the conversation is in the address')

  await page.reload()
  await chat.settled()
  assert.equal(await chat.own.count(), 1)
  await page.goto('/agents/hired')
  const hired = page.getByRole('article', { name: 'Translator' })
  await hired.getByText('1 conversation', { exact: true }).waitFor()
  await hired.getByRole('link', { name: /^Meet Agent/ }).waitFor()
})

test('a tool that writes asks first, also after a reload, and is approved', async (t) => {
  const agent = await app.owner.makeAgent({ name: 'Careful Keeper', tools: ['memory'] })
  const page = await app.newPage(t)
  const chat = new Chat(page)
  await page.goto(`/agents/${agent.id}`)
  await chat.send('Please remember that I like an aisle seat.')
  const question = page.getByRole('region', { name: /^Allow .+\?$/ })
  await question.getByText(/aisle seat/).waitFor()
  await page.getByRole('link', { name: 'Pending Approvals 1 pending' }).waitFor()

  await page.reload()
  await question.getByText(/aisle seat/).waitFor()
  await question.getByRole('button', { name: 'Approve', exact: true }).click()
  await chat.log.getByText('Approved by Robin Demo').waitFor()
  await chat.settled()
  await page.getByRole('link', { name: 'Pending Approvals', exact: true }).waitFor()

  const { memories } = await app.owner.get(`/api/agents/${agent.id}/memories`)
  assert.match(JSON.stringify(memories), /aisle seat/)
})

test('a tool call is rejected with a reason, from the dashboard', async (t) => {
  const agent = await app.owner.makeAgent({ name: 'Refused Keeper', tools: ['memory'] })
  await app.owner.say('Please remember that my bike is red.', { agentId: agent.id })
  const page = await app.newPage(t)
  await page.goto('/agents')
  const stat = page.getByRole('link', { name: /Pending Approvals 1/ }).filter({ has: page.getByLabel('needs your attention') })
  await stat.waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Refused Keeper' }).getByRole('link', { name: /Open conversation/ }).click()
  const question = page.getByRole('region', { name: /^Allow .+\?$/ })
  await question.getByRole('button', { name: 'Reject' }).click()
  await question.getByRole('textbox').fill('not this one')
  await question.getByRole('button', { name: 'Reject' }).click()
  const chat = new Chat(page)
  await chat.log.getByText('Rejected by Robin Demo').waitFor()
  await chat.settled()
  const { memories } = await app.owner.get(`/api/agents/${agent.id}/memories`)
  assert.deepEqual(memories, [])
})
