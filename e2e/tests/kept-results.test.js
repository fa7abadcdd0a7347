// What a tool answers beside what the model is given: pictures are seen, and the whole of a long result can be opened.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp({ model: 'held', args: ['--outbound-allow', '127.0.0.0/8'] })
/** One red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const WORDS = { words: Array.from({ length: 20_000 }, (_, at) => `word ${at}`) }
let api

before(async () => {
  api = createServer((request, response) => {
    const isPicture = request.url === '/picture'
    response.writeHead(200, { 'content-type': isPicture ? 'image/png' : 'application/json' })
    response.end(isPicture ? PIXEL : JSON.stringify(WORDS))
  })
  await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve))
})

after(async () => {
  api.closeAllConnections()
  await new Promise((resolve) => api.close(resolve))
})

async function tool(name) {
  await app.owner.post('/api/tools', {
    workspaceId: app.owner.workspace.id,
    name,
    type: 'http_api',
    description: `Looks at ${name}.`,
    config: {
      method: 'GET',
      url: `http://127.0.0.1:${api.address().port}/${name}`,
      trusted_as: 'reads',
      parameters: { type: 'object' },
    },
  })
}

test('a picture is shown and a long result can be opened whole, also after a reload', async (t) => {
  await tool('picture')
  await tool('words')
  const agent = await app.owner.makeAgent({ name: 'Looker', tools: ['picture', 'words'] })
  const page = await app.newPage(t)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.send('Look at both')
  for (const name of ['picture', 'words']) {
    const call = await app.model.call()
    call.use(name, {})
  }
  const told = await app.model.call()
  assert.ok(JSON.stringify(told.request.messages).length < JSON.stringify(WORDS).length / 2, 'the model is given a part')
  told.say('I have looked.').end()
  await chat.settled()

  const check = async () => {
    const picture = chat.log.getByRole('img', { name: 'answer.png' })
    await picture.waitFor()
    await page.waitForFunction((image) => image.naturalWidth === 1, await picture.elementHandle())
    const whole = chat.log.getByRole('link', { name: 'Open the whole result' })
    const download = await app.owner.get(await whole.getAttribute('href'))
    assert.deepEqual(download, WORDS)
  }
  await check()
  await page.reload()
  await chat.settled()
  await check()
})
