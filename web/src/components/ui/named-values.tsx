// Names and values, in the same words everywhere: a tool's arguments, what was passed along with a handoff, what a stage found out.
import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

export type NamedValue = readonly [name: string, value: unknown]

interface NamedValuesProps extends ComponentProps<'dl'> {
  values: readonly NamedValue[]
}

export function NamedValues({ values, className, ...props }: NamedValuesProps) {
  if (values.length === 0) return null
  return (
    <dl {...props} className={clsx('@container grid grid-cols-1 gap-1.5', className)}>
      {values.map(([name, value]) => (
        <div key={name} className="grid gap-x-3 @xs:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]">
          <dt className="text-muted wrap-anywhere">{name}</dt>
          <dd dir="auto" className="max-h-40 overflow-y-auto whitespace-pre-line wrap-anywhere">{valueWords(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ToolArgumentsProps {
  label: string
  args: unknown
}

/** What a tool is called with, in a box that scrolls. */
export function ToolArguments({ label, args }: ToolArgumentsProps) {
  const values = argumentsOf(args)
  return (
    <div className="min-w-0">
      <p aria-hidden className="mb-1 text-xs font-medium text-muted">
        {label}
      </p>
      {values.length === 0 ? (
        <p className="text-sm text-muted">No arguments</p>
      ) : (
        <NamedValues
          aria-label={label}
          values={values}
          // Keyboards can only scroll what they can reach.
          tabIndex={0}
          className="max-h-64 overflow-y-auto rounded-md bg-foreground/5 px-3 py-2 text-sm [&_dd]:max-h-none"
        />
      )}
    </div>
  )
}

/** The same in one line: `action: save · content: a page about …`. */
export function argumentsLine(args: unknown): string {
  return argumentsOf(args)
    .map(([name, value]) => `${name}: ${valueWords(value)}`)
    .join(' · ')
}

/** A model may call a tool with anything; what has no names has one value. */
function argumentsOf(args: unknown): NamedValue[] {
  if (args === null || args === undefined) return []
  return typeof args === 'object' && !Array.isArray(args) ? Object.entries(args) : [['value', args]]
}

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return JSON.stringify(value, null, 1)
}
