// A conversation of 2,000 messages while an answer streams in at 100 tokens a second: how long the page is busy at a
// stretch, and how many frames it drops. `--messages`, `--rate`, `--seconds` change the load; `--only-recent` leaves the
// older messages where a person finds them, unread.
import { parseArgs } from 'node:util'
import { Api } from './harness/api.js'
import { launch, openWindow } from './harness/browser.js'
import { Chat } from './harness/chat.js'
import { print, told, watch } from './harness/frames.js'
import { HeldModel } from './harness/held-model.js'
import { Server } from './harness/server.js'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    'only-recent': { type: 'boolean', default: false },
  },
})
const [MESSAGES, RATE, SECONDS] = [values.messages, values.rate, values.seconds].map(Number)
/** Of a message that is read back: prose, a list and code, as agents write. */
const SAMPLE = [
  'Start with what is **fixed**: salaries, rent, software. Then the rest, [as agreed](https://example.org/plan):',
  '',
  '- a limit for each month, with a reserve',
  '- what was spent until now, and what is left',
  '',
  '```js\nconst left = limit - spent.reduce((sum, one) => sum + one, 0)\n```',
  '',
  'Tell me the three amounts and I will propose the others.',
].join('\n')

const model = await HeldModel.start()
const server = await Server.start(model.settings)
const browser = await launch()
try {
  const owner = new Api(server.origin)
  await owner.redeem(server.linkToken)
  const agent = await owner.makeAgent({ name: 'Talker' })
  const conversation = await owner.begin({ agentId: agent.id })
  await importMessages(owner, conversation.id)

  const { context, problems } = await openWindow(browser, { origin: server.origin, cookies: owner.cookies })
  const page = await context.newPage()
  const began = performance.now()
  await page.goto(`/agents/${agent.id}?conversation=${conversation.id}`)
  const chat = new Chat(page)
  await chat.answers.last().waitFor()
  const opened = performance.now() - began
  const shown = await (values['only-recent'] ? chat.log.getByRole('article').count() : readBack(page, chat))
  await page.evaluate(watch)
  await chat.send('Go on')
  await stream(await model.call())
  await chat.stop.waitFor({ state: 'hidden' })
  await chat.answers.last().getByText('one more word').first().waitFor()
  const measured = await page.evaluate(() => window.measured())
  if (problems.length > 0) throw new Error(problems.join('\n'))
  report({ opened, shown, ...measured })
} finally {
  await browser.close()
  await model.stop()
  await server.stop()
}

async function importMessages(owner, id) {
  for (let at = 0; at < MESSAGES; at += 100) {
    const messages = Array.from({ length: Math.min(100, MESSAGES - at) }, (_, index) =>
      index % 2 === 0 ? { role: 'user', content: `Question ${at + index}` } : { role: 'assistant', content: SAMPLE },
    )
    await owner.post(`/api/agent-conversations/${id}/messages`, { messages })
  }
}

/** Scrolls up until every message was on the page, then goes back to the latest. */
async function readBack(page, chat) {
  const articles = chat.log.getByRole('article')
  for (;;) {
    await chat.log.press('Home')
    const count = await articles.count()
    if (count >= MESSAGES) break
    await page.waitForFunction((before) => document.querySelectorAll('[role=region] article').length > before, count)
  }
  const all = await articles.count()
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await articles.last().getByText('Tell me the three amounts').waitFor()
  return all
}

/** Tokens in steady steps: those that are due are said together when a timer was late. */
async function stream(call) {
  const words = 'Here is one more word for the answer, and then `another`, **bold** as it is. '.split(/(?<= )/)
  const began = performance.now()
  for (let said = 0; said < RATE * SECONDS; ) {
    const due = Math.min(RATE * SECONDS, ((performance.now() - began) / 1_000) * RATE)
    for (; said < due; said++) call.say(words[said % words.length] + (said % 120 === 119 ? '\n\n' : ''))
    await new Promise((resolve) => setTimeout(resolve, 1_000 / RATE))
  }
  call.end()
}

function report({ opened, shown, ...measured }) {
  print([
    ['messages read', shown],
    ['until the chat could be read', `${Math.round(opened)} ms`],
    ['streamed', `${RATE} tokens/s for ${SECONDS} s`],
    ...told(measured),
  ])
}
