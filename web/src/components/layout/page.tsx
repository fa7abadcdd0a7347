import type { ReactNode } from 'react'
import { usePageTitle } from '@/hooks/use-page-title'

interface PageProps {
  title: string
  description?: ReactNode
  /** Beside the title: what one does on this page. */
  actions?: ReactNode
  children: ReactNode
}

/** The heading and the column of a page, as wide as four agent cards. */
export function Page({ title, description, actions, children }: PageProps) {
  usePageTitle(title)
  return (
    <div className="mx-auto max-w-[63.75rem] px-4 py-6 sm:px-8 sm:py-10">
      <header className="mb-6 flex items-start justify-between gap-4 sm:mb-8">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {description !== undefined && <p className="mt-1 text-sm text-muted wrap-anywhere">{description}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}
