import { expect, test } from 'vitest'
import type { DataRow } from '@/api/data'
import { type BoardColumn, sumsOf, withMoves } from './columns'

const card = (id: string, position: number, more: Record<string, unknown> = {}): DataRow => ({ id, version: 1, fields: { position, ...more }, titles: {} })
const column = (key: string, ...rows: DataRow[]): BoardColumn => ({ key, label: key, rows, total: rows.length, isCounted: true, hasMore: false })
const board = [column('lead', card('a', 1), card('b', 2), card('c', 3)), column('won', card('d', 10)), column('lost')]
const shown = (columns: readonly BoardColumn[]) => columns.map(({ rows, total }) => `${rows.map(({ id }) => id).join('')} ${total}`)

test.each([
  ['down in its column', { id: 'a', column: 'lead', placed: [{ id: 'a', position: 9 }] }, ['bca 3', 'd 1', ' 0']],
  ['to the top of another', { id: 'b', column: 'won', placed: [{ id: 'b', position: 5 }] }, ['ac 2', 'bd 2', ' 0']],
  ['to an empty one', { id: 'c', column: 'lost', placed: [{ id: 'c', position: 0 }] }, ['ab 2', 'd 1', 'c 1']],
  ['where another makes room', { id: 'c', column: 'lead', placed: [{ id: 'c', position: 2 }, { id: 'b', position: 3 }] }, ['acb 3', 'd 1', ' 0']],
  ['when it is gone meanwhile', { id: 'x', column: 'won', placed: [{ id: 'x', position: 0 }] }, ['abc 3', 'd 1', ' 0']],
])('a card goes %s', (_, move, expected) => {
  expect(shown(withMoves(board, [move]))).toEqual(expected)
})

test('moves follow each other, and columns without one are not drawn anew', () => {
  const moves = [
    { id: 'a', column: 'won', placed: [{ id: 'a', position: 20 }] },
    { id: 'a', column: 'lead', placed: [{ id: 'a', position: 2.5 }] },
  ]
  expect(shown(withMoves(board, moves))).toEqual(['bac 3', 'd 1', ' 0'])
  expect(withMoves(board, moves)[2]).toBe(board[2])
  expect(withMoves(board, [])).toBe(board)
})

test('a move that the server has stored meanwhile changes nothing', () => {
  const stored = [column('lead', card('b', 2), card('c', 3)), column('won', card('a', 5), card('d', 10)), column('lost')]
  expect(shown(withMoves(stored, [{ id: 'a', column: 'won', placed: [{ id: 'a', position: 5 }] }]))).toEqual(['bc 2', 'ad 2', ' 0'])
})

test('amounts are added up by currency', () => {
  const deals = [card('a', 1, { amount: 500, currency: 'USD' }), card('b', 2, { amount: 100, currency: 'EUR' }), card('c', 3, { amount: 250, currency: 'EUR' })]
  expect(sumsOf(deals, 'amount', 'currency')).toEqual([{ currency: 'EUR', amount: 350 }, { currency: 'USD', amount: 500 }])
  expect(sumsOf([], 'amount', 'currency')).toEqual([])
})
