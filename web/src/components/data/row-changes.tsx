import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { Alert } from '@/components/ui/alert'
import { Skeleton } from '@/components/ui/skeleton'
import { useRowChanges } from '@/hooks/use-data'
import { words } from '@/words/en/data'
import { ChangeList } from './change-list'
import type { Choices } from './row-form'

interface RowChangesProps {
  kind: Kind
  row: DataRow
  choices: Choices
  mayUndo: boolean
}

/** What was changed about one row. */
export function RowChanges({ kind, row, choices, mayUndo }: RowChangesProps) {
  const { data, isPending, isLoadingError, error } = useRowChanges(kind.name, row.id)
  return (
    <section aria-label={words.changes} className="grid gap-3 border-t border-border pt-4">
      <h3 className="text-sm font-semibold">{words.changes}</h3>
      {isPending && (
        <div role="status">
          <span className="sr-only">{words.loadingChanges}</span>
          <Skeleton className="h-10" />
        </div>
      )}
      {isLoadingError && <Alert>{messageOf(error)}</Alert>}
      {data?.length === 0 && <p className="text-sm text-muted">{words.noChangesOfRow}</p>}
      {data !== undefined && <ChangeList changes={data} kinds={[kind]} choices={choices} namesRow={false} mayUndo={mayUndo} />}
    </section>
  )
}
