/** What the tool would be called with, a line for each argument. */
export function ApprovalArguments({ args }: { args: Record<string, unknown> }) {
  const entries = Object.entries(args)
  if (entries.length === 0) return <p className="mt-4 text-sm text-muted">It is called without arguments.</p>
  return (
    <dl className="mt-4 grid gap-x-4 rounded-lg bg-subtle p-4 text-sm sm:gap-y-2 sm:grid-cols-[minmax(6rem,auto)_1fr] [&>div+div>dt]:max-sm:pt-2">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted wrap-anywhere">{name}</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere">
            {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
