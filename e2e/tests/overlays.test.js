// What opens over a page, or in its place: axe finds nothing in it, in the light or in the dark, and on a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PHONE, useApp } from '../harness.js'
import { check } from '../harness/axe.js'
import { calm, fillEveryPage } from '../harness/every-page.js'
import { ON_THIS_MACHINE } from '../harness/tools.js'

let pages
const app = useApp({
  args: ON_THIS_MACHINE,
  prepare: async ({ owner }) => {
    pages = await fillEveryPage(owner)
  },
})
const addressOf = (name) => pages.find(([one]) => one === name)[1]

const press = (page, name) => page.getByRole('button', { name }).first().click()
const pick = (page, name) => page.getByRole('menuitem', { name }).click()

/** What must be there for these to open: an agent that has written, and one of which a new version is published. */
async function fillOverlays(owner) {
  const scribe = await owner.makeAgent({ name: 'Scribe', tools: ['memory'], permission_mode: 'bypassPermissions' })
  const [{ conversationId }] = await owner.say('Please remember that I like tea.', { agentId: scribe.id })
  const { id, localAgentId } = (await owner.agents()).find(({ name }) => name === 'Budget Coach')
  const { current_version: version } = await owner.patch(`/api/admin/agents/${id}`, { description: 'Plans, and saves now.' })
  await owner.post(`/api/admin/agents/${id}/publish`, { version })
  const document = addressOf('knowledge page')
  return { document, coach: `/agents/${localAgentId}`, written: `/agents/${scribe.id}?conversation=${conversationId}` }
}

/** What opens over a page: its name, its role (with its own name, if there are more of these), where, and how. */
function overlays({ document, coach, written }) {
  return [
    ['hire dialog', 'dialog', '/agents/discover', (page) => press(page, /^Hire Agent/)],
    ['agent menu', 'menu', '/agents/hired', (page) => press(page, /^More about/)],
    ['unhire dialog', 'alertdialog', '/agents/hired', async (page) => {
      await press(page, /^More about/)
      await pick(page, 'Unhire…')
    }],
    ['reject form', 'textbox', '/agents/activity/pending', (page) => press(page, /^Reject/)],
    ['provider form', ['group', 'Model 1'], '/administration/models', async (page) => {
      await press(page, 'Add provider')
      await press(page, 'Add model')
      await page.getByRole('textbox', { name: 'Model', exact: true }).fill('llama')
    }],
    ['update dialog', 'dialog', `${coach}/settings`, (page) => press(page, 'Update to the published version')],
    ['new transaction', 'dialog', '/money/transactions', (page) => press(page, 'New transaction')],
    ['transaction', 'dialog', '/money/transactions', (page) => page.getByRole('gridcell').getByText('Sunny Homes').first().click()],
    ['parts of a transaction', ['dialog', /^Split /], '/money/transactions', async (page) => {
      await page.getByRole('gridcell').getByText('Sunny Homes').first().click()
      await press(page, 'Split…')
    }],
    ['deal', 'dialog', '/sales', (page) => press(page, 'Fleet tracking for 40 vans')],
    ['move of a deal', 'menu', '/sales', async (page) => {
      await page.getByRole('button', { name: 'Pallet scanners', exact: true }).focus()
      await press(page, 'Move Pallet scanners')
    }],
    ['reason for losing a deal', 'dialog', '/sales', async (page) => {
      await page.getByRole('button', { name: 'Pallet scanners', exact: true }).focus()
      await press(page, 'Move Pallet scanners')
      await pick(page, 'Lost')
    }],
    ['new activity', 'dialog', '/sales/activities', (page) => press(page, 'New activity')],
    ['merge of contacts', 'dialog', addressOf('contact'), async (page) => {
      await press(page, /^More about Ada/)
      await pick(page, 'Merge with another…')
      await press(page, 'Merge with')
      await page.getByRole('option', { name: 'A. Kern' }).click()
      await page.getByText('A. Kern').first().waitFor()
    }],
    ['task', 'dialog', addressOf('project'), (page) => press(page, 'Get the network going')],
    ['calendar address', 'dialog', '/projects', async (page) => {
      await press(page, 'Calendar')
      await press(page, /^Make a/)
    }],
    ['new channel', 'alertdialog', '/channels', (page) => press(page, 'New channel')],
    ['new direct message', 'alertdialog', '/channels', (page) => press(page, 'New direct message')],
    ['open channels', 'dialog', '/channels', (page) => press(page, 'Browse channels')],
    ['people of a channel', 'dialog', addressOf('channel'), (page) => press(page, /people$/)],
    ['people to mention', 'listbox', addressOf('channel'), (page) => page.getByRole('textbox').last().fill('@')],
    ['knowledge menu', 'menu', '/knowledge', (page) => press(page, 'More actions')],
    ['import of pages', 'dialog', '/knowledge', async (page) => {
      await press(page, 'More actions')
      await pick(page, 'Import')
    }],
    ['deleted pages', 'dialog', '/knowledge', async (page) => {
      await press(page, 'More actions')
      await pick(page, 'Deleted pages')
    }],
    ['search of pages', ['link', /receipt/], '/knowledge', (page) => page.getByRole('searchbox', { name: 'Search pages' }).fill('receip')],
    ['page editor', ['textbox', 'Text'], document, (page) => press(page, 'Edit')],
    ['page history', ['list', 'Versions'], document, (page) => press(page, 'History')],
    ['move of a page', 'alertdialog', document, async (page) => {
      await page.getByRole('article').getByRole('button', { name: 'More actions' }).click()
      await pick(page, 'Move')
    }],
    ['tool menu', 'menu', '/agents/tools', (page) => press(page, /^More about/)],
    ['delete a tool', 'alertdialog', '/agents/tools', async (page) => {
      await press(page, /^More about/)
      await pick(page, 'Delete…')
    }],
    ['arguments as JSON', ['textbox', 'Arguments as JSON'], addressOf('http tool'), (page) => press(page, /^Edit as JSON$/)],
    ['workspace menu', 'menu', '/settings', (page) => press(page, /^Workspace:/)],
    ['new workspace dialog', 'dialog', '/settings', async (page) => {
      await press(page, /^Workspace:/)
      await pick(page, 'Create a workspace…')
    }],
    ['person menu', 'menu', '/settings', (page) => press(page, /^Account:/)],
    ['keyboard shortcuts', 'dialog', '/settings', async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
    }],
    ['agent selector', 'menu', coach, (page) => press(page, /choose who answers$/)],
    ['history drawer', 'dialog', written, (page) => press(page, 'History')],
    ['delete dialog', 'alertdialog', written, async (page) => {
      await press(page, 'History')
      await press(page, /^More about/)
      await pick(page, 'Delete…')
    }],
    ['usage popover', 'dialog', written, (page) => press(page, 'Usage and cost')],
    ['fork warning', 'alertdialog', written, (page) => press(page, 'Regenerate')],
  ]
}

