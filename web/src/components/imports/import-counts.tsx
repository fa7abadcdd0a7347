import { Badge, type BadgeTone } from '@/components/ui/badge'
import type { Import } from '@/hooks/use-imports'
import { words } from '@/words/en/imports'

const TONES: Record<Import['status'], BadgeTone> = {
  uploading: 'info',
  reading: 'info',
  needs_mapping: 'warning',
  ready: 'brand',
  importing: 'info',
  completed: 'success',
  failed: 'danger',
  undoing: 'info',
  undone: 'neutral',
}

export function ImportStatus({ status }: { status: Import['status'] }) {
  return <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>
}

/** Whether the server is at work on it. */
export function isUnderWay(status: Import['status']): boolean {
  return status === 'uploading' || status === 'reading' || status === 'importing' || status === 'undoing'
}

type Count = keyof typeof words.counts

const COUNTS: readonly Count[] = ['read', 'new', 'changed', 'duplicates', 'refused']

/** What became of the rows of a file: all that were read are new, changed, there already or refused. */
export function ImportCounts({ of }: { of: Import }) {
  return (
    <dl className="grid grid-cols-3 gap-x-4 gap-y-3 sm:grid-cols-5 sm:gap-x-6">
      {COUNTS.map((count) => (
        <div key={count}>
          <dt className="text-sm text-muted">{words.counts[count]}</dt>
          <dd className={count === 'refused' && of[count] > 0 ? 'text-xl font-semibold text-danger tabular-nums' : 'text-xl font-semibold tabular-nums'}>
            {of[count].toLocaleString()}
          </dd>
        </div>
      ))}
    </dl>
  )
}
