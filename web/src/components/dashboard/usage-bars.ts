import type { UsageDay } from '@/api/types'

interface Bar {
  day: UsageDay
  x: number
  /** Heights from 0 to 100: input below output, or the cost alone. */
  lower: number
  upper: number
  value: number
}

/** Where the bars of a chart stand, ten units wide each, the highest of them 100 high. */
export function usageBars(days: readonly UsageDay[], measure: 'tokens' | 'cost'): { bars: Bar[]; highest: number } {
  const parts = days.map((day) =>
    measure === 'tokens' ? [day.input_tokens, day.output_tokens] as const : [day.cost_usd ?? 0, 0] as const,
  )
  const highest = Math.max(0, ...parts.map(([lower, upper]) => lower + upper))
  const height = (value: number) => (highest === 0 ? 0 : (value / highest) * 100)
  const bars = days.map((day, index) => {
    const [lower, upper] = parts[index] ?? [0, 0]
    return { day, x: index * 10, lower: height(lower), upper: height(upper), value: lower + upper }
  })
  return { bars, highest }
}
