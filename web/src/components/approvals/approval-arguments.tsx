/** What the tool would be called with, a line for each argument. */
export function ApprovalArguments({ args }: { args: Record<string, unknown> }) {
  const entries = Object.entries(args)
  if (entries.length === 0) return <p className="mt-4 text-sm text-muted">It is called without arguments.</p>
  return (
    <dl className="mt-4 grid gap-x-4 gap-y-2 rounded-lg bg-subtle p-4 text-sm sm:grid-cols-[minmax(6rem,auto)_1fr]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-medium text-muted wrap-anywhere">{name}</dt>
          <dd className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
