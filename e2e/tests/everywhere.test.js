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
  await focused(page, history)
  assert.equal(await page.getByRole('tooltip').count(), 0, 'the button has the focus again, and no tooltip')
  await history.tap()
  await drawer.getByRole('button', { name: 'New conversation' }).tap()
  await page.getByRole('heading', { name: 'What should we meet about?' }).waitFor()
})

test('on a phone: who may see and change what, for every role', async (t) => {
  const page = await app.newPage(t, { viewport: PHONE, isPhone: true })
  await page.goto('/settings/who-may')
  for (const name of ['Money for Admin', 'Money for Member', 'Knowledge for Member']) {
    const { x, width } = await page.getByRole('combobox', { name }).boundingBox()
    assert.ok(x >= 0 && x + width <= PHONE.width, `${name} ends at ${x + width} px`)
  }
})

/**
 * Presses a key until what is looked for has the focus. Each press moves the focus; in a menu only a moment later, and
 * who doesn't wait for that may press once too often.
 */
async function reach(page, locator, { key = 'Tab', look } = {}) {
  await locator.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    const before = await page.evaluateHandle(() => document.activeElement)
    if (await locator.evaluate((element, focused) => element === focused, before)) return
    await page.keyboard.press(key)
    await page.waitForFunction((focused) => document.activeElement !== focused, before).catch(() => {
      assert.fail(`${key} leads on to nothing, and never reaches ${locator}`)
    })
    await look?.(key)
  }
  assert.fail(`${key} never reaches ${locator}`)
}

/** Until it has the focus: what opens takes it, and what closes gives it back, a moment later. */
async function focused(page, locator) {
  await locator.and(page.locator(':focus')).waitFor()
}

/** Opens the menu that has the focus on its button, and waits until keys lead through it. */
async function openMenu(page) {
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await focused(page, menu.getByRole('menuitem').first())
  return menu
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
  await reach(page, page.getByRole('searchbox', { name: 'Search agents' }))
  await page.keyboard.type('vehicle')
  await page.getByRole('article', { name: 'Translator' }).waitFor({ state: 'detached' })
  await reach(page, hire)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Hire Vehicle Offers?' })
  await dialog.waitFor()

  // Escape closes and gives the focus back.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Hire Agent'))
  await page.keyboard.press('Enter')
  await reach(page, dialog.getByRole('button', { name: 'Hire Agent' }))
  await page.keyboard.press('Enter')

  const chat = new Chat(page)
  await chat.box.waitFor()
  await reach(page, chat.box)
  await page.keyboard.type('I want a quote')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('for a Toyota')
  await page.keyboard.press('Enter')
  await chat.settled()
  assert.equal(await chat.own.getByRole('paragraph').innerText(), 'I want a quote\nfor a Toyota')

  // Who answers is chosen by the first letters of a name.
  await reach(page, chat.holder, { key: 'Shift+Tab' })
  const menu = await openMenu(page)
  await page.keyboard.type('Budget')
  await focused(page, menu.getByRole('menuitem').filter({ hasText: 'Budget Coach' }))
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
  const go = (locator, key) => reach(page, locator, { key, look })

  await page.goto('/sign-in')
  await go(page.getByLabel('Email'))
  await page.keyboard.type(person.email)
  await go(page.getByLabel('Password', { exact: true }))
  await page.keyboard.type('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await go(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }))
  await page.keyboard.press('Enter')

  const card = page.getByRole('article', { name: 'Translator' })
  const hire = card.getByRole('button', { name: /^Hire Agent/ })
  await hire.waitFor()
  await look('opening Discover')
  await go(page.getByRole('searchbox', { name: 'Search agents' }))
  await page.keyboard.type('translat')
  await page.getByRole('article', { name: 'Budget Coach' }).waitFor({ state: 'detached' })
  await go(hire)
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Hire Translator?' })
  await dialog.waitFor()
  await look('opening the dialog')
  await go(dialog.getByRole('button', { name: 'Hire Agent' }))
  await page.keyboard.press('Enter')

  const chat = new Chat(page)
  await page.getByText('Hello, I translate.').waitFor()
  await look('hiring')
  await go(chat.box)
  await page.keyboard.type('Hello there')
  await press('Enter')
  await chat.settled()
  await look('the answer')

  await go(chat.holder, 'Shift+Tab')
  const menu = await openMenu(page)
  await look('opening the menu')
  await press('Escape')
  await menu.waitFor({ state: 'detached' })
  await focused(page, chat.holder)
  await look('closing the menu')
  await openMenu(page)
  await go(menu.getByRole('menuitem', { name: /^\S*\s*Budget Coach/ }), 'ArrowDown')
  await press('Enter')
  await chat.holder.filter({ hasText: 'Budget Coach' }).waitFor()
  await look('the switch')

  const history = page.getByRole('button', { name: 'History' })
  await go(history, 'Shift+Tab')
  await press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Conversation history' })
  await drawer.getByText('Hello there').waitFor()
  await look('opening the history')
  await press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await focused(page, history)
  await press('Enter')
  await go(drawer.getByRole('button', { name: 'New conversation' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What should we meet about?' }).waitFor()
  await drawer.waitFor({ state: 'detached' })
  await look('a new conversation')
})
