// Pages: found by words, written, changed by two at once, gone back to an earlier version, deleted and restored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'

const app = useApp()

test('a page is found while one types, opened from the tree by keys, and shows what links to it', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/knowledge')
  await page.getByRole('searchbox', { name: 'Search pages' }).fill('receip')
  await page.getByRole('link', { name: /Expense policy.*receipt/ }).click()
  await page.getByRole('heading', { name: 'Expense policy', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Linked from' }).waitFor()
  await page.getByRole('link', { name: 'Onboarding' }).waitFor()

  const here = page.getByRole('treeitem', { name: 'Expense policy' })
  await here.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Onboarding', level: 1 }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('treeitem', { name: 'Handbook', expanded: false }).waitFor()
})

test('a page is written, refused to who saw an older version, and goes back to an earlier one', async (t) => {
  const page = await app.newPage(t, { expected: [/409/] })
  await page.goto('/knowledge/new')
  await page.getByRole('textbox', { name: 'Title' }).fill('Packing list')
  await page.getByRole('textbox', { name: 'Text' }).fill('# Take along\n\n- tent\n\nSee [[Handbook]].')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await page.getByRole('heading', { name: 'Take along' }).waitFor()
  await page.getByRole('button', { name: 'Create page' }).click()
  await page.getByRole('heading', { name: 'Packing list', level: 1 }).waitFor()
  await page.getByRole('article').getByRole('link', { name: 'Handbook' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)

  await page.getByRole('button', { name: 'Edit' }).click()
  const { version } = await app.owner.get(`/api/knowledge/${id}`)
  await app.owner.patch(`/api/knowledge/${id}`, { version, body: 'Written by somebody else.' })
  await page.getByRole('textbox', { name: 'Text' }).fill('Mine.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone changed this page while you wrote.').waitFor()
  await page.getByRole('button', { name: 'Save mine over it' }).click()
  await page.getByRole('article').getByText('Mine.').waitFor()

  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('region', { name: 'Changes' }).getByText('Written by somebody else.').waitFor()
  await page.getByRole('list', { name: 'Versions' }).getByRole('button', { name: /Written/ }).click()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await page.getByRole('article').getByText('tent').waitFor()

  await page.getByRole('article').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  const { deleted_at: deletedAt } = await app.owner.get(`/api/knowledge/${id}`)
  assert.equal(deletedAt, null)
})

test('a starter of the Knowledge Curator shows which pages there are', async (t) => {
  const page = await app.newPage(t)
  const curator = await app.owner.agentNamed('Knowledge Curator')
  await page.goto(`/agents/${curator.id}`)
  await page.getByRole('button', { name: 'Which pages do we have?' }).click()
  await page.getByText('Website relaunch').first().waitFor()
})
