import { Notice } from '@/components/ui/notice'

/** What a cap doesn't count, in the server's words. */
export function SpendWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="warning">
      <ul className="grid gap-1">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  )
}
