import { expect, test } from 'vitest'
import { budgetLook } from './budget-bars'

test.each([
  [{ available: 200, spent: 100, pace: 'on track' as const }, 'fine'],
  [{ available: 200, spent: 100, pace: 'too fast' as const }, 'near'],
  [{ available: 200, spent: 180, pace: 'on track' as const }, 'near'],
  [{ available: 200, spent: 201, pace: 'over' as const }, 'over'],
  [{ available: 200, spent: 250, pace: 'ended' as const }, 'still'],
  [{ available: 200, spent: -20, pace: 'on track' as const }, 'fine'],
  [{ available: 200, spent: 0, pace: 'not begun' as const }, 'still'],
])('%o is %s', (status, look) => {
  expect(budgetLook(status)).toBe(look)
})
