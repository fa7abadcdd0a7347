import { expect, test } from 'vitest'
import { reply, refuse, stubApi } from '@/testing/api'
import { createRow } from './data'

const PATH = 'POST /api/data/contacts'
const made = { id: 'c1', version: 1, name: 'Ana' }

/** A server that takes note of keys. `lose`: what it does instead of answering, once. */
function keeping() {
  const keys: (string | null)[] = []
  const answers: ((request: Request) => Response | Promise<Response>)[] = []
  stubApi({
    [PATH]: (request) => {
      keys.push(request.headers.get('idempotency-key'))
      return (answers.shift() ?? reply(made, 201))(request)
    },
  })
  const press = (name = 'Ana') => createRow('w1', 'contacts', { name })
  return { keys, next: (answer: (typeof answers)[number]) => answers.push(answer), press }
}

const breaksOff = () => {
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"id"'))
      controller.error(new TypeError('the connection broke'))
    },
  })
  return new Response(body, { status: 201, headers: { 'content-type': 'application/json' } })
}

test.each([
  ['a server that broke', refuse(503, 'unavailable', 'The database does not answer.')],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an answer that breaks off', breaksOff],
])('after %s, pressing again asks for the same', async (_, lost) => {
  const { keys, next, press } = keeping()
  next(lost)
  await expect(press()).rejects.toThrow()
  await expect(press()).resolves.toMatchObject({ id: 'c1' })
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
  // That was answered: the same words once more are a second row.
  await press()
  expect(keys[2]).not.toBe(keys[0])
})

test('what was changed after a lost answer is another request', async () => {
  const { keys, next, press } = keeping()
  next(refuse(503, 'unavailable', 'The database does not answer.'))
  await expect(press()).rejects.toThrow()
  await press('Bo')
  expect(keys[1]).not.toBe(keys[0])
})

test('a refusal is an answer', async () => {
  const { keys, next, press } = keeping()
  next(refuse(400, 'invalid', 'Too long.'))
  await expect(press()).rejects.toThrow()
  await press()
  expect(keys[1]).not.toBe(keys[0])
})
