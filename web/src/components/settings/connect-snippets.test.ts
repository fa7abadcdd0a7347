import { expect, test } from 'vitest'
import { PROGRAMS, serverName } from './connect-snippets'

const TO = { url: 'https://baton.example.org/mcp', token: 'bat_secret', name: 'baton-harbour' }

test('every snippet has the address and the token', () => {
  for (const { id, snippet } of PROGRAMS) {
    expect(snippet(TO), id).toContain(TO.url)
    expect(snippet(TO), id).toContain(`Bearer ${TO.token}`)
    expect(snippet(TO), id).toContain(TO.name)
  }
})

test('what goes into a JSON file is JSON', () => {
  for (const { id, file, snippet } of PROGRAMS.filter(({ file }) => file?.endsWith('.json'))) {
    const written: unknown = JSON.parse(snippet(TO))
    expect(JSON.stringify(written), `${id} in ${file ?? ''}`).toContain('"Authorization":"Bearer bat_secret"')
  }
})

test.each([
  ['Harbour', 'baton-harbour'],
  ['Ana’s workspace', 'baton-ana-s-workspace'],
  ['Zürich & Söhne', 'baton-zurich-sohne'],
  ['工作区', 'baton'],
  ['x'.repeat(80), `baton-${'x'.repeat(32)}`],
])('%s is called %s', (workspace, name) => {
  expect(serverName(workspace)).toBe(name)
})
