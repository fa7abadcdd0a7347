import { clsx } from 'clsx'

interface ProgressBarProps {
  /** What it is the progress of. */
  label: string
  /** From 0 to 100. */
  percent: number
  /** The same in words. */
  summary: string
  /** The colour of what is done. */
  className: string
}

export function ProgressBar({ label, percent, summary, className }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
      aria-valuetext={summary}
      className="h-2 overflow-hidden rounded-full bg-subtle"
    >
      <div className={clsx('h-full rounded-full', className)} style={{ width: `${percent}%` }} />
    </div>
  )
}

/** How much of a whole a part is, from 0 to 100. Of nothing, all is used. */
export function percentOf(part: number, whole: number): number {
  return whole <= 0 ? 100 : Math.max(0, Math.min(100, (part / whole) * 100))
}
