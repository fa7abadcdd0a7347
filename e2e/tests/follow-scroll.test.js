// The newest words stay in view until a person goes up, however they do it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp({ model: 'held' })
let agents = 0

const lines = (name, count) => Array.from({ length: count }, (_, at) => `${name} ${at}.\n\n`).join('')

/** A chat with a long answer in it and another under way. */
async function openLong(t) {
  const agent = await app.owner.makeAgent({ name: `Teller ${++agents}` })
  const page = await app.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('Tell me a story')
  ;(await app.model.call()).say(lines('Chapter', 60)).end()
  await chat.settled()
  await chat.send('And another')
  const call = await app.model.call()
  const say = async (name) => {
    call.say(lines(name, 20))
    await chat.answers.getByText(`${name} 19.`).waitFor()
    await settle(page)
  }
  await say('Page')
  return { page, chat, call, say, latest: page.getByRole('button', { name: 'Jump to latest' }) }
}

/** What is drawn is measured, and what is measured scrolls, each a frame later. */
const settle = (page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  })

const where = (chat) =>
  chat.log.evaluate((view) => ({ top: view.scrollTop, left: view.scrollHeight - view.scrollTop - view.clientHeight }))

test('the newest words stay in view, also when the window grows and shrinks', async (t) => {
  const { page, chat, call, say, latest } = await openLong(t)
  for (const [name, height] of [['Larger', 1100], ['Smaller', 600], ['Usual', 800]]) {
    await page.setViewportSize({ width: 1280, height })
    await settle(page)
    await say(name)
    assert.ok((await where(chat)).left < 3, `${name}: ${JSON.stringify(await where(chat))}`)
  }
  // What is shown gets less.
  call.end()
  await chat.settled(2)
  await page.setViewportSize({ width: 1600, height: 800 })
  await settle(page)
  assert.ok((await where(chat)).left < 3)
  assert.equal(await latest.count(), 0)
})

test('a long conversation opens at its end, and what comes is followed', async (t) => {
  const { owner, model } = app
  const agent = await owner.makeAgent({ name: `Teller ${++agents}` })
  const conversation = await owner.begin({ agentId: agent.id })
  // Long and short by turns: what is out of sight is first taken for all of one size.
  for (let turn = 0; turn < 24; turn++) {
    const said = owner.say(`Question ${turn}`, { conversationId: conversation.id })
    ;(await model.call()).say(turn % 3 === 0 ? lines('Chapter', 15) : 'Yes.').end()
    await said
  }
  const page = await app.newPage(t)
  await page.goto(`/agents/${agent.id}?conversation=${conversation.id}`)
  const chat = new Chat(page)
  await chat.own.getByText('Question 23').waitFor()
  await settle(page)
  assert.ok((await where(chat)).left < 3, JSON.stringify(await where(chat)))
  await chat.send('And now?')
  const call = await model.call()
  call.say(lines('Page', 30))
  await chat.answers.getByText('Page 29.').waitFor()
  await settle(page)
  assert.ok((await where(chat)).left < 3, JSON.stringify(await where(chat)))
  call.end()
  await chat.settled()
})

const WAYS = {
  'by Shift and Tab': async ({ chat, page }) => {
    await chat.box.focus()
    await page.keyboard.press('Shift+Tab')
    assert.ok(await chat.log.evaluate((view) => view !== document.activeElement && view.contains(document.activeElement)))
  },
  'by Shift and Space': async ({ chat, page }) => {
    await chat.log.focus()
    await page.keyboard.press('Shift+Space')
  },
  'by a search in the page, of which only the scroll is seen': ({ chat }) =>
    chat.log.evaluate((view) => {
      view.scrollTop -= 300
    }),
}

for (const [way, goUp] of Object.entries(WAYS)) {
  test(`whoever goes up ${way} is left there`, async (t) => {
    const { page, chat, call, say, latest } = await openLong(t)
    const end = await where(chat)
    assert.ok(end.left < 3)
    await goUp({ chat, page })
    await settle(page)
    await say('Later')
    await latest.waitFor()
    const { top } = await where(chat)
    assert.ok(top <= end.top, 'words that came did not pull it down')
    await say('Last')
    assert.ok((await where(chat)).left > 300)

    await latest.click()
    await say('End')
    assert.ok((await where(chat)).left < 3, 'the button takes hold again')
    call.end()
  })
}
