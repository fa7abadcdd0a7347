import { expect, test } from 'vitest'
import type { ForkPoint } from '@/api/types'
import { versionPlace } from './version-pager'

function point(message: string, ...ids: string[]): ForkPoint {
  return { message_id: message, conversations: ids.map((id) => ({ id })) } as unknown as ForkPoint
}

test.each([
  ['the first of two', [point('m', 'a', 'b')], 'a', { number: 1, of: 2, previous: null, next: 'b' }],
  ['the middle of three', [point('m', 'a', 'b', 'c')], 'b', { number: 2, of: 3, previous: 'a', next: 'c' }],
  ['a version of a version stands where its origin does', [point('m', 'a', 'b'), point('n', 'b', 'c')], 'c', { number: 2, of: 2, previous: 'a', next: null }],
  ['nothing to page through', [point('m', 'a')], 'a', null],
  ['not to be found', [point('m', 'x', 'y')], 'a', null],
])('%s', (_, points, conversationId, expected) => {
  expect(versionPlace(points[0] ?? point(''), points, conversationId)).toEqual(expected)
})
