import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** On or off, at once. The track is drawn around the browser's own checkbox. */
export function Switch({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      {...props}
      type="checkbox"
      role="switch"
      className={clsx(
        'relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-control bg-subtle transition-colors',
        'before:absolute before:top-[3px] before:left-[3px] before:size-4 before:rounded-full before:bg-control before:transition-transform',
        'checked:border-transparent checked:bg-primary checked:before:translate-x-4 checked:before:bg-on-primary',
        'disabled:cursor-default disabled:opacity-60',
        className,
      )}
    />
  )
}
