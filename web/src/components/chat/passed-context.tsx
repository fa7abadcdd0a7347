import { clsx } from 'clsx'
import { PassedValues } from './passed-values'

interface PassedContextProps {
  values: readonly [string, unknown][]
  /** In a box that scrolls, where there is little room. */
  boxed?: boolean
  className?: string
}

/** What was passed along with a handoff, called and shown alike in a chat and in the record of a task. */
export function PassedContext({ values, boxed = false, className }: PassedContextProps) {
  if (values.length === 0) return <p className={clsx('text-muted', className)}>No context passed</p>
  return (
    <div className={className}>
      <p aria-hidden className="mb-1 text-xs font-medium text-muted">
        Context passed
      </p>
      <PassedValues
        aria-label="Context passed"
        values={values}
        // Keyboards can only scroll what they can reach.
        tabIndex={boxed ? 0 : undefined}
        className={boxed ? 'max-h-96 overflow-y-auto rounded-md bg-subtle p-2 [&_dd]:max-h-none' : undefined}
      />
    </div>
  )
}
