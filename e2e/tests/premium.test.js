// Agents that are for premium profiles: who sees them, and what others are told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()

/** Somebody whom the demo's owner has invited, on the free tier. */
async function invite(name) {
  const { workspace } = app.owner
  const { token } = await app.owner.post(`/api/workspaces/${workspace.id}/invitations`, { role: 'member' })
  const member = app.api()
  await member.signUp({ name, email: `${name.toLowerCase()}@example.org` })
  await member.post(`/api/invitations/${token}/accept`)
  return Object.assign(member, { workspace })
}

/** An agent of the catalog, for premium profiles only. */
async function publishRestricted(name) {
  const fields = { name, description: `${name} is for few.`, system_prompt: `You are ${name}.`, is_restricted: true }
  const { id } = await app.owner.post('/api/admin/agents', fields)
  await app.owner.post(`/api/admin/agents/${id}/publish`, { version: 1 })
  return id
}

test('a free member neither finds nor can choose a premium agent, until they are premium too', async (t) => {
  await app.owner.setTier(app.owner.profile.id, 'premium')
  const forHire = await publishRestricted('Private Banker')
  const partner = await publishRestricted('Tax Partner')
  const hired = await app.owner.post(`/api/agents/${partner}/hire`, { workspaceId: app.owner.workspace.id })
  const member = await invite('Frida')
  const page = await app.newPage(t, { as: member })
  const chat = new Chat(page)
  const coach = await app.owner.agentNamed('Budget Coach')
  const card = (name) => page.getByRole('article', { name })
  const choice = page.getByRole('menuitem', { name: /Tax Partner/ })

  await page.goto('/agents/discover')
  await card('Budget Coach').waitFor()
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('is for few')
  await page.getByRole('heading', { name: 'No agents match “is for few”' }).waitFor()
  await page.goto('/agents/hired')
  await card('Budget Coach').waitFor()
  assert.equal(await card('Tax Partner').count(), 0)
  await page.goto(`/agents/${coach.id}`)
  await chat.holder.click()
  await page.getByRole('menuitem', { name: /Budget Coach/ }).waitFor()
  assert.equal(await choice.count(), 0)
  // What the lists leave out is refused to who asks for it all the same.
  const refusal = { message: /403 .*"This agent requires a premium subscription\."/ }
  await assert.rejects(member.post(`/api/agents/${forHire}/hire`, { workspaceId: member.workspace.id }), refusal)
  await assert.rejects(member.begin({ agentId: hired.id }), refusal)

  await app.owner.setTier(member.profile.id, 'premium')
  await page.goto('/agents/discover')
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('is for few')
  await card('Private Banker').getByRole('button', { name: /^Hire Agent/ }).waitFor()
  await page.goto(`/agents/${coach.id}`)
  await chat.choose(/Tax Partner/)
  await chat.holder.filter({ hasText: 'Tax Partner' }).waitFor()
  await chat.send('Hello, who are you?')
  await chat.settled()
  assert.equal(await chat.by('Tax Partner').count(), 1)
})
