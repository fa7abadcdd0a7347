import { expect, test } from 'vitest'
import type { OpenApiOperation } from '@/api/types'
import { httpTool, serverTool, tool, toolServer } from '@/testing/build-samples'
import { newHeader } from './header-draft'
import { checkHttp, httpDraft, httpTool as bodyOfHttp } from './http-draft'
import { definedTool } from './known-tools'
import { found, nameProblems, secretsOf, toolOf } from './openapi-draft'
import { checkServer, serverDraft, serverTool as bodyOfServer } from './server-draft'
import { needOf } from './set-up'
import { placeWords } from './tool-changes'

const config = { ...httpTool().config, headers: { Accept: 'text/plain' }, secret_headers: ['X-Key'] }

test('a tool over an API is sent as it was read, without secrets that nobody typed', () => {
  const saved = httpTool({ config })
  const draft = httpDraft(saved)
  expect(bodyOfHttp(draft)).toEqual({ name: saved.name, type: 'http_api', description: saved.description, config, secrets: {} })
  expect(draft.headers.map(({ name, isSecret, isStored }) => [name, isSecret, isStored])).toEqual([
    ['Accept', false, false],
    ['X-Key', true, true],
  ])
  const typed = draft.headers.map((header) => (header.isSecret ? { ...header, value: 'k' } : header))
  expect(bodyOfHttp({ ...draft, headers: typed }).secrets).toEqual({ 'X-Key': 'k' })
  expect(httpDraft(httpTool({ config, missing_secrets: ['X-Key'] })).headers[1]?.isStored).toBe(false)
})

test('a body of a parameter is only sent with methods that have one', () => {
  const draft = { ...httpDraft(httpTool()), bodyFrom: 'city' }
  expect(bodyOfHttp(draft).config).toMatchObject({ body_from: null })
  expect(bodyOfHttp({ ...draft, method: 'POST' }).config).toMatchObject({ body_from: 'city' })
})

test('what is wrong with a tool over an API is said before the server is asked', () => {
  const draft = httpDraft(httpTool())
  expect(checkHttp(draft)).toEqual({})
  expect(checkHttp({ ...draft, url: 'weather', pick: 'data', headers: [newHeader(), newHeader({ name: 'A' }), newHeader({ name: 'a' })] })).toEqual({
    'config.url': 'Enter an address such as https://api.example.com/users.',
    'config.pick': 'Begin with a slash, as in /data/items.',
    'config.headers[0].name': 'Name is missing.',
    'config.headers[2].name': 'This name is there twice.',
  })
  expect(checkHttp({ ...draft, url: 'https://x.example/{street}' })).toEqual({ 'config.url': 'No parameter fills street.' })
})

test('a server is sent as it was read, by address, as a program or by its name in the configuration', () => {
  const named = { transport: 'configured', server: 'wiki', trust: 'untrusted' } as const
  expect(bodyOfServer(serverDraft(toolServer({ config: named }))).config).toEqual(named)
  expect(checkServer(serverDraft(toolServer({ config: named })))).toEqual({})
  expect(bodyOfServer(serverDraft(toolServer()))).toMatchObject({ type: 'mcp_server', config: toolServer().config, secrets: {} })
  const program = { transport: 'stdio', program: 'npx', arguments: ['-y', 'a b'], secret_environment: ['TOKEN'], trust: 'trusted' } as const
  const draft = serverDraft(toolServer({ config: { ...program, arguments: [...program.arguments], secret_environment: [...program.secret_environment] } }))
  expect(bodyOfServer(draft).config).toEqual(program)
  expect(checkServer({ ...draft, program: '', name: 'ends_' })).toEqual({
    'config.program': 'Program is missing.',
    name: 'Use at most 32 characters, without __ and without _ at the end.',
  })
})

const list = { trouble: null, needs_sign_in: false, tools: [serverTool()] }

test.each([
  ['an agent that was let go', { defined: tool({ config: { ...tool().config, target_agent_slug: null } }) }, 'target'],
  ['a secret', { defined: httpTool({ missing_secrets: ['X-Key'] }) }, 'secrets'],
  ['nothing', { defined: httpTool() }, undefined],
  ['a server that answers', { defined: toolServer(), server: { ...list, trouble: 'It is down.' } }, 'down'],
  ['a server that everybody is told is down', { defined: toolServer({ trouble: 'It is down.' }) }, 'down'],
  ['a sign-in', { defined: toolServer(), server: { ...list, needs_sign_in: true, tools: [] } }, 'signIn'],
  ['a tool that is allowed', { defined: toolServer(), server: list }, 'nothingAllowed'],
  ['nothing more, once one is allowed', { defined: toolServer(), server: { ...list, tools: [serverTool({ state: 'allowed' })] } }, undefined],
  ['nothing that is known yet', { defined: toolServer() }, undefined],
])('a tool needs %s', (_, listed, need) => {
  expect(needOf({ known: definedTool(listed.defined), ...listed })).toBe(need)
})

test.each([
  ['/description', 'Description'],
  ['/input_schema/properties/path/type', 'Parameter path: type'],
  ['/input_schema/properties/a~1b', 'Parameter a/b'],
  ['/input_schema/properties/filter/properties/owner/enum', 'Parameter filter: owner › enum'],
  ['/input_schema/required', 'Required parameters'],
  ['/input_schema/$defs/x', 'Parameters: $defs › x'],
  ['/annotations/read_only', 'What the server says it does: read only'],
])('%s is “%s”', (at, words) => {
  expect(placeWords(at)).toBe(words)
})

const operation = (changes: Partial<OpenApiOperation>): OpenApiOperation => ({
  method: 'GET',
  path: '/orders',
  name: 'listOrders',
  description: 'Lists orders',
  config,
  left_out: [],
  ...changes,
})

test('operations are found by path, method and summary, and named apart', () => {
  const all = [operation({}), operation({ method: 'POST', name: 'createOrder', description: 'Creates an order' }), operation({ path: '/a', name: 'listOrders' })]
  expect(found(all, ' post ORDER ')).toEqual([all[1]])
  expect(found(all, '').length).toBe(3)
  expect(nameProblems(all, '', ['createOrder'])).toEqual(
    new Map([
      ['GET /orders', 'Another tool has this name.'],
      ['POST /orders', 'Another tool has this name.'],
      ['GET /a', 'Another tool has this name.'],
    ]),
  )
  expect(nameProblems(all.slice(0, 2), 'shop_', ['createOrder']).size).toBe(0)
})

test('a secret is typed once for all operations, and given to those that need it', () => {
  const open = operation({ path: '/open', config: { ...config, secret_headers: [] } })
  expect(secretsOf([operation({}), operation({ method: 'PUT' }), open])).toEqual(['X-Key'])
  expect(toolOf(operation({}), 'shop_', { 'X-Key': 'k' })).toMatchObject({ name: 'shop_listOrders', type: 'http_api', secrets: { 'X-Key': 'k' } })
  expect(toolOf(operation({}), '', {}).secrets).toEqual({})
  expect(toolOf(open, '', { 'X-Key': 'k' }).secrets).toEqual({})
})
