// What axe finds on a page, in the light and in the dark.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { DESKTOP } from './browser.js'

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export const EVERYTHING = { type: 'tag', values: WCAG }
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

/** Fails on anything that axe finds. */
export async function check(page, { viewport = DESKTOP, inTheDark = COLOURS } = {}) {
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
