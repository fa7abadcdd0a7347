// Model providers and web search, set up in the app: they work at once, without a restart.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { Chat, useApp } from '../harness.js'
import { HeldModel } from '../harness/held-model.js'

const app = useApp()
let model
let engine

before(async () => {
  model = await HeldModel.start()
  engine = createServer((request, response) => {
    const isSearch = request.url.startsWith('/search?') && request.url.includes('format=json')
    response.writeHead(isSearch ? 200 : 404, { 'content-type': 'application/json' })
    const results = [{ title: 'Sunny all week', url: 'https://weather.example/', content: 'No rain.' }]
    response.end(isSearch ? JSON.stringify({ results }) : '')
  })
  await new Promise((resolve) => engine.listen(0, '127.0.0.1', resolve))
})

after(async () => {
  await model.stop()
  engine.closeAllConnections()
  await new Promise((resolve) => engine.close(resolve))
})

test('a provider is added, tested and answers; changed and removed, another does', async (t) => {
  const agent = await app.owner.makeAgent({ name: 'Ferry Desk' })
  const page = await app.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  // The way there leads over the notice that only the demo model answers.
  await page.getByRole('link', { name: 'Set up models' }).click()
  await page.getByRole('heading', { name: 'Model providers' }).waitFor()
  await page.getByText('No provider yet.').waitFor()
  await page.getByRole('button', { name: 'Add provider' }).click()
  const form = page.getByRole('region', { name: 'New provider' })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Give it a name.').waitFor()
  await form.getByLabel('Format').selectOption('openai')
  await form.getByLabel('Name', { exact: true }).fill('harbour')
  await form.getByLabel('Base URL').fill(model.url)
  await form.getByLabel('API key').fill('sk-harbour-12345678')
  await form.getByRole('button', { name: 'Add model' }).click()
  await form.getByLabel('Model', { exact: true }).fill('tugboat')
  await form.getByLabel('Input $').fill('1')
  await form.getByLabel('Output $').fill('2')
  await form.getByRole('button', { name: 'Test' }).click()
  const tried = await model.call()
  assert.equal(tried.request.model, 'tugboat')
  tried.say('OK').end()
  await form.getByText(/tugboat answered in .* “OK”/).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('harbour is saved. It answers from now on.').waitFor()
  const list = page.getByRole('region', { name: 'Model providers' })
  await list.getByText('harbour', { exact: true }).waitFor()
  await list.getByText('Key set').waitFor()

  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('When does the ferry leave?')
  const call = await model.call()
  assert.equal(call.asked, 'When does the ferry leave?')
  call.say('At nine.').end()
  await chat.by('Ferry Desk').getByText('At nine.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Set up models' }).count(), 0)

  // Changed: the key stays, and isn't shown.
  await page.goto('/administration/models')
  await page.getByRole('button', { name: 'Change harbour' }).click()
  const change = page.getByRole('region', { name: 'Change harbour' })
  assert.equal(await change.getByLabel('API key').inputValue(), '')
  await change.getByText('A key is set. Leave this empty to keep it.').waitFor()
  await change.getByLabel('Model', { exact: true }).fill('icebreaker')
  await change.getByRole('button', { name: 'Save' }).click()
  await page.getByText('harbour is saved. It answers from now on.').waitFor()
  await page.goto(`/agents/${agent.id}`)
  await chat.send('And back?')
  const second = await model.call()
  assert.equal(second.request.model, 'icebreaker')
  second.say('At ten.').end()
  await chat.by('Ferry Desk').getByText('At ten.').waitFor()

  await page.goto('/administration/models')
  await page.getByRole('button', { name: 'Remove harbour' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('harbour is removed.').waitFor()
  await page.getByText('No provider yet.').waitFor()
})

test('web search is set up, and the globe appears', async (t) => {
  const agent = await app.owner.makeAgent({ name: 'Scout', tools: ['webSearch'] })
  const page = await app.newPage(t)
  const globe = page.getByRole('button', { name: 'Search the web' })
  await page.goto(`/agents/${agent.id}`)
  await new Chat(page).box.waitFor()
  assert.equal(await globe.count(), 0)

  await page.goto('/administration/search')
  await page.getByText('There is no search engine, so agents can’t search the web.').waitFor()
  await page.getByLabel('Address').fill(`http://127.0.0.1:${engine.address().port}`)
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('SearXNG answered. The first result is “Sunny all week”.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Web search is set up.').waitFor()

  await page.goto(`/agents/${agent.id}`)
  await globe.waitFor()
  await page.goto('/settings/search')
  await page.getByText('This workspace uses the server’s search engine.').waitFor()

  await page.goto('/administration/search')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The search engine is removed.').waitFor()
  await page.goto(`/agents/${agent.id}`)
  await new Chat(page).box.waitFor()
  assert.equal(await globe.count(), 0)
})
