// A table of 100,000 transactions: until its first rows are there, scrolled by the wheel, and dragged to its end and its
// middle. How long the page is busy at a stretch, and how many frames it drops. `--rows`, `--seconds` change the load.
import { parseArgs } from 'node:util'
import { Api } from './harness/api.js'
import { launch, openWindow } from './harness/browser.js'
import { print, told, watch } from './harness/frames.js'
import { importFile } from './harness/money.js'
import { Server } from './harness/server.js'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, seconds: { type: 'string', default: '15' } },
})
const [ROWS, SECONDS] = [values.rows, values.seconds].map(Number)

const server = await Server.start()
const browser = await launch()
try {
  const owner = new Api(server.origin)
  await owner.redeem(server.linkToken)
  const account = await owner.makeRow('accounts', { name: 'Long', currency: 'EUR' })
  await importFile(owner, { name: 'long.csv', text: csv(), account: account.id })

  const { context, problems } = await openWindow(browser, { origin: server.origin, cookies: owner.cookies })
  const page = await context.newPage()
  const began = performance.now()
  await page.goto(`/money/transactions?account=${account.id}`)
  const grid = page.getByRole('grid', { name: 'Transactions' })
  await grid.getByText('Payee 1 ').first().waitFor()
  const opened = performance.now() - began
  await page.evaluate(watch)
  await scroll(page, grid)
  const toEnd = await drag(grid, 1, `Payee ${ROWS} `)
  const toMiddle = await drag(grid, 0.5)
  const measured = await page.evaluate(() => window.measured())
  if (problems.length > 0) throw new Error(problems.join('\n'))
  print([
    ['rows', ROWS],
    ['until the first rows are there', `${Math.round(opened)} ms`],
    ['dragged to the end', `${Math.round(toEnd)} ms until its rows are there`],
    ['dragged to the middle', `${Math.round(toMiddle)} ms until its rows are there`],
    ...told(measured),
  ])
} finally {
  await browser.close()
  await server.stop()
}

/** Falling days, so that the first line is the latest. */
function csv() {
  const day = (back) => new Date(Date.UTC(2026, 9, 31) - back * 86_400_000).toISOString().slice(0, 10)
  const lines = Array.from({ length: ROWS }, (_, at) => `${day(Math.floor(at / 40))},${-(at % 9_000) - 1}.50,Payee ${at + 1} of many`)
  return ['Date,Amount,Payee', ...lines].join('\n')
}

/** As a person turns the wheel. */
async function scroll(page, grid) {
  await grid.hover()
  const end = performance.now() + SECONDS * 1_000
  while (performance.now() < end) {
    await page.mouse.wheel(0, 400)
    await new Promise((resolve) => setTimeout(resolve, 16))
  }
}

/** As a person drags the scrollbar; until the rows there are no longer on their way. */
async function drag(grid, share, expected) {
  const began = performance.now()
  await grid.evaluate((element, part) => {
    element.scrollTop = (element.scrollHeight - element.clientHeight) * part
  }, share)
  if (expected !== undefined) await grid.getByText(expected).first().waitFor({ timeout: 60_000 })
  else {
    await grid.page().waitForFunction((element) => {
      const rows = [...element.querySelectorAll('[role=row][aria-rowindex]')].slice(1)
      return rows.length > 10 && rows.every((row) => row.textContent.includes('Payee'))
    }, await grid.elementHandle(), { timeout: 120_000 })
  }
  return performance.now() - began
}
