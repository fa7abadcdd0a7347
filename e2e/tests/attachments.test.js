// Files that go with a message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chat, useApp } from '../harness.js'

const app = useApp({ model: 'held' })
let agents = 0

async function open(t, options) {
  const agent = await app.owner.makeAgent({ name: `Reader ${++agents}` })
  const page = await app.newPage(t, options)
  await page.goto(`/agents/${agent.id}`)
  const chat = new Chat(page)
  await chat.box.waitFor()
  return { page, chat, toSend: page.getByRole('list', { name: 'Files to send' }).getByRole('listitem') }
}

/** By the Paperclip, as a person does. */
async function attach(page, ...files) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles(files.map(({ name, type = 'text/plain', text }) => ({ name, mimeType: type, buffer: Buffer.from(text) })))
}

/** Drags a file over the chat, and lets it go there. */
async function drop(page, chat, { name, text }) {
  const dataTransfer = await page.evaluateHandle(([name, text]) => {
    const data = new DataTransfer()
    data.items.add(new File([text], name, { type: 'text/plain' }))
    return data
  }, [name, text])
  const hint = page.getByText('Drop files to attach them')
  await chat.box.dispatchEvent('dragover', { dataTransfer })
  await hint.waitFor()
  await chat.box.dispatchEvent('drop', { dataTransfer })
  await hint.waitFor({ state: 'detached' })
}

test('a text file is attached, kept with the draft, sent, read by the model, and there after a reload', async (t) => {
  const { page, chat, toSend } = await open(t)
  await attach(page, { name: 'plan.csv', type: 'text/csv', text: 'city,day\nOslo,Monday\n' }, { name: 'wrong.txt', text: 'not this' })
  await toSend.filter({ hasText: 'plan.csv' }).getByText('21 B').waitFor()
  await toSend.filter({ hasText: 'wrong.txt' }).getByRole('button', { name: 'Remove wrong.txt' }).click()
  // Like the words, the file stays with the draft.
  await chat.box.fill('Where do I go?')
  await page.reload()
  await toSend.filter({ hasText: 'plan.csv' }).getByText('21 B').waitFor()
  assert.deepEqual([await toSend.count(), await chat.box.inputValue()], [1, 'Where do I go?'])
  await chat.box.press('Enter')
  const call = await app.model.call()
  assert.match(call.asked, /Where do I go\?/)
  assert.match(call.asked, /Oslo,Monday/)
  assert.doesNotMatch(call.asked, /not this/)
  call.say('To Oslo.').end()
  await chat.settled()
  assert.equal(await toSend.count(), 0)

  await page.reload()
  const sent = chat.own.getByRole('list', { name: 'Attachments' }).getByRole('link')
  await sent.getByText('plan.csv').waitFor()
  assert.equal(await sent.count(), 1)
  const kept = await page.request.get(await sent.getAttribute('href'))
  assert.equal(await kept.text(), 'city,day\nOslo,Monday\n')
})

test('a file is dropped on the chat', async (t) => {
  const { page, chat, toSend } = await open(t)
  await drop(page, chat, { name: 'dropped.md', text: '# The bike is red' })
  await toSend.filter({ hasText: 'dropped.md' }).getByText('17 B').waitFor()
  await chat.send('Which colour?')
  const call = await app.model.call()
  assert.match(call.asked, /The bike is red/)
  call.say('Red.').end()
  await chat.own.getByRole('link', { name: 'dropped.md' }).waitFor()
})

test('a file that is too large, of another kind, empty or no text is refused in words', async (t) => {
  const { page, chat, toSend } = await open(t, { expected: [/POST \S+attachments\S+ 4\d\d$/] })
  const refusals = [
    ['film.mp4', 'video/mp4', 'moving', 'Only images (PNG, JPEG, GIF, WebP) and text.'],
    ['large.txt', 'text/plain', 'x'.repeat(5 * 1_048_576 + 1), 'Larger than 5 MB.'],
    ['empty.txt', 'text/plain', '', 'It is empty.'],
    // Only the server sees what is in it.
    ['program.dat', 'application/octet-stream', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0xff, 0xfe, 0), /image|text/],
  ]
  await attach(page, ...refusals.map(([name, type, text]) => ({ name, type, text })))
  for (const [name, , , words] of refusals) {
    await toSend.filter({ hasText: name }).getByRole('alert').filter({ hasText: words }).waitFor()
  }
  const told = await toSend.filter({ hasText: 'program.dat' }).getByRole('alert').innerText()
  assert.match(told, /^[A-Z].+[a-z].*$/, 'a sentence')

  // Nothing is left out without a word: the message waits until they are taken away.
  await chat.send('Never mind')
  await page.getByText('Some files could not be uploaded.').first().waitFor()
  for (const [name] of refusals) await toSend.filter({ hasText: name }).getByRole('button', { name: `Remove ${name}` }).click()
  await chat.box.press('Enter')
  const call = await app.model.call()
  assert.equal(call.asked, 'Never mind')
  call.say('Fine.').end()
  await chat.settled()
  assert.equal(await chat.own.getByRole('link').count(), 0)
})

test('what could not be sent is given back whole, with its file', async (t) => {
  const { page, chat, toSend } = await open(t, { expected: [/agent-chat 507/] })
  await page.route('**/api/agent-chat', (route) => route.fulfill({ status: 507, json: { error: 'Not now.', code: 'storage_full' } }), { times: 1 })
  await attach(page, { name: 'plan.csv', text: 'Oslo,Monday' })
  await toSend.getByText('11 B').waitFor()
  await chat.send('Where do I go?')
  await page.getByText('Not now.').first().waitFor()
  assert.equal(await chat.box.inputValue(), 'Where do I go?')
  await toSend.filter({ hasText: 'plan.csv' }).waitFor()
  await chat.box.press('Enter')
  const call = await app.model.call()
  assert.match(call.asked, /Oslo,Monday/)
  call.say('To Oslo.').end()
  await chat.settled()
})
