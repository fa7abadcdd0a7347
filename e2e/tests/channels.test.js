// Two people in one channel: what one writes reaches the other, who sees what is new, answers in a thread and is mentioned.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'

const app = useApp({
  prepare: async ({ owner }) => {
    const { token } = await owner.post(`/api/workspaces/${owner.workspace.id}/invitations`, { role: 'member' })
    app.mia = app.api()
    await app.mia.post('/api/auth/sign-up', { name: 'Mia Member', email: 'mia@example.org', password: 'correct horse battery', invitation: token })
    await app.mia.know()
  },
})

const write = async (page, label, text) => {
  await page.getByRole('textbox', { name: label }).fill(text)
  await page.keyboard.press('Enter')
}

test('a message arrives live, with what is unread, a mention by keyboard and a thread', async (t) => {
  const robin = await app.newPage(t)
  await robin.goto('/channels')
  await robin.getByRole('button', { name: 'New channel' }).click()
  await robin.getByRole('textbox', { name: 'Name' }).fill('picnic')
  await robin.getByRole('button', { name: 'Create' }).click()
  await robin.getByRole('heading', { name: 'picnic' }).waitFor()
  await write(robin, 'Write in picnic', 'Who brings the bread?')
  await robin.getByRole('article').getByText('Who brings the bread?').waitFor()

  const mia = await app.newPage(t, { as: app.mia })
  await mia.goto('/channels')
  await mia.getByRole('button', { name: 'Browse channels' }).first().click()
  const list = mia.getByRole('dialog', { name: 'Browse channels' })
  await list.getByRole('listitem').filter({ hasText: 'picnic' }).getByRole('button', { name: 'Join' }).click()
  await list.getByRole('listitem').filter({ hasText: 'picnic' }).getByText('Joined').waitFor()
  await list.getByRole('button', { name: 'Close' }).click()

  // She looks at something else meanwhile: she is told by numbers.
  await mia.goto('/knowledge')
  await robin.getByRole('textbox', { name: 'Write in picnic' }).pressSequentially('Thanks for the cake, @mi')
  await robin.getByRole('option', { name: 'Mia Member' }).waitFor()
  await robin.keyboard.press('Enter')
  assert.equal(await robin.getByRole('textbox', { name: 'Write in picnic' }).inputValue(), 'Thanks for the cake, @Mia Member ')
  await robin.keyboard.press('Enter')
  // Also where the navigation isn't seen.
  await mia.getByRole('status').getByRole('link', { name: 'Robin Demo mentioned you in picnic' }).waitFor()
  const link = mia.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Channels/ })
  await link.getByText('unread mentions').waitFor()
  await link.click()
  await mia.getByRole('link', { name: /picnic.*1 unread mention/ }).click()
  await mia.getByRole('article').getByText('@Mia Member').waitFor()
  await mia.getByText('New since you were here').waitFor()

  // Both look at it now: no page is loaded again.
  await write(mia, 'Write in picnic', 'I bring the bread.')
  await robin.getByRole('article').filter({ hasText: 'I bring the bread.' }).waitFor()
  const asked = robin.getByRole('article').filter({ hasText: 'Who brings the bread?' })
  await asked.hover()
  await asked.getByRole('button', { name: 'Reply in thread' }).click()
  const thread = robin.getByRole('complementary', { name: 'Thread' })
  await thread.getByText('No replies yet.').waitFor()
  await write(thread.page(), 'Write a reply', 'And the butter?')
  await thread.getByRole('article').filter({ hasText: 'And the butter?' }).waitFor()
  await mia.getByRole('button', { name: /^1 reply/ }).click()
  await mia.getByRole('complementary', { name: 'Thread' }).getByText('And the butter?').waitFor()
  await write(mia, 'Write a reply', 'Yes.')
  await thread.getByRole('article').filter({ hasText: 'Yes.' }).waitFor()

  // What is changed and deleted changes for both.
  const own = mia.getByRole('region', { name: 'picnic' }).getByRole('article').filter({ hasText: 'I bring the bread.' })
  await own.hover()
  await own.getByRole('button', { name: 'Edit' }).click()
  await write(mia, 'Edit', 'I bring two loaves.')
  await robin.getByRole('article').filter({ hasText: 'I bring two loaves.' }).getByText('edited').waitFor()
  const changed = mia.getByRole('region', { name: 'picnic' }).getByRole('article').filter({ hasText: 'I bring two loaves.' })
  await changed.hover()
  await changed.getByRole('button', { name: 'Delete' }).click()
  await mia.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await robin.getByText('This message was deleted.').waitFor()

  // Who looks at a channel is not told what they see; a thread that is closed is told of, and opened from there.
  await mia.getByRole('button', { name: 'Close the thread' }).click()
  await write(robin, 'Write in picnic', '@Mia Member, come at three')
  await mia.getByRole('article').filter({ hasText: 'come at three' }).waitFor()
  await thread.getByRole('textbox', { name: 'Write a reply' }).fill('And the salt?')
  await robin.keyboard.press('Enter')
  const told = mia.getByRole('status').getByRole('link', { name: 'Robin Demo replied in a thread of yours in picnic' })
  await told.waitFor()
  assert.equal(await mia.getByRole('status').getByRole('link', { name: /mentioned you/ }).count(), 0)
  await told.click()
  await mia.getByRole('complementary', { name: 'Thread' }).getByText('And the salt?').waitFor()
  await mia.getByRole('button', { name: 'Close the thread' }).click()
  await mia.getByRole('searchbox', { name: 'Search messages' }).fill('brea')
  await mia.getByRole('link', { name: /Robin Demo.*picnic.*bread/ }).click()
  await mia.getByRole('heading', { name: 'picnic' }).waitFor()
})

test('a direct message is for its people, and what an agent wrote says so', async (t) => {
  const mia = await app.newPage(t, { as: app.mia })
  await mia.goto('/channels')
  await mia.getByRole('button', { name: 'New direct message' }).click()
  await mia.getByRole('checkbox', { name: 'Robin Demo' }).check()
  await mia.getByRole('button', { name: 'Write' }).click()
  await mia.getByRole('heading', { name: 'Robin Demo' }).waitFor()
  await write(mia, 'Write in Robin Demo', 'A word between us')
  await mia.getByRole('article').getByText('A word between us').waitFor()

  const robin = await app.newPage(t)
  await robin.goto('/channels')
  await robin.getByRole('region', { name: 'Direct messages' }).getByRole('link', { name: /Mia Member/ }).click()
  await robin.getByRole('article').getByText('A word between us').waitFor()
  await robin.getByRole('region', { name: 'Channels' }).getByRole('link', { name: /website-relaunch/ }).click()
  const written = robin.getByRole('article').filter({ hasText: 'What is open for the relaunch' })
  await written.getByText('Agent', { exact: true }).waitFor()
  await written.getByText('for Robin Demo').waitFor()
})
