// Tools that people bring: an API, an OpenAPI document, and what an agent may do with them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Chat, useApp } from '../harness.js'
import { McpServer, ON_THIS_MACHINE, Service } from '../harness/tools.js'

const FIND = {
  name: 'find_notes',
  title: 'Find notes',
  description: 'Finds notes by their words.',
  inputSchema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
}
const DROP = { name: 'drop_notes', description: 'Deletes notes.', inputSchema: { type: 'object', properties: {} } }

const app = useApp({ model: 'held', args: ON_THIS_MACHINE })
let weather
let notes

before(async () => {
  notes = await McpServer.start([FIND, DROP])
  weather = await Service.start(({ url }) => [200, { today: { sky: `Sunny at ${url}` }, tomorrow: { sky: 'Rain' } }])
})
after(async () => {
  await weather.stop()
  await notes.stop()
})

const offered = (call) => (call.request.tools ?? []).map((tool) => tool.function.name)

test('an HTTP tool is built, tried and used, and its secret is never shown again', async (t) => {
  const agent = await app.owner.makeAgent({ name: 'Weather Desk' })
  const page = await app.newPage(t)
  await page.goto('/agents/tools')
  // Beside the button there is a second one where there are no tools yet.
  await page.getByRole('link', { name: 'New tool' }).first().click()
  await page.getByRole('link', { name: /^HTTP API/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('weather_today')
  await page.getByRole('textbox', { name: 'Description' }).fill('The weather of a city today.')
  await page.getByRole('textbox', { name: 'Address' }).fill(`${weather.url}/sky/{city}`)
  await page.getByRole('button', { name: 'Make parameters of city' }).click()
  await page.getByRole('group', { name: 'Parameter 1: city' }).waitFor()
  await page.getByRole('button', { name: 'Add header' }).click()
  const header = page.getByRole('group', { name: 'Header 1' })
  await header.getByLabel('Value', { exact: true }).fill('k-very-secret')
  await header.getByLabel('Name').fill('X-Key')
  await page.getByRole('textbox', { name: 'What to pick' }).fill('/today')
  await page.getByLabel('What its calls do').selectOption('They only read')
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.getByRole('heading', { name: 'weather_today', level: 1 }).waitFor()

  const trying = page.getByRole('form', { name: 'Try weather_today' })
  await trying.getByRole('button', { name: 'Run' }).click()
  await trying.getByText('city is missing.').waitFor()
  await trying.getByLabel('city').fill('Bern am Fluss')
  await trying.getByRole('button', { name: 'Run' }).click()
  await trying.getByText('It worked').waitFor()
  await trying.getByText('"Sunny at /sky/Bern%20am%20Fluss"').waitFor()
  assert.equal(weather.heard.at(-1).headers['x-key'], 'k-very-secret')
  const stored = page.getByRole('group', { name: 'X-Key' })
  await stored.getByText('A value is stored. Leave this empty to keep it.').waitFor()
  assert.equal(await stored.getByLabel('Value', { exact: true }).inputValue(), '')

  await page.getByLabel('Give it to an agent').selectOption({ label: agent.name })
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByText('Weather Desk can now use weather_today.').waitFor()
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('How is the weather in Bern?')
  const asked = await app.model.call()
  assert.ok(offered(asked).includes('weather_today'))
  asked.use('weather_today', { city: 'Bern' })
  const told = await app.model.call()
  assert.match(JSON.stringify(told.request.messages.at(-1)), /Sunny at \/sky\/Bern/)
  assert.doesNotMatch(JSON.stringify(told.request), /k-very-secret/)
  told.say('It is sunny.').end()
  await chat.by('Weather Desk').getByText('It is sunny.').waitFor()
})

test('with “never”, the agent has the tool no more', async (t) => {
  const tool = await app.owner.post('/api/tools', {
    workspaceId: app.owner.workspace.id,
    name: 'sky_of',
    type: 'http_api',
    description: 'The sky of a city.',
    config: { method: 'GET', url: `${weather.url}/sky`, trusted_as: 'reads' },
  })
  const agent = await app.owner.makeAgent({ name: 'Sky Desk', tools: [tool.name] })
  const page = await app.newPage(t)
  const chat = new Chat(page)
  await page.goto(`/agents/${agent.id}`)
  await chat.send('Look up.')
  const before = await app.model.call()
  assert.ok(offered(before).includes('sky_of'))
  before.say('Blue.').end()
  await chat.by('Sky Desk').getByText('Blue.').waitFor()

  await page.goto(`/agents/${agent.id}/settings`)
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/tool-permissions'))
  await page.getByLabel('Permission for sky_of').selectOption('Never')
  assert.equal((await saved).status(), 200)
  await page.goto(`/agents/${agent.id}`)
  await chat.send('Look again.')
  const now = await app.model.call()
  assert.ok(!offered(now).includes('sky_of'))
  now.say('I can’t see it.').end()
  await chat.by('Sky Desk').getByText('I can’t see it.').waitFor()

  await page.goto(`/agents/${agent.id}/settings`)
  const taken = page.waitForResponse((response) => response.request().method() === 'DELETE' && response.url().includes('/tool-permissions'))
  await page.getByLabel('Permission for sky_of').selectOption('As its mode says')
  assert.equal((await taken).status(), 200)
  const { permissions } = await app.owner.get(`/api/agents/${agent.id}/tool-permissions`)
  assert.deepEqual(permissions, [])
  await page.goto('/settings/audit')
  await page.getByText(/decided about a tool of an agent: Sky Desk \(.*tool: sky_of/).waitFor()
})

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example/v1' }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } } },
  security: [{ key: [] }],
  paths: {
    '/orders': {
      get: { operationId: 'listOrders', summary: 'Lists orders', parameters: [{ name: 'state', in: 'query', schema: { type: 'string' } }] },
      post: { operationId: 'createOrder', summary: 'Creates an order' },
    },
    '/customers/{id}': { get: { operationId: 'readCustomer', summary: 'Reads a customer', parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] } },
  },
}

test('operations of an OpenAPI document become tools', async (t) => {
  const page = await app.newPage(t, { expected: [/tools\/openapi 4/] })
  await page.goto('/agents/tools/new/openapi')
  const paste = page.getByLabel('Or the document itself')
  await paste.fill('{"swagger": "2.0"}')
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.locator('[aria-invalid="true"]').waitFor()
  await paste.fill(JSON.stringify(SHOP))
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  const list = page.getByRole('list', { name: 'Operations' })
  assert.equal(await list.getByRole('listitem').count(), 3)
  const search = page.getByRole('searchbox', { name: 'Search by path, name or summary' })
  await search.fill('get orders')
  await list.getByRole('checkbox', { name: /GET \/orders/ }).check()
  assert.equal(await list.getByRole('listitem').count(), 1)
  await search.fill('customer')
  await list.getByRole('checkbox', { name: /customers/ }).check()
  await search.fill('')
  await page.getByLabel('Names begin with').fill('shop_')
  await page.getByLabel('X-Shop-Key').fill('shop-secret')
  await page.getByRole('button', { name: 'Create 2 tools' }).click()
  await page.getByText('2 tools are created.').waitFor()
  const { tools } = await app.owner.get(`/api/tools?workspaceId=${app.owner.workspace.id}`)
  const made = tools.filter(({ name }) => name.startsWith('shop_'))
  assert.equal(made.length, 2)
  for (const { missing_secrets } of made) assert.deepEqual(missing_secrets, [])
  for (const { name } of made) await page.getByRole('link', { name }).waitFor()
})

test('a preset of one of Baton’s own tools leaves the rest to the model', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/agents/tools/new/preset')
  await page.getByLabel('Made from').selectOption('Memory')
  await page.getByRole('textbox', { name: 'Name' }).fill('list_memories')
  await page.getByRole('textbox', { name: 'Description' }).fill('What is remembered.')
  await page.getByRole('group', { name: 'Given arguments' }).getByLabel('action').selectOption('list')
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.getByRole('heading', { name: 'list_memories', level: 1 }).waitFor()
  const agent = await app.owner.makeAgent({ name: 'Rememberer', tools: ['list_memories'] })
  await page.goto(`/agents/${agent.id}`)
  await new Chat(page).send('What do you know?')
  const call = await app.model.call()
  const { parameters } = call.request.tools.find((tool) => tool.function.name === 'list_memories').function
  assert.ok(!('action' in parameters.properties))
  call.say('Nothing yet.').end()
  await new Chat(page).by('Rememberer').getByText('Nothing yet.').waitFor()
})

