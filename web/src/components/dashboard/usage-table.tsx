import type { UsageDay } from '@/api/usage'
import { money } from '@/lib/amounts'
import { calendarDay } from '@/lib/when'

/**
 * The chart in words, for readers. Days without a turn are left out.
 * A table would not shrink to the size that hides it: the box around it does.
 */
export function UsageTable({ days }: { days: readonly UsageDay[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Tokens and cost by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Input tokens</th>
            <th scope="col">Output tokens</th>
            <th scope="col">Cost</th>
            <th scope="col">Turns</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ turns }) => turns > 0)
            .map(({ date, input_tokens, output_tokens, cost_usd, turns }) => (
              <tr key={date}>
                <th scope="row">{calendarDay(date)}</th>
                <td>{input_tokens.toLocaleString()}</td>
                <td>{output_tokens.toLocaleString()}</td>
                <td>{money(cost_usd)}</td>
                <td>{turns.toLocaleString()}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
