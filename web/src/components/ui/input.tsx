import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** 16 px text on phones: with anything smaller iOS zooms into the page on focus. */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      {...props}
      className={clsx(
        'h-10 w-full rounded-lg border border-control bg-surface px-3 text-base sm:text-sm',
        'placeholder:text-muted read-only:bg-subtle disabled:opacity-50',
        'aria-invalid:border-danger focus-visible:outline-offset-0',
        className,
      )}
    />
  )
}
