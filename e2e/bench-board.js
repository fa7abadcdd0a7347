// A board of 2,000 deals: until its cards are there, and a card that is dragged over all columns and along their edges, which
// scroll under it. How long the page is busy at a stretch, and how many frames it drops. `--cards`, `--seconds` change the load.
import { parseArgs } from 'node:util'
import { Api } from './harness/api.js'
import { launch, openWindow } from './harness/browser.js'
import { print, told, watch } from './harness/frames.js'
import { importDeals } from './harness/sales.js'
import { Server } from './harness/server.js'

const { values } = parseArgs({
  options: { cards: { type: 'string', default: '2000' }, seconds: { type: 'string', default: '15' } },
})
const [CARDS, SECONDS] = [values.cards, values.seconds].map(Number)

const server = await Server.start()
const browser = await launch()
try {
  const owner = new Api(server.origin)
  await owner.redeem(server.linkToken)
  await importDeals(owner, CARDS)

  const { context, problems } = await openWindow(browser, { origin: server.origin, cookies: owner.cookies, viewport: { width: 1600, height: 1000 } })
  const page = await context.newPage()
  // Cards make room for the one that is held by moving, as people see it who did not turn that off.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const began = performance.now()
  await page.goto('/sales')
  const card = page.locator('[data-card]').first()
  await card.waitFor()
  const opened = performance.now() - began
  const drawn = await page.locator('[data-card]').count()
  const box = await card.boundingBox()
  await page.mouse.move(box.x + 30, box.y + 15)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + 30, { steps: 4 })
  await page.evaluate(watch)
  await drag(page)
  const measured = await page.evaluate(() => window.measured())
  await page.mouse.up()
  if (problems.length > 0) throw new Error(problems.join('\n'))
  print([
    ['cards', CARDS],
    ['until the first cards are there', `${Math.round(opened)} ms`],
    ['cards that are drawn', drawn],
    ['dragged for', `${SECONDS} s`],
    ...told(measured),
  ])
} finally {
  await browser.close()
  await server.stop()
}

/** To and fro over the columns, and for a while at the lower edge of each. */
async function drag(page) {
  const end = performance.now() + SECONDS * 1_000
  for (let step = 0; performance.now() < end; step++) {
    const x = 900 + 600 * Math.sin(step / 90)
    const y = step % 600 < 300 ? 560 + 250 * Math.sin(step / 37) : 985
    await page.mouse.move(x, y)
    await new Promise((resolve) => setTimeout(resolve, 8))
  }
}
