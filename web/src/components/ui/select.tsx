import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

/** The browser's own: it works on phones and for readers, and needs no inline styles as drawn ones do. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <div className={clsx('relative', className)}>
      <select
        {...props}
        className={clsx(
          'h-10 w-full appearance-none truncate rounded-lg border border-control bg-surface pr-9 pl-3 text-base sm:text-sm',
          'disabled:bg-subtle disabled:opacity-100 aria-invalid:border-danger focus-visible:outline-offset-0',
        )}
      />
      <ChevronDown aria-hidden className="pointer-events-none absolute top-3 right-3 size-4 text-muted" />
    </div>
  )
}
