import { clsx } from 'clsx'
import { percent } from '@/lib/amounts'

/** A share from 0 to 1, as a bar with its number. */
export function SuccessRate({ rate }: { rate: number | null }) {
  if (rate === null) return <span className="text-muted">–</span>
  return (
    <span className="flex items-center gap-2.5">
      <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-20 shrink-0 rounded-full bg-subtle">
        <rect width={rate * 100} height={6} className={clsx(rate >= 0.8 ? 'fill-success' : rate >= 0.5 ? 'fill-warning' : 'fill-danger')} />
      </svg>
      <span className="tabular-nums">{percent(rate)}</span>
    </span>
  )
}
