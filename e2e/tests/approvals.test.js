// What a person can answer an agent that asks before it acts, and what comes of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp({ model: 'held' })
let agents = 0

/** A chat in which an agent has asked whether it may keep a note. */
async function ask(t, content) {
  const agent = await app.owner.makeAgent({ name: `Keeper ${++agents}`, tools: ['memory'] })
  const page = await app.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('Keep this in mind')
  await keep(content)
  const question = chat.approval('Memory')
  await question.getByText(content).first().waitFor()
  return { agent, page, chat, question }
}

async function keep(content) {
  const call = await app.model.call()
  call.use('manageMemory', { action: 'save', content })
}

async function notesOf(agent) {
  const { memories } = await app.owner.get(`/api/agents/${agent.id}/memories`)
  return memories.map(({ content }) => content)
}

/** What the model is told of its last tool call. */
const toldOf = (call) => call.request.messages.findLast(({ role }) => role === 'tool').content

test('arguments are edited first: the tool runs with them, and the card shows them', async (t) => {
  const { agent, page, chat, question } = await ask(t, 'Likes a window seat.')
  await question.getByRole('button', { name: 'Edit arguments' }).click()
  const editor = question.getByRole('textbox', { name: 'Arguments' })
  assert.deepEqual(JSON.parse(await editor.inputValue()).content, 'Likes a window seat.')
  await editor.fill('{"action": "save",')
  await question.getByRole('button', { name: 'Approve with changes' }).click()
  await question.getByRole('alert').filter({ hasText: 'This is not valid JSON' }).waitFor()
  await editor.fill(JSON.stringify({ action: 'save', path: 'preferences/seat', content: 'Likes an aisle seat.' }))
  await question.getByRole('button', { name: 'Approve with changes' }).click()

  const call = await app.model.call()
  assert.match(toldOf(call), /preferences\/seat/)
  call.say('It is noted.').end()
  await chat.settled()
  assert.deepEqual(await notesOf(agent), ['Likes an aisle seat.'])
  await question.waitFor({ state: 'detached' })
  for (const look of ['as it happened', 'after a reload']) {
    await chat.answers.getByText('Approved by Robin Demo').waitFor()
    await chat.answers.getByRole('button', { name: /^Memory Done/ }).click()
    const shown = await chat.answers.getByLabel('Arguments', { exact: true }).innerText()
    assert.match(shown, /Likes an aisle seat\./, look)
    assert.doesNotMatch(shown, /window/, look)
    await page.reload()
  }
})

test('always here: the same call in this conversation does not ask, another one does, and so does one elsewhere', async (t) => {
  const { agent, page, chat, question } = await ask(t, 'First note.')
  await question.getByRole('checkbox', { name: 'Always allow it with the same arguments in this conversation' }).check()
  await question.getByRole('button', { name: 'Approve', exact: true }).click()
  await keep('First note.')
  ;(await app.model.call()).say('It is kept.').end()
  await chat.settled()
  await chat.send('And again')
  await keep('First note.')
  const call = await app.model.call()
  assert.equal(await question.count(), 0)
  call.say('Kept too.').end()
  await chat.settled(2)
  await chat.send('And this')
  await keep('Second note.')
  await question.getByText('Second note.').first().waitFor()
  assert.deepEqual(await notesOf(agent), ['First note.'])

  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByRole('heading', { name: 'What should we meet about?' }).waitFor()
  await chat.send('Keep this too')
  await keep('First note.')
  await question.getByText('First note.').first().waitFor()
})

test('a rejection with its reason reaches the model', async (t) => {
  const { agent, chat, question } = await ask(t, 'Earns 70000 a year.')
  await question.getByRole('button', { name: 'Reject' }).click()
  const reason = question.getByRole('textbox', { name: /^Reason/ })
  await reason.fill('never keep what I earn')
  await question.getByRole('button', { name: 'Reject' }).click()
  const call = await app.model.call()
  assert.match(toldOf(call), /never keep what I earn/)
  call.say('I keep nothing of it.').end()
  await chat.settled()
  await chat.answers.getByText('Rejected by Robin Demo').waitFor()
  await chat.answers.getByRole('button', { name: /^Memory Not run/ }).waitFor()
  assert.deepEqual(await notesOf(agent), [])
})

test('what would change is told in a sentence and a table, and taken back from the card of the call', async (t) => {
  const { id } = await app.owner.makeRow('budgets', { name: 'Bicycles', amount: 40_000, currency: 'EUR', starts_on: '2026-01-01' })
  const amount = async () => (await app.owner.get(`/api/data/budgets/${id}?workspaceId=${app.owner.workspace.id}`)).amount
  const agent = await app.owner.makeAgent({ name: `Keeper ${++agents}`, tools: ['budgets'] })
  const page = await app.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('Five hundred for bicycles')
  ;(await app.model.call()).use('manageBudgets', { action: 'change', budget: 'Bicycles', amount: '500' })
  const question = chat.approval('Budgets')
  await question.getByText('Change the budget Bicycles.').waitFor()
  const row = question.getByRole('table', { name: 'What changes' }).getByRole('row').last()
  assert.deepEqual(await row.locator('th, td').allInnerTexts(), ['Bicycles Amount', 'EUR 400.00', 'EUR 500.00'])
  assert.equal(await amount(), 40_000)

  await question.getByRole('button', { name: 'Approve', exact: true }).click()
  ;(await app.model.call()).say('It is five hundred.').end()
  await chat.settled()
  assert.equal(await amount(), 50_000)
  await chat.answers.getByText('Changed 1 thing').waitFor()
  await chat.answers.getByRole('button', { name: 'Undo', exact: true }).click()
  await chat.answers.getByText('Taken back').waitFor()
  assert.equal(await amount(), 40_000)
})
