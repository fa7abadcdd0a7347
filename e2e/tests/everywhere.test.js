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
  const history = page.getByRole('button', { name: 'History' })
  const drawer = page.getByRole('dialog', { name: 'Conversation history' })
  await history.tap()
  await drawer.getByRole('button', { name: 'Close' }).tap()
  await history.and(page.locator(':focus')).waitFor()
  assert.equal(await page.getByRole('tooltip').count(), 0, 'the button has the focus again, and no tooltip')
  await history.tap()
  await drawer.getByRole('button', { name: 'New conversation' }).tap()
  await page.getByRole('heading', { name: 'What should we meet about?' }).waitFor()
})

/** Presses a key until what has the focus is what is looked for. */
async function tabTo(page, locator, key = 'Tab') {
  for (let presses = 0; presses < 80; presses++) {
    if (await locator.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never reaches ${locator}`)
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

  // Who answers is chosen by the first letters of a name.
  await tabTo(page, chat.holder, 'Shift+Tab')
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await menu.waitFor()
  await page.keyboard.type('Budget')
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Budget Coach'))
  await page.keyboard.press('Enter')
  await chat.holder.filter({ hasText: 'Budget Coach' }).waitFor()
})

/** What is wrong with where the focus is: nothing, or a few words. Runs in the page. */
function problemOfFocus() {
  const element = document.activeElement
  const name = `${element.tagName} ${element.ariaLabel ?? element.textContent.slice(0, 40)}`
  if (element === document.body) return `${name} is nowhere`
  // What is only the beginning of a page or a dialog isn't operated, and needs no mark.
  if (element.tabIndex < 0 && !element.matches('[role^=menuitem]')) return ''
  const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(element)
  const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
  const isHighlighted = element.matches('[role^=menuitem][data-highlighted]') && backgroundColor !== 'rgba(0, 0, 0, 0)'
  // Where one writes, the whole box shows it.
  const box = element.closest('form')
  const isBoxed = element.matches('textarea') && box?.matches(':focus-within') && parseFloat(getComputedStyle(box).borderTopWidth) >= 1
  if (!isOutlined && !isHighlighted && !isBoxed) return `${name} is not seen`
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
  const isInView = width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  return isInView ? '' : `${name} is out of view`
}

test('from signing in to a new conversation without a mouse, and the focus is always seen', async (t) => {
  const person = { name: 'Kit Keys', email: 'kit@example.org' }
  await app.api().signUp(person)
  const page = await app.newPage(t, { as: null })
  await page.addInitScript(`window.problemOfFocus = ${problemOfFocus}`)
  const look = async (after) => {
    // What closes gives the focus back a moment later.
    await page.waitForFunction(() => window.problemOfFocus() === '').catch(async () => {
      assert.fail(`after ${after}: ${await page.evaluate(problemOfFocus)}`)
    })
  }
  const press = async (key) => {
    await page.keyboard.press(key)
    await look(key)
  }
  /** Presses a key until what is looked for has the focus. */
  const reach = async (locator, key = 'Tab') => {
    await locator.waitFor()
    for (let presses = 0; presses < 60; presses++) {
      if (await locator.evaluate((element) => element === document.activeElement)) return
      await press(key)
    }
    assert.fail(`${key} never reaches ${locator}`)
  }

  await page.goto('/sign-in')
  await reach(page.getByLabel('Email'))
  await page.keyboard.type(person.email)
  await reach(page.getByLabel('Password', { exact: true }))
  await page.keyboard.type('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await reach(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }))
  await page.keyboard.press('Enter')

  const card = page.getByRole('article', { name: 'Translator' })
  const hire = card.getByRole('button', { name: /^Hire Agent/ })
  await hire.waitFor()
  await look('opening Discover')
  await reach(page.getByRole('searchbox', { name: 'Search agents' }))
  await page.keyboard.type('translat')
  await page.getByRole('article', { name: 'Budget Coach' }).waitFor({ state: 'detached' })
  await reach(hire)
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Hire Translator?' })
  await dialog.waitFor()
  await look('opening the dialog')
  await reach(dialog.getByRole('button', { name: 'Hire Agent' }))
  await page.keyboard.press('Enter')

  const chat = new Chat(page)
  await page.getByText('Hello, I translate.').waitFor()
  await look('hiring')
  await reach(chat.box)
  await page.keyboard.type('Hello there')
  await press('Enter')
  await chat.settled()
  await look('the answer')

  await reach(chat.holder, 'Shift+Tab')
  await press('Enter')
  const menu = page.getByRole('menu')
  await menu.waitFor()
  await press('Escape')
  await menu.waitFor({ state: 'detached' })
  await look('closing the menu')
  await press('Enter')
  await reach(menu.getByRole('menuitem', { name: /^\S*\s*Budget Coach/ }), 'ArrowDown')
  await press('Enter')
  await chat.holder.filter({ hasText: 'Budget Coach' }).waitFor()
  await look('the switch')

  const history = page.getByRole('button', { name: 'History' })
  await reach(history, 'Shift+Tab')
  await press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Conversation history' })
  await drawer.getByText('Hello there').waitFor()
  await look('opening the history')
  await press('Escape')
  await drawer.waitFor({ state: 'detached' })
  assert.equal(await history.evaluate((element) => element === document.activeElement), true, 'the focus is back')
  await press('Enter')
  await reach(drawer.getByRole('button', { name: 'New conversation' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What should we meet about?' }).waitFor()
  await drawer.waitFor({ state: 'detached' })
  await look('a new conversation')
})
