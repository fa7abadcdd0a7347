// What a conversation tells afterwards: who spoke, also of agents that left, where a person switched, and all of it as a file.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()

test('after a reload the thread says who spoke and where a person switched, and can be taken along', async (t) => {
  const { owner } = app
  const second = await owner.makeAgent({ name: 'Second Desk' })
  const first = await owner.makeAgent({ name: 'First Desk' })
  const page = await app.newPage(t)
  await page.goto(`/agents/${first.id}`)
  const chat = new Chat(page)
  await chat.send('Hello, who are you?')
  await chat.settled()
  await chat.choose(/^Second Desk/)
  const line = chat.log.getByText('Switched to Second Desk')
  await line.waitFor()
  await chat.send('And who are you?')
  await chat.settled(2)
  const link = page.url()
  await owner.delete(`/api/agents/${first.id}/unhire?workspaceId=${owner.workspace.id}`)

  await page.goto(link.replace(first.id, second.id))
  await chat.by('First Desk').waitFor()
  await chat.by('Second Desk').waitFor()
  await line.waitFor()

  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: /^More about/ }).first().click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as Markdown' }).click()
  const file = await saved
  assert.match(file.suggestedFilename(), /\.md$/)
  const text = await readFile(await file.path(), 'utf8')
  for (const words of ['## First Desk', '## Second Desk', 'Hello, who are you?']) assert.ok(text.includes(words), `${words} in ${text}`)
})
