// A conversation whose agent was let go: it is still there to read, and another agent goes on with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()

test('the link to a conversation opens it after its agent was let go, and says who answers', async (t) => {
  const { owner } = app
  const next = await owner.makeAgent({ name: 'Stand In' })
  await owner.patch(`/api/workspaces/${owner.workspace.id}`, { default_agent_id: next.id })
  const agent = await owner.makeAgent({ name: 'Short Stay' })
  const page = await app.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('Hello, who are you?')
  await chat.settled()
  const link = page.url()
  await owner.delete(`/api/agents/${agent.id}/unhire?workspaceId=${owner.workspace.id}`)

  await page.goto(link)
  await chat.own.getByText('Hello, who are you?').waitFor()
  await page.getByText('Short Stay isn’t available any more. Your next message goes to Stand In.').waitFor()
  await chat.holder.filter({ hasText: 'Not available any more' }).waitFor()
  await chat.send('Is anybody there?')
  const told = page.getByText('Short Stay isn’t available any more. Stand In goes on')
  await told.waitFor()
  await chat.holder.filter({ hasText: 'Stand In' }).waitFor()
  await chat.by('Stand In').getByRole('button', { name: 'Copy message' }).waitFor()
  await page.getByText('Your next message goes to').waitFor({ state: 'detached' })
  // It is said once, also to whoever comes back later.
  await page.getByText('Not available any more').waitFor({ state: 'detached' })
  await page.reload()
  await told.waitFor()
  assert.equal(await page.getByText(/available any more/).count(), 1)
})
