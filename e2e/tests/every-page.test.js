// Every page: axe finds nothing, in the light or in the dark, at a desk or as wide as a phone, and it fits a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DESKTOP, PHONE, useApp } from '../harness.js'
import { check, EVERYTHING } from '../harness/axe.js'
import { calm, fillEveryPage } from '../harness/every-page.js'
import { ON_THIS_MACHINE } from '../harness/tools.js'

let pages
const app = useApp({
  args: ON_THIS_MACHINE,
  prepare: async ({ owner }) => {
    pages = await fillEveryPage(owner)
  },
})
/** The link that is tried is none, and the agent that is looked for isn't there. */
const REFUSALS = [/links\/preview 4/, /agents\/0{8}-\S+ 404/]

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
