// Turns under way: what is said while a person stops, reloads, writes on, or the server dies. The model says what the
// test tells it to, when it tells it to, so nothing here depends on time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp({ model: 'held' })
/** The server is away for a while. */
// Every word the browser has for a server that is gone; which one is a matter of the moment it went.
const AWAY = { expected: [/ERR_(CONNECTION_\w+|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/] }
let agents = 0

/** A chat with an agent that no other test talks to. */
async function open(t, options) {
  const agent = await app.owner.makeAgent({ name: `Speaker ${++agents}` })
  const page = await app.newPage(t, options)
  await page.goto(`/agents/${agent.id}`)
  return { agent, page, chat: new Chat(page) }
}

test('stop ends the answer here and the call of the model there', async (t) => {
  const { page, chat } = await open(t)
  await chat.send('Tell me a long story')
  const call = await app.model.call()
  call.say('Once upon a time ')
  await chat.answers.getByText('Once upon a time').waitFor()
  await chat.stop.click()
  await call.closed
  await chat.log.getByText('Stopped', { exact: true }).waitFor()
  await chat.answers.getByText('Once upon a time').waitFor()

  await page.getByRole('button', { name: 'Continue' }).click()
  const next = await app.model.call()
  next.say('there was an end.')
  next.end()
  await chat.answers.getByText('there was an end.').waitFor()
})

test('Escape stops too', async (t) => {
  const { chat } = await open(t)
  await chat.send('Tell me a long story')
  const call = await app.model.call()
  call.say('Once upon a time ')
  await chat.answers.getByText('Once upon a time').waitFor()
  await chat.box.press('Escape')
  await call.closed
  await chat.log.getByText('Stopped', { exact: true }).waitFor()
})

test('after an error: why, and Try again, also after a reload', async (t) => {
  const { page, chat } = await open(t)
  await chat.send('Tell me a joke')
  ;(await app.model.call()).fail(400, 'The joke server is on strike.')
  const problem = chat.log.getByRole('alert')
  await problem.getByText('The model refused the request: The joke server is on strike.').waitFor()
  await page.reload()
  await problem.getByText('The joke server is on strike.').waitFor()
  await problem.getByRole('button', { name: 'Try again' }).click()
  const call = await app.model.call()
  assert.equal(call.asked, 'Tell me a joke')
  call.say('Knock knock.').end()
  const answer = chat.answers.filter({ hasText: 'Knock knock.' })
  await answer.getByRole('button', { name: 'Copy message' }).waitFor()
  await problem.waitFor({ state: 'detached' })
  assert.deepEqual(await chat.own.getByRole('paragraph').allInnerTexts(), ['Tell me a joke'])
  await page.reload()
  await answer.waitFor()
  assert.equal(await problem.count(), 0)
  for (const article of await chat.answers.all()) {
    assert.match(await article.innerText(), /Knock knock|The joke server is on strike/, 'no message without words')
  }
})

test('a reload in the middle of an answer loses nothing and repeats nothing', async (t) => {
  const { page, chat } = await open(t)
  await chat.send('Count')
  const call = await app.model.call()
  call.say('one ').say('two ')
  await chat.answers.getByText('one two').waitFor()
  await page.reload()
  await chat.answers.getByText('one two').waitFor()
  await chat.stop.waitFor()
  call.say('three ')
  await chat.answers.getByText('one two three').waitFor()
  await page.reload({ waitUntil: 'commit' })
  call.say('four ').say('five.')
  call.end()
  await chat.settled()
  assert.equal(await chat.answers.getByRole('paragraph').innerText(), 'one two three four five.')
  assert.equal(await chat.own.count(), 1)
})

test('a message typed during a turn is queued, seen, and sent at its end', async (t) => {
  const { page, chat } = await open(t)
  await chat.send('First')
  const first = await app.model.call()
  first.say('Working on the first. ')
  await chat.answers.getByText('Working on the first.').waitFor()
  await chat.send('Second')
  await chat.send('Third')
  const queue = page.getByRole('region', { name: 'Waiting to be sent' })
  await queue.getByText('Second').waitFor()
  await queue.getByText('Third').waitFor()
  await queue.getByRole('button', { name: 'Remove' }).last().click()
  await queue.getByText('Third').waitFor({ state: 'detached' })
  first.end()
  const second = await app.model.call()
  assert.equal(second.asked, 'Second')
  await queue.waitFor({ state: 'detached' })
  second.say('And the second.').end()
  await chat.settled(2)
  assert.deepEqual(await chat.own.getByRole('paragraph').allInnerTexts(), ['First', 'Second'])
})

test('an edit is another version, with a pager between them', async (t) => {
  const { page, chat } = await open(t)
  await chat.send('How far is the moon?')
  ;(await app.model.call()).say('Far.').end()
  await chat.settled()
  const original = chat.conversationId
  await chat.own.getByRole('button', { name: 'Edit message' }).click()
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await editor.fill('How far is the sun?')
  await page.getByRole('button', { name: 'Send as new version' }).click()
  const call = await app.model.call()
  assert.equal(call.asked, 'How far is the sun?')
  call.say('Further.').end()
  await chat.answers.getByText('Further.').waitFor()
  await chat.settled()
  const versions = page.getByRole('group', { name: 'Versions' }).first()
  await versions.getByText('2/2').waitFor()
  assert.notEqual(chat.conversationId, original)
  await versions.getByRole('button', { name: 'Previous version' }).click()
  await chat.own.getByText('How far is the moon?').waitFor()
  await chat.answers.getByText('Far.', { exact: true }).waitFor()
  await versions.getByText('1/2').waitFor()
  await versions.getByRole('button', { name: 'Next version' }).click()
  await chat.answers.getByText('Further.').waitFor()
})

test('regenerating is a version too', async (t) => {
  const { page, chat } = await open(t)
  await chat.send('Give me a name')
  ;(await app.model.call()).say('Ada').end()
  await chat.settled()
  await chat.answers.getByRole('button', { name: 'Regenerate' }).click()
  const call = await app.model.call()
  assert.equal(call.asked, 'Give me a name')
  call.say('Grace').end()
  await chat.answers.getByText('Grace').waitFor()
  await page.getByRole('group', { name: 'Versions' }).getByText('2/2').first().waitFor()
})

test('six tabs at once: all can be used, and one connection tells them what happens', async (t) => {
  const { agent, page, chat } = await open(t)
  const context = page.context()
  const others = []
  for (let count = 1; count < 6; count++) {
    const tab = await context.newPage()
    await tab.goto(`/agents/${agent.id}`)
    await new Chat(tab).box.waitFor()
    others.push(tab)
  }
  const streams = page.seenRequests.filter((request) => new URL(request.url()).pathname === '/api/events')
  assert.equal(streams.length, 1)

  for (const [at, tab] of [chat, ...others.map((other) => new Chat(other))].entries()) {
    await tab.page.bringToFront()
    await tab.send(`Hello from tab ${at}`)
    const call = await app.model.call()
    assert.equal(call.asked, `Hello from tab ${at}`)
    call.say(`Hello to tab ${at}.`).end()
    await tab.answers.getByText(`Hello to tab ${at}.`).waitFor()
  }

  // Who held the connection leaves, and another takes it over.
  await page.close()
  const [next] = others
  const conversation = await app.owner.begin({ agentId: agent.id })
  await app.owner.patch(`/api/agent-conversations/${conversation.id}`, { title: 'Seen without a reload' })
  await next.bringToFront()
  await next.getByRole('button', { name: 'History' }).click()
  await next.getByRole('button', { name: /^Seen without a reload/ }).waitFor()
  await app.owner.patch(`/api/agent-conversations/${conversation.id}`, { title: 'Renamed elsewhere' })
  await next.getByRole('button', { name: /^Renamed elsewhere/ }).waitFor()
})

test('six tabs with six turns at once: each shows its own, and all can still be used', async (t) => {
  const { agent, page } = await open(t)
  const tabs = [page]
  while (tabs.length < 6) {
    const tab = await page.context().newPage()
    await tab.goto(`/agents/${agent.id}`)
    await new Chat(tab).box.waitFor()
    tabs.push(tab)
  }
  const calls = []
  for (const [at, tab] of tabs.entries()) {
    await tab.bringToFront()
    await new Chat(tab).send(`Story ${at}`)
    calls.push(await app.model.call())
    assert.equal(calls[at].asked, `Story ${at}`)
  }
  for (const [at, call] of calls.entries()) call.say(`Once upon a time ${at}`)
  for (const [at, tab] of tabs.entries()) {
    await tab.bringToFront()
    await new Chat(tab).answers.getByText(`Once upon a time ${at}`).waitFor()
  }
  const another = await page.context().newPage()
  await another.goto('/agents/discover')
  await another.getByRole('article').first().waitFor()
  await tabs[0].bringToFront()
  await new Chat(tabs[0]).stop.click()
  await calls[0].closed
  await tabs[1].bringToFront()
  await tabs[1].getByRole('link', { name: 'My Agents' }).click()
  await tabs[1].getByRole('article', { name: agent.name }).waitFor()
  for (const call of calls.slice(1)) call.say(', the end.').end()
  for (const tab of tabs.slice(2)) {
    await tab.bringToFront()
    await new Chat(tab).answers.getByText(', the end.').waitFor()
  }
})

test('the server is killed in the middle of an answer, and the page goes on when it is back', async (t) => {
  const { chat, page } = await open(t, AWAY)
  await chat.send('Tell me something')
  const lost = await app.model.call()
  lost.say('This was said before the end of the world. ')
  await chat.answers.getByText('This was said before').waitFor()
  await app.server.kill()
  await page.getByText('Reconnecting…').waitFor()
  await app.server.restart()
  const call = await app.model.call()
  call.say('And this after it.').end()
  await chat.answers.getByText('And this after it.').waitFor()
  await page.getByText('Reconnecting…').waitFor({ state: 'hidden' })
  await chat.settled()
  assert.equal(await chat.own.count(), 1)
  const { messages } = await app.owner.get(`/api/agent-conversations/${chat.conversationId}`)
  const shown = (await chat.answers.getByRole('paragraph').allInnerTexts()).join(' ').replace(/\s+/g, ' ').trim()
  assert.equal(shown, messages.at(-1).content.replace(/\s+/g, ' ').trim(), 'what is shown is what is kept')
})
