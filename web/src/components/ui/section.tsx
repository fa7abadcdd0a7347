import { useId, type ReactNode } from 'react'

interface SectionProps {
  title: string
  /** Beside the title. */
  action?: ReactNode
  children: ReactNode
  className?: string
}

/** A part of a page with a heading of its own. */
export function Section({ title, action, children, className }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} className="font-semibold tracking-tight">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
