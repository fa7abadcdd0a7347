import { expect, test } from 'vitest'
import type { DataRow } from '@/api/data'
import { branchesOf } from './tree'

const task = (id: string, parent_id: string | null = null): DataRow => ({ id, version: 1, fields: { parent_id }, titles: {} })
const rows = [task('a'), task('b', 'a'), task('c'), task('d', 'b'), task('e', 'a'), task('f', 'gone')]
const told = (folded: string[]) => branchesOf(rows, new Set(folded)).map(({ id, level, isOpen }) => `${'-'.repeat(level)}${id}${isOpen === undefined ? '' : isOpen ? '▾' : '▸'}`)

test.each([
  [[], ['a▾', '-b▾', '--d', '-e', 'c', 'f']],
  [['b'], ['a▾', '-b▸', '-e', 'c', 'f']],
  [['a'], ['a▸', 'c', 'f']],
  [['a', 'b'], ['a▸', 'c', 'f']],
])('with %j folded', (folded, expected) => {
  expect(told(folded)).toEqual(expected)
})
