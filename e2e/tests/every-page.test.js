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

/** What opens over a page, and how. */
const OVERLAYS = [
  ['hire dialog', '/agents/discover', (page) => page.getByRole('button', { name: /^Hire Agent/ }).first().click()],
  ['agent menu', '/agents/hired', (page) => page.getByRole('button', { name: /^More about/ }).first().click()],
  ['unhire dialog', '/agents/hired', async (page) => {
    await page.getByRole('button', { name: /^More about/ }).first().click()
    await page.getByRole('menuitem', { name: 'Unhire…' }).click()
  }],
]

test('dialogs, menus and drawers', async (t) => {
  const page = await app.newPage(t)
  const agent = await app.owner.agentNamed('Budget Coach')
  const overlays = [
    ...OVERLAYS,
    ['history drawer', `/agents/${agent.id}`, async () => {
      await page.getByRole('button', { name: 'History' }).click()
      await page.getByRole('dialog', { name: 'Conversation history' }).waitFor()
    }],
    ['agent selector', `/agents/${agent.id}`, () => page.getByRole('button', { name: /choose who answers$/ }).click()],
  ]
  for (const [name, address, open] of overlays) {
    await t.test(name, async () => {
      await page.goto(address)
      await calm(page)
      await open(page)
      await check(page)
    })
  }
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
})
