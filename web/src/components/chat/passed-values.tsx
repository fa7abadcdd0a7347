import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { sentenceCase } from '@/lib/text'

interface PassedValuesProps extends ComponentProps<'dl'> {
  values: readonly [string, unknown][]
}

/** Named values, such as what was passed along with a handoff or what a stage found out. */
export function PassedValues({ values, className, ...props }: PassedValuesProps) {
  if (values.length === 0) return null
  return (
    <dl {...props} className={clsx('@container grid grid-cols-1 gap-1.5', className)}>
      {values.map(([name, value]) => (
        <div key={name} className="grid gap-x-3 @xs:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]">
          <dt className="text-muted">{sentenceCase(name)}</dt>
          <dd className="max-h-40 overflow-y-auto whitespace-pre-line wrap-anywhere">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return JSON.stringify(value, null, 1)
}
