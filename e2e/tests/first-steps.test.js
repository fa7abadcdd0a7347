// The first five minutes of a newcomer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()

/** What an agent of its own was asked to remember, and now asks whether it may. */
async function asked(name, thing) {
  const agent = await app.owner.makeAgent({ name, tools: ['memory'] })
  const [{ conversationId }] = await app.owner.say(`Please remember that ${thing}.`, { agentId: agent.id })
  return { agent, address: `/agents/${agent.id}?conversation=${conversationId}` }
}

async function memoriesOf(agent) {
  const { memories } = await app.owner.get(`/api/agents/${agent.id}/memories`)
  return memories.map(({ content }) => content).join('\n')
}

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
  await question.getByText(/aisle seat/).first().waitFor()
  await page.getByRole('link', { name: 'Pending Approvals 1 pending' }).waitFor()

  await page.reload()
  await question.getByText(/aisle seat/).first().waitFor()
  await question.getByRole('button', { name: 'Approve', exact: true }).click()
  await chat.log.getByText('Approved by Robin Demo').waitFor()
  await chat.settled()
  await page.getByRole('link', { name: 'Pending Approvals', exact: true }).waitFor()

  assert.match(await memoriesOf(agent), /aisle seat/)
})

test('tool calls are approved and rejected on the dashboard, and the agents are told', async (t) => {
  const allowed = await asked('Allowed Keeper', 'my bike is green')
  const refused = await asked('Refused Keeper', 'my bike is red')
  const page = await app.newPage(t)
  await page.goto('/agents')
  const stat = (count) => page.getByRole('main').getByRole('link', { name: new RegExp(`Pending Approvals ${count}`) })
  const alert = page.getByLabel('needs your attention')
  await stat(2).filter({ has: alert }).waitFor()
  const item = (name) => page.getByRole('main').getByRole('listitem').filter({ hasText: `${name} wants to use Memory` })
  await item('Refused Keeper').getByText('my bike is red').first().waitFor()
  // The page shows a decision before the server has it: who leaves at once may take it back unheard.
  const taken = (decision) => page.waitForResponse((response) => response.ok() && response.url().endsWith(`/${decision}`))
  const rejected = taken('reject')
  await item('Refused Keeper').getByRole('button', { name: /^Reject/ }).click()
  await item('Refused Keeper').getByRole('button', { name: 'Reject', exact: true }).click()
  await item('Refused Keeper').waitFor({ state: 'detached' })
  await rejected
  const approved = taken('approve')
  await item('Allowed Keeper').getByRole('button', { name: /^Approve/ }).click()
  await item('Allowed Keeper').waitFor({ state: 'detached' })
  await approved
  await stat(0).waitFor()
  assert.equal(await alert.count(), 0)

  const chat = new Chat(page)
  await page.goto(refused.address)
  await chat.log.getByText('Rejected by Robin Demo').waitFor()
  await chat.settled()
  await chat.answers.getByText(/^All right, I did not /).waitFor()
  assert.equal(await memoriesOf(refused.agent), '')
  await page.goto(allowed.address)
  await chat.log.getByText('Approved by Robin Demo').waitFor()
  await chat.settled()
  assert.match(await memoriesOf(allowed.agent), /bike is green/)
})

test('a tool call is rejected with a reason on its page, and the agent is told why', async (t) => {
  const { agent } = await asked('Discreet Keeper', 'my bike is blue')
  const page = await app.newPage(t)
  await page.goto('/agents/activity/pending')
  const card = page.getByRole('listitem').filter({ hasText: 'Discreet Keeper wants to use Memory' })
  await card.getByRole('insertion').filter({ hasText: 'my bike is blue' }).waitFor()
  const conversation = await card.getByRole('link', { name: /^Open conversation/ }).getAttribute('href')
  await card.getByRole('button', { name: /^Reject/ }).click()
  await card.getByRole('textbox', { name: /^Reason/ }).fill('nobody needs to know')
  await card.getByRole('button', { name: 'Reject', exact: true }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor()

  const chat = new Chat(page)
  await page.goto(conversation)
  await chat.log.getByText('Rejected by Robin Demo').waitFor()
  await chat.settled()
  await chat.answers.getByText(/^All right, I did not .*\(nobody needs to know\)/).waitFor()
  assert.equal(await memoriesOf(agent), '')
})
