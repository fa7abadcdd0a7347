interface JsonViewProps {
  label: string
  value: unknown
}

/** Arguments and results, as text that scrolls in its own box. */
export function JsonView({ label, value }: JsonViewProps) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-xs font-medium text-muted">{label}</p>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-64 overflow-auto rounded-md bg-foreground/5 px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {jsonText(value)}
      </pre>
    </div>
  )
}

function jsonText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return 'None'
  return JSON.stringify(value, null, 2)
}
