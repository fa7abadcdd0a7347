import { clsx } from 'clsx'
import { useId, type ReactNode } from 'react'

interface FieldControl {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

export interface FieldFrameProps {
  label: string
  hint?: ReactNode
  problem?: string
  /** Beside the label, at the end of the line. */
  aside?: ReactNode
  /** For a label that the place makes plain to those who see it. */
  labelHidden?: boolean
  className?: string
}

/** A label, a control, and below it the hint or what is wrong. */
export function FieldFrame({
  label,
  hint,
  problem,
  aside,
  labelHidden = false,
  className,
  children,
}: FieldFrameProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className={clsx('grid min-w-0 content-start gap-1.5', className)}>
      <div className={labelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-invalid': problem !== undefined || undefined,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <div
          id={`${id}-note`}
          className={clsx('text-sm wrap-anywhere', problem === undefined ? 'text-muted' : 'text-danger')}
        >
          {note}
        </div>
      )}
    </div>
  )
}
