import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import { cellId, type Column } from './column'

interface GridRowProps<Row> {
  /** The grid's id. */
  id: string
  index: number
  top: number
  height: number
  /** Undefined while it is on its way. */
  row: Row | undefined
  columns: readonly Column<Row>[]
  narrow: ((row: Row) => ReactNode) | undefined
  name: string
  activeColumn: number | undefined
  isEditing: boolean
  /** Undefined where nothing is selected. */
  isSelected: boolean | undefined
  onToggle: (index: number, isRange: boolean) => void
  onPress: (column: number) => void
  onEditEnd: () => void
}

const ACTIVE = 'group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2 group-focus-visible/grid:outline-brand'

export function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, top, height, row, columns, narrow, name, activeColumn, isEditing, isSelected, onToggle, onPress, onEditEnd } = props
  const offset = isSelected === undefined ? 1 : 2
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ height, transform: `translateY(${top}px)` }}
      className={clsx(
        'absolute inset-x-0 top-0 grid grid-cols-(--columns) items-center border-b border-border',
        isSelected === true ? 'bg-brand-subtle/50' : 'hover:bg-subtle/60',
      )}
    >
      {isSelected !== undefined && (
        <div role="gridcell" aria-colindex={1} className="flex h-full items-center justify-center">
          <label className="flex size-full cursor-pointer items-center justify-center">
            <Checkbox
              tabIndex={-1}
              checked={isSelected}
              aria-label={say(words.selectName, { name })}
              onChange={() => undefined}
              onClick={(event) => {
                onToggle(index, event.shiftKey)
              }}
            />
          </label>
        </div>
      )}
      {narrow !== undefined ? (
        <div
          role="gridcell"
          id={cellId(id, { row: index, column: 0 })}
          aria-colindex={offset}
          className={clsx('h-full min-w-0 cursor-pointer py-2 pr-3', offset === 1 && 'pl-3', activeColumn !== undefined && ACTIVE)}
          onClick={() => {
            onPress(0)
          }}
        >
          {row === undefined ? <Waiting /> : narrow(row)}
        </div>
      ) : (
        columns.map(({ name: field, align, cell, editor }, column) => {
          const edited = isEditing && activeColumn === column && row !== undefined ? editor?.(row, onEditEnd) : undefined
          return (
            <div
              key={field}
              role="gridcell"
              id={cellId(id, { row: index, column })}
              aria-colindex={column + offset}
              className={clsx(
                'flex h-full min-w-0 cursor-pointer items-center px-3',
                align === 'end' && 'justify-end text-right tabular-nums',
                activeColumn === column && ACTIVE,
              )}
              onClick={() => {
                if (edited === undefined) onPress(column)
              }}
            >
              {row === undefined ? <Waiting /> : (edited ?? <div className="min-w-0 truncate">{cell(row)}</div>)}
            </div>
          )
        })
      )}
    </div>
  )
}

/** Quiet: a row that flies by should not flash. */
export function Waiting() {
  return <div aria-hidden className="h-3 w-2/3 rounded-sm bg-subtle" />
}
