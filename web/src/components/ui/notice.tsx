import { clsx } from 'clsx'
import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Something to know about what stands around it. */
export function Notice({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) {
  const Icon = tone === 'warning' ? TriangleAlert : Info
  return (
    <div
      className={clsx(
        'flex gap-2.5 rounded-lg px-3 py-2.5 text-sm',
        tone === 'warning' ? 'bg-warning-subtle text-warning' : 'bg-brand-subtle/60 text-foreground',
      )}
    >
      <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', tone === 'info' && 'text-brand')} />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  )
}
