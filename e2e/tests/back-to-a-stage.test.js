// Going back to a stage of a pipeline: what it makes of what it is told is a new version of its result. Nobody goes back in what
// was deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp({ model: 'held' })

const result = (team_size) => ({ company: 'Acme GmbH', industry: 'logistics', team_size, goal: 'To answer within a day' })
const scores = Object.fromEntries(
  ['processes', 'data', 'people'].flatMap((of) => [[`${of}_score`, 3], [`${of}_answer`, 'It was said so.']]),
)
const report = { summary: 'Acme can begin.', strengths: [], gaps: [], recommendation: 'Write down who answers.' }

/** What the model says in each stage, from the first to the last. */
async function runThrough(model, team_size) {
  ;(await model.call()).use('complete_stage', result(team_size))
  ;(await model.call()).use('complete_stage', scores)
  ;(await model.call()).use('complete_stage', report)
  ;(await model.call()).say(`That is the report for ${team_size} people.`).end()
}

test('a person goes back to the first stage, which completes again as version 2', async (t) => {
  const { owner, model } = app
  const team = await owner.hireTeam('assessment', 'readiness-assessment')
  const page = await app.newPage(t)
  await page.goto(`/agents/teams/${team.id}`)
  const chat = new Chat(page)
  const panel = page.getByRole('complementary', { name: team.name })
  const now = panel.locator('[aria-current=step]')
  const back = panel.getByRole('button', { name: 'Go back to qualification' })
  await chat.send('We are Acme GmbH, a logistics company with 40 people. Our goal is to answer customers within a day.')
  await runThrough(model, 40)
  await chat.by('Analyzer').getByText('That is the report for 40 people.').waitFor()
  await chat.stop.waitFor({ state: 'hidden' })
  await back.waitFor()
  await now.waitFor({ state: 'detached' })
  assert.equal(await panel.getByText('Done', { exact: true }).count(), 3)

  await back.focus()
  await back.press('Enter')
  await now.filter({ hasText: 'Qualification' }).waitFor()
  await page.getByRole('textbox', { name: 'Message Qualifier' }).waitFor()
  assert.equal(await back.count(), 0)
  // The way back is gone, and what comes next is to write.
  await page.keyboard.insertText('There are 60 of us by now.')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Stages' }).locator('[aria-current=step]').filter({ hasText: 'Qualification' }).waitFor()
  await runThrough(model, 60)
  await chat.by('Analyzer').getByText('That is the report for 60 people.').waitFor()
  const first = panel.getByRole('listitem').filter({ hasText: 'Qualification' })
  await first.getByRole('button', { name: 'Result (version 2)' }).click()
  await first.getByRole('definition').filter({ hasText: '60' }).waitFor()
  await now.waitFor({ state: 'detached' })

  // It is the same for whoever opens it later.
  await page.reload()
  await first.getByRole('button', { name: 'Result (version 2)' }).waitFor()
  await back.waitFor()
  assert.equal(await panel.getByText('Done', { exact: true }).count(), 3)
})

test('nothing of a conversation that is deleted in another tab stays on the page', async (t) => {
  const { owner, model } = app
  const team = await owner.hireTeam('assessment', 'readiness-assessment')
  const page = await app.newPage(t, { expected: [/agent-conversations\/\S+ 404$/] })
  await page.goto(`/agents/teams/${team.id}`)
  const chat = new Chat(page)
  const panel = page.getByRole('complementary', { name: team.name })
  await chat.send('We are Acme GmbH, a logistics company with 40 people.')
  await runThrough(model, 40)
  await chat.stop.waitFor({ state: 'hidden' })
  await panel.getByRole('button', { name: 'Result' }).first().waitFor()
  const { conversationId } = chat

  await owner.delete(`/api/agent-conversations/${conversationId}`)
  await page.getByText('This conversation is not there any more').waitFor()
  await panel.getByRole('button').first().waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('list', { name: 'Stages' }).count(), 0)
  assert.equal(await panel.getByText('Done', { exact: true }).count(), 0)
  // What happens elsewhere makes nobody ask for it again.
  const asked = []
  page.on('request', (request) => asked.push(request.url()))
  const listed = page.waitForRequest(/\/api\/(?:agents|auth\/session)/)
  await owner.patch(`/api/workspaces/${owner.workspace.id}`, { name: 'Another name' })
  await listed
  assert.deepEqual(asked.filter((url) => url.includes(conversationId)), [])
})
