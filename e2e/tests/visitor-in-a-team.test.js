// What a visitor may do who talks to a team.
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp()

test('a visitor takes the support agent of a team by hand, and goes back to the default one', async (t) => {
  const team = await app.owner.hireTeam('procurement', 'procurement-desk')
  await app.owner.patch(`/api/teams/${team.id}`, { is_public: true })
  const solutions = await app.owner.agentNamed('Solutions')
  await app.owner.openPublicChat(solutions.id)
  const { slug } = await app.owner.get(`/api/workspaces/${app.owner.workspace.id}`)
  const page = await app.newPage(t, { as: null })
  await page.goto(`/w/${slug}?team=${team.id}`)
  const chat = new Chat(page)
  await chat.send('Hello, I need twenty desks.')
  await chat.settled()
  await chat.choose(/^Support/)
  await chat.holder.filter({ hasText: 'Support' }).waitFor()
  await chat.by('Support').first().waitFor()
  await page.reload()
  await chat.holder.filter({ hasText: 'Support' }).waitFor()
  await chat.choose(/^Solutions/)
  await chat.holder.filter({ hasText: 'Solutions' }).waitFor()
  await page.getByRole('heading', { name: `Chat with ${team.name}` }).waitFor()
})
