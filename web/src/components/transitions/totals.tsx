import type { Transitions } from '@/api/types'
import { Card } from '@/components/ui/card'
import { duration, percent, short } from '@/lib/amounts'

/** All handoffs taken together. */
export function Totals({ totals }: { totals: Transitions['totals'] }) {
  const { attempts, completed, success_rate, average_latency_ms, tokens_full, tokens_sent, tokens_saved } = totals
  const figures = [
    { name: 'Handoffs', value: attempts.toLocaleString(), note: `${completed.toLocaleString()} completed` },
    { name: 'Success rate', value: success_rate === null ? '–' : percent(success_rate), note: 'of all attempts' },
    {
      name: 'Tokens saved',
      value: short(tokens_saved),
      note: `${short(tokens_sent)} sent instead of ${short(tokens_full)}`,
    },
    {
      name: 'Average time',
      value: average_latency_ms === null ? '–' : duration(average_latency_ms),
      note: 'from the decision to the handoff',
    },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-5 xl:grid-cols-4">
      {figures.map(({ name, value, note }) => (
        <Card key={name} className="p-4 sm:p-5">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="mt-2 text-2xl font-semibold tabular-nums">{value}</dd>
          <dd className="mt-1 text-xs text-muted">{note}</dd>
        </Card>
      ))}
    </dl>
  )
}
