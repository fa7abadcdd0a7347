import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Sort } from '@/api/data'
import { words } from '@/words/en/data'

interface HeadColumn {
  name: string
  label: string
  align?: 'end'
  isSorted?: boolean
}

interface GridHeadProps {
  columns: readonly HeadColumn[]
  isNarrow: boolean
  selects: boolean
  sort: Sort
  onSort: (sort: Sort) => void
}

/** The names of the columns, which sort by them. Where there is no room for columns, readers still hear what the cells hold. */
export function GridHead({ columns, isNarrow, selects, sort, onSort }: GridHeadProps) {
  const offset = selects ? 2 : 1
  if (isNarrow) {
    return (
      <div role="rowgroup" className="sr-only">
        <div role="row" aria-rowindex={1}>
          {selects && <div role="columnheader" aria-colindex={1}>{words.selected}</div>}
          <div role="columnheader" aria-colindex={offset}>{columns.map(({ label }) => label).join(', ')}</div>
        </div>
      </div>
    )
  }
  return (
    <div role="rowgroup" className="sticky top-0 z-10 min-w-fit border-b border-border bg-surface">
      <div role="row" aria-rowindex={1} className="grid h-10 grid-cols-(--columns) items-center">
        {selects && (
          <div role="columnheader" aria-colindex={1}>
            <span className="sr-only">{words.selected}</span>
          </div>
        )}
        {columns.map(({ name, label, align, isSorted }, column) => {
          const direction = sort.field === name ? sort.direction : undefined
          return (
            <div
              key={name}
              role="columnheader"
              aria-colindex={column + offset}
              aria-sort={direction === undefined ? undefined : direction === 'rising' ? 'ascending' : 'descending'}
              className={clsx('flex min-w-0 px-3 text-xs font-medium text-muted', align === 'end' && 'justify-end')}
            >
              {isSorted === true ? (
                <button
                  type="button"
                  className="-mx-1 flex min-w-0 items-center gap-1 rounded-md px-1 py-1 hover:text-foreground"
                  onClick={() => {
                    onSort({ field: name, direction: direction === 'falling' ? 'rising' : 'falling' })
                  }}
                >
                  <span className="truncate">{label}</span>
                  {direction !== undefined && <SortArrow direction={direction} />}
                </button>
              ) : (
                <span className="truncate">{label}</span>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function SortArrow({ direction }: { direction: Sort['direction'] }) {
  const Arrow = direction === 'rising' ? ArrowUp : ArrowDown
  return <Arrow aria-hidden className="size-3 shrink-0" />
}
