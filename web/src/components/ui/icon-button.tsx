import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

interface IconButtonProps extends ComponentProps<'button'> {
  /** Its name, read out and shown on hover. */
  label: string
}

/** A small button that is only an icon. Its name is a plain title: a long chat has thousands of these. */
export function IconButton({ label, className, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={clsx(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted transition-colors pointer-coarse:size-10',
        'hover:bg-subtle hover:text-foreground disabled:pointer-events-none disabled:opacity-40',
        className,
      )}
    />
  )
}
