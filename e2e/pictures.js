// A picture of every page, in both themes, at a desk and on a phone, to be looked at: `node e2e/pictures.js FOLDER`.
// `--readme` makes the README's own instead, in docs/images.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Api } from './harness/api.js'
import { DESKTOP, launch, openWindow, PHONE } from './harness/browser.js'
import { calm, fillEveryPage } from './harness/every-page.js'
import { Server } from './harness/server.js'
import { ON_THIS_MACHINE } from './harness/tools.js'

const SCREENS = [
  { name: 'desk', viewport: DESKTOP },
  { name: 'phone', viewport: PHONE, isPhone: true },
]
/** File, page, how it is seen, and what must be in the picture. */
const README = [
  ['dashboard', 'dashboard', {}],
  ['chat-handoff', 'team chat with a handoff', {}, 'Routed to SDR'],
  ['chat-dark', 'chat that asks for approval', { colorScheme: 'dark' }],
  ['pipeline', 'pipeline chat', { viewport: { width: 1440, height: 900 } }],
  ['handoff-builder', 'tool', { viewport: { width: 1280, height: 900 } }],
  ['phone', 'team chat with a handoff', { viewport: PHONE, isPhone: true }, 'Routed to SDR'],
]
/** Until what is only loaded when it is needed is there: the reader of markdown, say. */
const SETTLED = 500

const { values, positionals } = parseArgs({ options: { readme: { type: 'boolean', default: false } }, allowPositionals: true })
const folder = values.readme ? path.resolve(import.meta.dirname, '../docs/images') : positionals[0]
if (folder === undefined) throw new Error('Where to? node e2e/pictures.js FOLDER')
await mkdir(folder, { recursive: true })

const [server, browser] = await Promise.all([Server.start(ON_THIS_MACHINE), launch()])
try {
  const owner = new Api(server.origin)
  await owner.redeem(server.linkToken)
  const pages = await fillEveryPage(owner)
  const take = async ([, address, who], file, seen, shown) => {
    const { context } = await openWindow(browser, { origin: server.origin, cookies: who?.cookies, ...seen })
    const page = await context.newPage()
    await page.goto(address)
    await calm(page)
    await page.waitForTimeout(SETTLED)
    if (shown !== undefined) await page.getByText(shown).evaluate((place) => place.scrollIntoView({ block: 'center' }))
    await page.screenshot({ path: path.join(folder, `${file}.png`) })
    await context.close()
  }
  if (values.readme) {
    for (const [file, name, seen, shown] of README) await take(pages.find(([page]) => page === name), file, seen, shown)
  } else {
    for (const page of pages) {
      for (const { name, ...screen } of SCREENS) {
        for (const colorScheme of ['light', 'dark']) {
          await take(page, `${page[0].replaceAll(/\W+/g, '-')}-${name}-${colorScheme}`, { ...screen, colorScheme })
        }
      }
    }
  }
} finally {
  await browser.close()
  await server.stop()
}
