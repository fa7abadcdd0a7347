import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** Put it inside its label: the label is what makes it large enough to hit. */
export function Checkbox({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      {...props}
      type="checkbox"
      className={clsx('size-4 shrink-0 cursor-pointer accent-primary disabled:cursor-default', className)}
    />
  )
}
