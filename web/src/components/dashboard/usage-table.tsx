import type { UsageDay } from '@/api/types'
import { money } from '@/lib/amounts'
import { calendarDay } from '@/lib/when'

/**
 * The chart in words, for readers. Days without a call are left out.
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
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ calls }) => calls > 0)
            .map(({ date, input_tokens, output_tokens, cost_usd, calls }) => (
              <tr key={date}>
                <th scope="row">{calendarDay(date)}</th>
                <td>{input_tokens.toLocaleString()}</td>
                <td>{output_tokens.toLocaleString()}</td>
                <td>{money(cost_usd)}</td>
                <td>{calls.toLocaleString()}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
