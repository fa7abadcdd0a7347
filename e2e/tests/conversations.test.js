// What a person sees of all their conversations beside the page, and in one: its title, its times, and code in colours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, PHONE, useApp } from '../harness.js'

const app = useApp({ model: 'held' })

const QUESTION = 'How do I count the invoices?'
const ANSWER = 'Like this:\n\n```sql\nSELECT count(*) FROM invoices -- all of them\n```\n\nTry it.'

test('conversations are listed beside every page, live, with who holds each', async (t) => {
  const { owner, model } = app
  await owner.makeAgent({ name: 'Second Desk' })
  const first = await owner.makeAgent({ name: 'First Desk' })
  const page = await app.newPage(t)
  await page.goto(`/agents/${first.id}`)
  const elsewhere = await app.newPage(t)
  await elsewhere.goto('/agents/hired')
  const chat = new Chat(page)
  await chat.send(QUESTION)
  const call = await model.call()
  const entryIn = (tab) => tab.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: new RegExp(`^${QUESTION.replace('?', '\\?')}`) })
  await entryIn(elsewhere).getByText('Answering').waitFor({ state: 'attached' })
  call.say(ANSWER)
  call.end()
  await chat.settled()
  await entryIn(elsewhere).getByText('Answering').waitFor({ state: 'detached' })
  await entryIn(elsewhere).getByText('First Desk').waitFor()
  assert.equal(await entryIn(page).getAttribute('aria-current'), 'page')

  await chat.choose(/^Second Desk/)
  await entryIn(elsewhere).getByText('Second Desk').waitFor()
  await entryIn(elsewhere).click()
  await new Chat(elsewhere).by('First Desk').waitFor()
  assert.equal(new URL(elsewhere.url()).searchParams.get('conversation'), new URL(page.url()).searchParams.get('conversation'))
})

test('a chat shows its title, when each message was said, and code in colours', async (t) => {
  const { owner, model } = app
  const desk = await owner.makeAgent({ name: 'Code Desk' })
  const page = await app.newPage(t)
  await page.goto(`/agents/${desk.id}`)
  const chat = new Chat(page)
  await chat.send(QUESTION)
  const call = await model.call()
  call.say(ANSWER)
  call.end()
  await chat.settled()
  await page.locator('main header').getByText(QUESTION).waitFor()
  assert.equal(await chat.log.locator('article time').count(), 2)
  const keyword = chat.log.locator('code .hljs-keyword').first()
  await keyword.waitFor()
  const colors = await keyword.evaluate((span) => [getComputedStyle(span).color, getComputedStyle(span.closest('code')).color])
  assert.notEqual(colors[0], colors[1])
})

test('on a phone the drawer lists them, and closes behind one', async (t) => {
  const page = await app.newPage(t, { viewport: PHONE, isPhone: true })
  await page.goto('/agents')
  await page.getByRole('button', { name: 'Open menu' }).click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await drawer.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click()
  await page.getByRole('article').first().waitFor()
  await drawer.waitFor({ state: 'detached' })
})
