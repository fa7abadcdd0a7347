import type { ReactNode } from 'react'

interface EmptyStateProps {
  /** An emoji or an icon. */
  icon?: ReactNode
  title: string
  /** `h1` where this is the whole page. */
  heading?: 'h1' | 'h2'
  children?: ReactNode
  action?: ReactNode
}

/** What stands where content would be: nothing yet, nothing found, or an error. */
export function EmptyState({ icon, title, heading: Heading = 'h2', children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-4 py-16 text-center">
      {icon !== undefined && (
        <div
          aria-hidden
          className="mb-5 flex size-14 items-center justify-center rounded-xl bg-subtle text-2xl text-muted"
        >
          {icon}
        </div>
      )}
      <Heading className="text-base font-semibold text-balance wrap-anywhere">{title}</Heading>
      {children !== undefined && <div className="mt-1.5 text-sm text-pretty text-muted">{children}</div>}
      {action !== undefined && <div className="mt-6">{action}</div>}
    </div>
  )
}
