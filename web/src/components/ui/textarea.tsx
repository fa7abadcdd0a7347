import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** Grows with its text where the browser can; 16 px on phones, as iOS zooms into anything smaller. */
export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      {...props}
      className={clsx(
        'field-sizing-content max-h-96 min-h-20 w-full rounded-lg border border-control bg-surface px-3 py-2 text-base sm:text-sm',
        'placeholder:text-muted read-only:bg-subtle disabled:opacity-50',
        'aria-invalid:border-danger focus-visible:outline-offset-0',
        className,
      )}
    />
  )
}
