import { expect, test } from 'vitest'
import { returnPathFrom, safeReturnPath, withReturnPath } from './paths'

const ORIGIN = 'https://baton.example'

test.each([
  ['/agents/hired', '/agents/hired'],
  ['/invitations/abc?x=1#y', '/invitations/abc?x=1#y'],
  ['/a/../agents', '/agents'],
  ['/sign-in-help', '/sign-in-help'],
  // Elsewhere, in every disguise that browsers take for another host.
  ['https://evil.example/', '/'],
  ['//evil.example/agents', '/'],
  ['/\\evil.example/agents', '/'],
  ['/\t/evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['evil.example', '/'],
  ['', '/'],
  [null, '/'],
  // Back to where one came from would be a loop.
  ['/sign-in', '/'],
  ['/sign-in/link#token', '/'],
  ['/x/../sign-up?invitation=1', '/'],
])('%j leads to %j', (value, expected) => {
  expect(safeReturnPath(value, ORIGIN)).toBe(expected)
})

test('what is written is what is read', () => {
  const page = withReturnPath('/sign-in', '/agents/discover?search=a&b#c')
  expect(returnPathFrom(new URL(page, ORIGIN).search)).toBe('/agents/discover?search=a&b#c')
})

test('the start page needs no mention', () => {
  expect(withReturnPath('/sign-in', '/')).toBe('/sign-in')
  expect(withReturnPath('/sign-up?invitation=1', '/agents')).toBe('/sign-up?invitation=1&return=%2Fagents')
})
