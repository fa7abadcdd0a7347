import { expect, test } from 'vitest'
import type { SwitchMark } from '@/api/types'
import { marksByMessage, switchWords } from './switch-marks'

const NAMES: Record<string, string> = { a: 'Ada', b: 'Ben', c: 'Cleo' }

/** Of `a>b` from one to another, after a message. */
function marks(after: string | null, ...moves: string[]): SwitchMark[] {
  return moves.map((move) => {
    const [from = '', to = ''] = move.split(/[>!]/)
    return { after, from, to, toName: NAMES[to] ?? '', by: 'user', epoch: 1, pinned: move.includes('!') }
  })
}

test.each<[string, SwitchMark[], Record<string, string>]>([
  ['one', marks('m', 'a>b'), { m: 'Switched to Ben' }],
  ['several at one place: where they led', marks('m', 'a>b', 'b>c'), { m: 'Switched to Cleo' }],
  ['there and back', marks('m', 'a>b', 'b>a'), {}],
  ['there, back and away', marks('m', 'a>b', 'b>a', 'a>c'), { m: 'Switched to Cleo' }],
  ['at two places', [...marks('m', 'a>b'), ...marks('n', 'b>a')], { m: 'Switched to Ben', n: 'Switched to Ada' }],
  ['before the first word', marks(null, 'a>b'), {}],
  ['kept by hand', marks('m', 'a!a'), { m: 'Ada keeps the conversation' }],
  ['left to the router again', marks('m', 'a>a'), { m: 'Auto: who answers is chosen for each message' }],
  ['chosen, then left to the router', marks('m', 'a!b', 'b>b'), { m: 'Switched to Ben' }],
])('%s', (_, switches, shown) => {
  const words = [...marksByMessage(switches)].map(([id, mark]) => [id, switchWords(mark)])
  expect(Object.fromEntries(words)).toEqual(shown)
})

test('that it went back to where it began, as the other is not available, is told', () => {
  const [chosen, lost] = marks('m', 'a>b', 'b>a') as [SwitchMark, SwitchMark]
  const shown = marksByMessage([chosen, { ...lost, by: 'fallback', fromName: 'Ben' }]).get('m')
  expect(shown && switchWords(shown)).toBe('Ben isn’t available any more. Ada goes on')
})

test('what Baton did by itself says why', () => {
  const [mark] = marks('m', 'a>b') as [SwitchMark]
  expect(switchWords({ ...mark, by: 'fallback', fromName: 'Ada' })).toBe('Ada isn’t available any more. Ben goes on')
  expect(switchWords({ ...mark, by: 'fallback' })).toBe('The agent isn’t available any more. Ben goes on')
  expect(switchWords({ ...mark, by: 'rollback' })).toBe('The next agent failed. Back with Ben')
})