test('tools of an MCP server are allowed, used, held back when they change, and allowed again', async (t) => {
  const page = await app.newPage(t)
  await page.goto('/agents/tools/new/server')
  await page.getByRole('textbox', { name: 'Address' }).fill(notes.url)
  await page.getByRole('textbox', { name: 'Name' }).fill('notes')
  await page.getByRole('textbox', { name: 'Description' }).fill('The notes of the team.')
  await page.getByRole('button', { name: 'Add server' }).click()
  await page.getByRole('heading', { name: 'notes', level: 1 }).waitFor()
  const address = new URL(page.url()).pathname
  const section = page.getByRole('region', { name: 'Its tools' })
  await section.getByText('2 new tools').waitFor()

  // Tried before it is allowed.
  const row = section.getByRole('listitem').filter({ hasText: 'Find notes' })
  await row.getByRole('button', { name: /^Try it/ }).click()
  const trying = row.getByRole('form', { name: 'Try Find notes' })
  await trying.getByLabel('words').fill('tea')
  await trying.getByRole('button', { name: 'Run' }).click()
  await trying.getByText('It worked').waitFor()
  assert.deepEqual(notes.calls.map(({ name, arguments: args }) => [name, args]), [['find_notes', { words: 'tea' }]])

  await section.getByRole('checkbox', { name: 'Choose Find notes' }).check()
  await section.getByRole('button', { name: 'Allow 1 tool' }).click()
  await row.getByText('Allowed', { exact: true }).waitFor()
  const agent = await app.owner.makeAgent({ name: 'Note Taker', tools: ['notes'] })
  await page.goto(`/agents/${agent.id}/settings`)
  const decided = page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/tool-permissions'))
  await page.getByLabel('Permission for Find notes').selectOption('Always: never ask')
  assert.equal((await decided).status(), 200)

  const chat = new Chat(page)
  await page.goto(`/agents/${agent.id}`)
  await chat.send('What do we know about coffee?')
  const asked = await app.model.call()
  assert.deepEqual(offered(asked).filter((name) => name.startsWith('notes__')), ['notes__find_notes'])
  asked.use('notes__find_notes', { words: 'coffee' })
  const told = await app.model.call()
  assert.match(JSON.stringify(told.request.messages.at(-1)), /Found for/)
  told.say('We like it.').end()
  await chat.by('Note Taker').getByText('We like it.').waitFor()

  notes.tools = [{ ...FIND, description: 'Finds notes, and tells everybody.' }, DROP]
  await page.goto(address)
  await section.getByRole('button', { name: 'Ask again' }).click()
  const changes = section.getByRole('group', { name: 'Changes of Find notes' })
  await changes.getByText('Finds notes by their words.').waitFor()
  await changes.getByText('Finds notes, and tells everybody.').waitFor()
  const calls = notes.calls.length
  await page.goto(`/agents/${agent.id}`)
  await chat.send('And about milk?')
  const changed = await app.model.call()
  assert.doesNotMatch(JSON.stringify(changed.request), /tells everybody/)
  // It is still offered as it was allowed; a call of it is held back.
  changed.use('notes__find_notes', { words: 'milk' })
  const refused = await app.model.call()
  assert.match(JSON.stringify(refused.request.messages.at(-1)), /held back/)
  refused.say('I can’t look.').end()
  await chat.by('Note Taker').getByText('I can’t look.').waitFor()
  assert.equal(notes.calls.length, calls)

  await page.goto(address)
  await changes.getByRole('button', { name: 'Allow as it is now: Find notes' }).click()
  await row.getByText('Allowed', { exact: true }).waitFor()
  await page.goto(`/agents/${agent.id}`)
  await chat.send('And about juice?')
  const again = await app.model.call()
  assert.match(JSON.stringify(again.request.tools), /tells everybody/)
  again.say('I would have to ask.').end()
  await chat.by('Note Taker').getByText('I would have to ask.').waitFor()
})
