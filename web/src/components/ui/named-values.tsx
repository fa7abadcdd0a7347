// Names and values. What was passed along with a handoff or found out by a stage is told in words (`true` is "yes"); a tool's
// arguments are shown exactly: two calls that differ never look the same, as a person may be about to allow one of them.
import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { words } from '@/words/en/common'

export type NamedValue = readonly [name: string, value: unknown]

interface NamedValuesProps extends ComponentProps<'dl'> {
  values: readonly NamedValue[]
  wording?: (value: unknown) => string
}

export function NamedValues({ values, wording = valueWords, className, ...props }: NamedValuesProps) {
  if (values.length === 0) return null
  return (
    <dl {...props} className={clsx('@container grid grid-cols-1 gap-1.5', className)}>
      {values.map(([name, value]) => (
        <div key={name} className="grid gap-x-3 @xs:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]">
          <dt className="text-muted wrap-anywhere">{name}</dt>
          <dd dir="auto" className="max-h-40 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{wording(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ToolArgumentsProps {
  label: string
  args: unknown
  /** All of it in sight, for who decides about the call; otherwise the box scrolls. */
  whole?: boolean
}

/** What a tool is called with. */
export function ToolArguments({ label, args, whole = false }: ToolArgumentsProps) {
  const values = argumentsOf(args)
  return (
    <div className="min-w-0">
      <p aria-hidden className="mb-1 text-xs font-medium text-muted">
        {label}
      </p>
      {values.length === 0 ? (
        <p className="text-sm text-muted">{words.noArguments}</p>
      ) : (
        <NamedValues
          aria-label={label}
          values={values}
          wording={exactly}
          // Keyboards can only scroll what they can reach.
          tabIndex={whole ? undefined : 0}
          className={clsx('rounded-md bg-foreground/5 px-3 py-2 text-sm [&_dd]:max-h-none', !whole && 'max-h-64 overflow-y-auto')}
        />
      )}
    </div>
  )
}

/** The same in one line: `action: save · content: a page about …`. */
export function argumentsLine(args: unknown): string {
  return argumentsOf(args)
    .map(([name, value]) => `${name}: ${exactly(value)}`)
    .join(' · ')
}

/** A model may call a tool with anything; what has no names has one value. */
function argumentsOf(args: unknown): NamedValue[] {
  if (args === null || args === undefined) return []
  return typeof args === 'object' && !Array.isArray(args) ? Object.entries(args) : [[words.value, args]]
}

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return JSON.stringify(value, null, 1)
}

/** Text as it is, all else as JSON; in quotes what would read like something else (`true`, `5`, nothing at all). */
export function exactly(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  return value.trim() === '' || isJson(value) ? JSON.stringify(value) : value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
