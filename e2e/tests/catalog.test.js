// The catalog's agents and the copies that workspaces have hired.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'

const app = useApp()

test('a new version is published, offered to who hired the agent, and taken', async (t) => {
  const found = (await app.owner.agents()).find(({ name }) => name === 'Translator')
  const { id } = await app.owner.post(`/api/agents/${found.id}/hire`, { workspaceId: app.owner.workspace.id })
  const page = await app.newPage(t)
  const description = page.getByRole('textbox', { name: 'Description' })
  const greeting = page.getByRole('textbox', { name: 'Initial prompt' })

  await page.goto('/administration')
  await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('Translator')
  await page.getByRole('link', { name: /Translator/ }).click()
  await description.fill('Translates, and knows Danish now.')
  await greeting.fill('Hej, I translate Danish too.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as version 2. Publish it when it is ready.').waitFor()

  // Saved isn't published: nobody is offered anything.
  const elsewhere = await app.newPage(t)
  await elsewhere.goto('/agents/hired')
  const card = elsewhere.getByRole('article', { name: 'Translator' })
  await card.getByText('0 conversations').waitFor()
  assert.equal(await card.getByText('Update available').count(), 0)

  const versions = page.getByRole('listitem').filter({ hasText: /Version \d/ })
  await versions.filter({ hasText: 'Version 2' }).getByText('Draft').waitFor()
  await page.getByRole('button', { name: 'Publish version 2' }).first().click()
  await page.getByText('Version 2 of Translator is published.').waitFor()
  await versions.filter({ hasText: 'Version 2' }).getByText('Published').waitFor()

  await page.goto('/agents/hired')
  await page.getByRole('article', { name: 'Translator' }).getByText('Update available').waitFor()
  await page.goto(`/agents/${id}/settings`)
  await page.getByText('This copy was made from version 1.').waitFor()
  assert.notEqual(await description.inputValue(), 'Translates, and knows Danish now.', 'the copy is as it was')
  const offer = page.getByRole('button', { name: 'Update to the published version' })
  await offer.click()
  const dialog = page.getByRole('dialog', { name: 'Update Translator?' })
  await dialog.getByText('Hej, I translate Danish too.').waitFor()
  await dialog.getByRole('button', { name: 'Update', exact: true }).click()
  await page.getByText('Translator is up to date.').waitFor()
  await offer.waitFor({ state: 'detached' })
  assert.equal(await description.inputValue(), 'Translates, and knows Danish now.')
  assert.equal(await greeting.inputValue(), 'Hej, I translate Danish too.')

  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByText('Hej, I translate Danish too.').waitFor()
  await page.goto('/agents/hired')
  await page.getByRole('article', { name: 'Translator' }).getByText('0 conversations').waitFor()
  assert.equal(await page.getByText('Update available').count(), 0)
})
