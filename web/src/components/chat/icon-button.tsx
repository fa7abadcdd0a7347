import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Tooltip } from '../ui/tooltip'

interface IconButtonProps extends ComponentProps<'button'> {
  /** Its name, and what the tooltip says. */
  label: string
}

/** A small button that is only an icon, with its name on hover and focus. */
export function IconButton({ label, className, ...props }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        aria-label={label}
        {...props}
        className={clsx(
          'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted transition-colors pointer-coarse:size-10',
          'hover:bg-subtle hover:text-foreground disabled:pointer-events-none disabled:opacity-40',
          className,
        )}
      />
    </Tooltip>
  )
}
