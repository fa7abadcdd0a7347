// What is written in a form isn't lost by the buttons of the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useApp } from '../harness.js'

const app = useApp()

test('Back asks before it throws a form away', async (t) => {
  const { id } = await app.owner.makeAgent({ name: 'Careful Agent' })
  const page = await app.newPage(t)
  const role = page.getByRole('textbox', { name: 'Role', exact: true })
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  // Not page.url(): Playwright hears of the page that came back before it hears where the browser had gone.
  const path = () => page.evaluate(() => window.location.pathname)

  await page.goto(`/agents/${id}`)
  await page.getByRole('link', { name: 'Agent settings' }).click()
  const saved = await role.inputValue()
  await role.fill('Takes care')
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()

  await page.goBack()
  await question.getByRole('button', { name: 'Stay here' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await role.inputValue(), 'Takes care')
  assert.equal(await path(), `/agents/${id}/settings`)

  await page.goBack()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('textbox', { name: 'Message Careful Agent' }).waitFor()
  assert.equal(await path(), `/agents/${id}`)

  // The form is the next entry of the history, with what was saved.
  await page.goForward()
  await role.waitFor()
  assert.equal(await role.inputValue(), saved)
  await page.goBack()
  await page.getByRole('textbox', { name: 'Message Careful Agent' }).waitFor()
})
