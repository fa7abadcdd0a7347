// Two people look at one channel: how long after somebody presses Enter the message stands on the other's page. `--messages`
// changes how many are written, `--before` how many were written earlier.
import { parseArgs } from 'node:util'
import { Api } from './harness/api.js'
import { launch, openWindow } from './harness/browser.js'
import { print } from './harness/frames.js'
import { Server } from './harness/server.js'

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '60' }, before: { type: 'string', default: '500' } },
})
const [MESSAGES, BEFORE] = [values.messages, values.before].map(Number)

const server = await Server.start()
const browser = await launch()
try {
  const robin = new Api(server.origin)
  await robin.redeem(server.linkToken)
  const { token } = await robin.post(`/api/workspaces/${robin.workspace.id}/invitations`, { role: 'member' })
  const mia = new Api(server.origin)
  await mia.post('/api/auth/sign-up', { name: 'Mia Member', email: 'mia@example.org', password: 'correct horse battery', invitation: token })
  const channel = await robin.post('/api/channels', { workspaceId: robin.workspace.id, kind: 'open', name: 'race' })
  await mia.post(`/api/channels/${channel.id}/join`, {})
  for (let number = 1; number <= BEFORE; number++) await robin.post(`/api/channels/${channel.id}/messages`, { text: `Earlier ${number}` })

  const open = async (cookies) => {
    const { context, problems } = await openWindow(browser, { origin: server.origin, cookies })
    const page = await context.newPage()
    await page.goto(`/channels/${channel.id}`)
    await page.getByRole('article').filter({ hasText: `Earlier ${BEFORE}` }).waitFor()
    return { page, problems }
  }
  const [writer, reader] = [await open(robin.cookies), await open(mia.cookies)]
  await reader.page.evaluate(watch)
  await writer.page.evaluate(clock)
  const box = writer.page.getByRole('textbox', { name: 'Write in race' })
  for (let number = 1; number <= MESSAGES; number++) {
    await box.fill(`Message number ${number}.`)
    await box.press('Enter')
    await reader.page.waitForFunction((name) => window.arrived.has(name), `Message number ${number}.`)
  }
  const [sent, arrived] = [await writer.page.evaluate(() => window.sent), await reader.page.evaluate(() => [...window.arrived])]
  const problems = [...writer.problems, ...reader.problems]
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const came = new Map(arrived)
  const times = sent.map(({ text, at }) => came.get(text) - at).sort((a, b) => a - b)
  if (times.length !== MESSAGES) throw new Error(`${times.length} of ${MESSAGES} were measured`)
  const at = (share) => `${Math.round(times[Math.floor((times.length - 1) * share)])} ms`
  print([
    ['messages', MESSAGES],
    ['from Enter to the other page, p50', at(0.5)],
    ['p90', at(0.9)],
    ['p99', at(0.99)],
    ['longest', at(1)],
  ])
} finally {
  await browser.close()
  await server.stop()
}

/** In the reader's page: when each message was drawn, by the clock that all pages of a machine share. */
function watch() {
  window.arrived = new Map()
  const look = () => {
    const now = Date.now()
    for (const article of document.querySelectorAll('article')) {
      const text = /Message number \d+\./.exec(article.textContent)?.[0]
      if (text !== undefined && !window.arrived.has(text)) window.arrived.set(text, now)
    }
  }
  new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, { childList: true, subtree: true, characterData: true })
}

/** In the writer's page: when Enter was pressed. */
function clock() {
  window.sent = []
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter') window.sent.push({ text: event.target.value, at: Date.now() })
  }, true)
}
