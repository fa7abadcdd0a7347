import { expect, test } from 'vitest'
import { usageBars } from './usage-chart'

const day = (date: string, input_tokens: number, output_tokens: number, cost_usd: number | null) => ({
  date,
  input_tokens,
  output_tokens,
  cost_usd,
  calls: 1,
  unpriced_calls: 0,
})

test('the highest day fills the chart, and output stands on input', () => {
  const { bars, highest } = usageBars([day('2026-11-14', 60, 40, 1), day('2026-11-15', 25, 0, 2)], 'tokens')
  expect(highest).toBe(100)
  expect(bars.map(({ x, lower, upper, value }) => [x, lower, upper, value])).toEqual([
    [0, 60, 40, 100],
    [10, 25, 0, 25],
  ])
})

test('a cost that is not known counts as none, and nothing at all draws no bars', () => {
  expect(usageBars([day('2026-11-14', 1, 1, 0.5), day('2026-11-15', 1, 1, null)], 'cost').bars[1]?.lower).toBe(0)
  const { bars, highest } = usageBars([day('2026-11-14', 0, 0, 0)], 'cost')
  expect([highest, bars[0]?.lower]).toEqual([0, 0])
})
