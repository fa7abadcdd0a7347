import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { words as common } from '@/words/en/common'

interface SectionFailureProps {
  title: string
  /** None while it is tried again. */
  error: Error | null
  onRetry: () => Promise<unknown>
  retrying: boolean
}

/** One section could not be loaded; the rest of the page is there. */
export function SectionFailure({ title, error, onRetry, retrying }: SectionFailureProps) {
  async function retry(section: HTMLElement | null): Promise<void> {
    await onRetry()
    // The button is gone if that worked; the focus stays in its section.
    requestAnimationFrame(() => {
      const heading = section?.querySelector('h2')
      if (!heading || document.activeElement !== document.body) return
      heading.tabIndex = -1
      heading.focus()
    })
  }
  return (
    <Card className="flex min-h-24 flex-wrap items-center justify-between gap-x-4 gap-y-3 p-4 text-sm">
      <div role="alert" className="flex min-w-0 items-start gap-3">
        <CloudOff aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="font-medium">{title}</p>
          {error !== null && <p className="text-muted wrap-anywhere">{messageOf(error)}</p>}
        </div>
      </div>
      <Button
        variant="secondary"
        size="sm"
        pending={retrying}
        onClick={(event) => void retry(event.currentTarget.closest('section'))}
      >
        {common.tryAgain}
      </Button>
    </Card>
  )
}

/** A section without content says so in one line. */
export function SectionNote({ children }: { children: ReactNode }) {
  return (
    <Card className="flex min-h-24 items-center justify-center p-4 text-center text-sm text-pretty text-muted">
      <p>{children}</p>
    </Card>
  )
}

interface SectionSkeletonProps {
  label: string
  /** As high as what is loading. */
  className: string
}

export function SectionSkeleton({ label, className }: SectionSkeletonProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <Skeleton className={`rounded-lg ${className}`} />
    </div>
  )
}
