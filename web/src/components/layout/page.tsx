import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { usePageTitle } from '@/hooks/use-browser'
import { words } from '@/words/en/layout'

interface PageProps {
  title: string
  description?: ReactNode
  /** Beside the title: what one does on this page. */
  actions?: ReactNode
  /** What needs all the room there is: a board. */
  isWide?: boolean
  children: ReactNode
}

/** A page: its heading and what one does there. */
export function Page({ title, description, actions, isWide = false, children }: PageProps) {
  usePageTitle(title)
  return (
    <div className={clsx(isWide ? WHOLE_WIDTH : PAGE_COLUMN, 'py-6 sm:py-10')}>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3 sm:mb-8">
        <div className="min-w-0 grow basis-60">
          <h1 dir="auto" className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {description !== undefined && <p dir="auto" className="mt-1 text-sm text-muted wrap-anywhere">{description}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}

/** The column in which pages stand: as wide as four agent cards, in the middle of what the sidebar leaves. */
const PAGE_COLUMN = 'mx-auto w-full max-w-[63.75rem] px-4 sm:px-8'

const WHOLE_WIDTH = 'w-full min-w-0 px-4 sm:px-8'

/** A page whose code is still on its way. */
export function PageSkeleton() {
  return (
    <div role="status" className={clsx(PAGE_COLUMN, 'py-6 sm:py-10')}>
      <span className="sr-only">{words.loadingPage}</span>
      <Skeleton className="h-8 w-44" />
      <Skeleton className="mt-2 h-4 w-64" />
    </div>
  )
}