/** In forms that somebody began to fill in. From there the browser itself asks before it opens another address: each has a page of its own. */
const IN_FORMS = [
  ['parameter of a tool', ['group', 'Parameter 1'], '/agents/tools/new/api', (page) => press(page, 'Add parameter')],
  ['leave dialog', 'alertdialog', '/agents/new', async (page) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Half made')
    await page.getByRole('link', { name: 'Dashboard' }).click()
  }],
]

async function checkOverlay(page, [, role, address, open], options) {
  await page.goto(address)
  await calm(page)
  await open(page)
  const [is, called] = [role].flat()
  const shown = page.getByRole(is, { name: called, exact: true })
  await shown.waitFor()
  await calm(page)
  await check(page, options)
  // Else it wasn't this that was looked at.
  assert.equal(await shown.isVisible(), true)
}

test('dialogs, menus and drawers', async (t) => {
  const page = await app.newPage(t)
  for (const overlay of overlays(await fillOverlays(app.owner))) await t.test(overlay[0], () => checkOverlay(page, overlay))
  for (const overlay of IN_FORMS) await t.test(overlay[0], async (own) => checkOverlay(await app.newPage(own), overlay))
})

test('on a phone', async (t) => {
  const page = await app.newPage(t, { viewport: PHONE, isPhone: true })
  const agent = await app.owner.agentNamed('Budget Coach')
  for (const address of ['/agents', '/agents/discover', `/agents/${agent.id}`, `/agents/${agent.id}/settings`, '/settings']) {
    await t.test(address, async () => {
      await page.goto(address)
      await calm(page)
      await check(page, { viewport: PHONE })
    })
  }
  const drawers = [
    ['navigation drawer', 'dialog', '/settings', () => press(page, 'Open menu')],
    ['members of a team', 'dialog', addressOf('router chat'), () => press(page, 'Team')],
    ['stages of a team', 'dialog', addressOf('pipeline chat'), () => press(page, 'Team')],
  ]
  for (const drawer of drawers) await t.test(drawer[0], () => checkOverlay(page, drawer, { viewport: PHONE }))
})
