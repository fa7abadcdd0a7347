// Every page: axe finds nothing, in the light or in the dark, at a desk or as wide as a phone, and it fits a phone.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { DESKTOP, PHONE, useApp } from '../harness.js'
import { calm, fillEveryPage } from '../harness/every-page.js'

let pages
const app = useApp({
  prepare: async ({ owner }) => {
    pages = await fillEveryPage(owner)
  },
})
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The link that is tried is none, and the agent that is looked for isn't there. */
const REFUSALS = [/links\/preview 4/, /agents\/0{8}-\S+ 404/]

const EVERYTHING = { type: 'tag', values: WCAG }
/** What depends on colours; the rest of a page is the same in the dark. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

async function violations(page, runOnly) {
  // Run by the debugger, which the content security policy lets pass.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return await page.evaluate(async (runOnly) => {
    // Menus stand at the end of the document, outside of its landmarks, for as long as they are open.
    const hasMenu = document.querySelector('[role=menu]') !== null
    const rules = runOnly.type === 'tag' && hasMenu ? { region: { enabled: false } } : {}
    const { violations } = await window.axe.run(document, { runOnly, rules, resultTypes: ['violations'] })
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    }))
  }, runOnly)
}

/** Colours that fade from one theme to the other are neither. */
async function painted(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await Promise.allSettled(document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))
    await frame()
  })
}

async function check(page, { viewport = DESKTOP, inTheDark = COLOURS } = {}) {
  const found = []
  await page.setViewportSize(viewport)
  for (const [colorScheme, rules] of [['light', EVERYTHING], ['dark', inTheDark]]) {
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction((dark) => document.documentElement.classList.contains('dark') === dark, colorScheme === 'dark')
    await painted(page)
    for (const violation of await violations(page, rules)) found.push({ colorScheme, ...violation })
  }
  assert.deepEqual(found, [])
}

const nothing = (page) => page.getByRole('heading', { name: 'There is nothing at this address' })

test('every page', async (t) => {
  const windows = new Map()
  for (const [name, address, who] of pages) {
    if (!windows.has(who)) windows.set(who, await app.newPage(t, { as: who, expected: REFUSALS }))
    const page = windows.get(who)
    await t.test(name, async () => {
      await page.setViewportSize(DESKTOP)
      await page.goto('about:blank')
      await page.goto(address)
      await calm(page)
      assert.equal(await nothing(page).count(), name === 'not found' ? 1 : 0)
      await check(page)
      await page.setViewportSize(PHONE)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= PHONE.width, `${width} px wide on a phone`)
      await check(page, { viewport: PHONE, inTheDark: EVERYTHING })
    })
  }
})

const press = (page, name) => page.getByRole('button', { name }).first().click()
const pick = (page, name) => page.getByRole('menuitem', { name }).click()

/** What must be there for these to open: an agent that has written, and one of which a new version is published. */
async function fillOverlays(owner) {
  const scribe = await owner.makeAgent({ name: 'Scribe', tools: ['memory'], permission_mode: 'bypassPermissions' })
  const [{ conversationId }] = await owner.say('Please remember that I like tea.', { agentId: scribe.id })
  const { id, localAgentId } = (await owner.agents()).find(({ name }) => name === 'Budget Coach')
  const { current_version: version } = await owner.patch(`/api/admin/agents/${id}`, { description: 'Plans, and saves now.' })
  await owner.post(`/api/admin/agents/${id}/publish`, { version })
  return { coach: `/agents/${localAgentId}`, written: `/agents/${scribe.id}?conversation=${conversationId}` }
}

/** What opens over a page: its name, its role, where, and how. */
function overlays({ coach, written }) {
  return [
    ['hire dialog', 'dialog', '/agents/discover', (page) => press(page, /^Hire Agent/)],
    ['agent menu', 'menu', '/agents/hired', (page) => press(page, /^More about/)],
    ['unhire dialog', 'alertdialog', '/agents/hired', async (page) => {
      await press(page, /^More about/)
      await pick(page, 'Unhire…')
    }],
    ['reject form', 'textbox', '/agents/activity/pending', (page) => press(page, /^Reject/)],
    ['update dialog', 'dialog', `${coach}/settings`, (page) => press(page, 'Update to the published version')],
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
    // The last: from there no other address can be opened without a question by the browser itself.
    ['leave dialog', 'alertdialog', '/agents/new', async (page) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Half made')
      await page.getByRole('link', { name: 'Dashboard' }).click()
    }],
  ]
}

async function checkOverlay(page, [, role, address, open], options) {
  await page.goto(address)
  await calm(page)
  await open(page)
  const shown = page.getByRole(role)
  await shown.waitFor()
  await calm(page)
  await check(page, options)
  // Else it wasn't this that was looked at.
  assert.equal(await shown.isVisible(), true)
}

test('dialogs, menus and drawers', async (t) => {
  const page = await app.newPage(t)
  for (const overlay of overlays(await fillOverlays(app.owner))) await t.test(overlay[0], () => checkOverlay(page, overlay))
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
  const addressOf = (name) => pages.find(([one]) => one === name)[1]
  const drawers = [
    ['navigation drawer', 'dialog', '/settings', () => press(page, 'Open menu')],
    ['members of a team', 'dialog', addressOf('router chat'), () => press(page, 'Team')],
    ['stages of a team', 'dialog', addressOf('pipeline chat'), () => press(page, 'Team')],
  ]
  for (const drawer of drawers) await t.test(drawer[0], () => checkOverlay(page, drawer, { viewport: PHONE }))
})
