// The same on a phone, and without a mouse.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, PHONE, useApp } from '../harness.js'

const app = useApp()

test('on a phone: the drawer, a chat, and Enter makes a new line', async (t) => {
  const agent = await app.owner.makeAgent({ name: 'Pocket Agent' })
  const page = await app.newPage(t, { viewport: PHONE, isPhone: true })
  await page.goto('/agents')
  await page.getByRole('button', { name: 'Open menu' }).tap()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'My Agents' }).tap()
  await page.getByRole('article', { name: agent.name }).getByRole('link', { name: /^Meet Agent/ }).tap()
  const chat = new Chat(page)
  await chat.box.fill('Hello,')
  await chat.box.press('Enter')
  await chat.box.pressSequentially('who are you?')
  assert.equal(await chat.box.inputValue(), 'Hello,\nwho are you?')
  await page.getByRole('button', { name: 'Send', exact: true }).tap()
  await chat.settled()
  await page.getByRole('button', { name: 'History' }).tap()
  await page.getByRole('dialog', { name: 'Conversation history' }).getByRole('button', { name: 'New conversation' }).tap()
  await page.getByRole('heading', { name: 'What should we meet about?' }).waitFor()
})

/** Presses Tab until what has the focus is what is looked for. */
async function tabTo(page, locator) {
  for (let presses = 0; presses < 80; presses++) {
    if (await locator.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${locator}`)
}

test('hire and chat by keyboard alone', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/agents/discover')
  const card = page.getByRole('article', { name: 'Vehicle Offers' })
  const hire = card.getByRole('button', { name: /^Hire Agent/ })
  await hire.waitFor()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: /skip/i })
  assert.equal(await skip.evaluate((element) => element === document.activeElement), true)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('searchbox', { name: 'Search agents' }))
  await page.keyboard.type('vehicle')
  await page.getByRole('article', { name: 'Translator' }).waitFor({ state: 'detached' })
  await tabTo(page, hire)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Hire Vehicle Offers?' })
  await dialog.waitFor()

  // Escape closes and gives the focus back.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Hire Agent'))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: 'Hire Agent' }))
  await page.keyboard.press('Enter')

  const chat = new Chat(page)
  await chat.box.waitFor()
  await tabTo(page, chat.box)
  await page.keyboard.type('I want a quote')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('for a Toyota')
  await page.keyboard.press('Enter')
  await chat.settled()
  assert.equal(await chat.own.getByRole('paragraph').innerText(), 'I want a quote\nfor a Toyota')

  // Who answers is chosen with the arrow keys.
  await chat.holder.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await menu.waitFor()
  await page.keyboard.type('Budget')
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Budget Coach'))
  await page.keyboard.press('Enter')
  await chat.holder.filter({ hasText: 'Budget Coach' }).waitFor()
})
