import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/**
 * 16 px text on phones: with anything smaller iOS zooms into the page on focus. 40 px high by its padding: given a height,
 * Chromium cuts the line down to the font's own, and underscores of monospaced text are gone.
 */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      dir="auto"
      {...props}
      className={clsx(
        'w-full rounded-lg border border-control bg-surface px-3 py-1.75 text-base sm:py-2.25 sm:text-sm',
        'placeholder:text-muted read-only:bg-subtle disabled:opacity-50',
        'aria-invalid:border-danger focus-visible:outline-offset-0',
        className,
      )}
    />
  )
}
