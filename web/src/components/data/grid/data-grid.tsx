// A table of rows without end: only those in sight are drawn, and fetched. The focus stays on the grid itself, which says
// which cell is meant: a cell that has the focus would lose it when it is scrolled out of sight.
import { clsx } from 'clsx'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useCallback, useId, useRef, useState, useSyncExternalStore } from 'react'
import type { Sort } from '@/api/data'
import type { RowPages } from '@/lib/row-pages'
import { words } from '@/words/en/data'
import { cellId, type Column } from './column'
import { GridHead } from './grid-head'
import { GridRow, Waiting } from './grid-row'
import { move, type Place } from './keys'
import { boxHeight } from './window'
import { useSight } from './use-sight'

export type { Column }

interface DataGridProps<Row extends { id: string }> {
  /** What the rows are, for readers. */
  label: string
  columns: readonly Column<Row>[]
  pages: RowPages<Row>
  /** What a row is called, for readers. */
  nameOf: (row: Row) => string
  /** All of a row in one cell, where there is no room for columns. */
  narrow: ((row: Row) => ReactNode) | undefined
  sort: Sort
  onSort: (sort: Sort) => void
  /** Undefined: nothing can be done with several rows. */
  selection: Selection | undefined
  /** Someone wants to see a row, and perhaps change it. */
  onOpen: (row: Row, opener: HTMLElement | null) => void
  className?: string
}

export interface Selection {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  /** All rows from the one that was chosen last to this one. */
  extend: (ids: readonly string[]) => void
}

const ROW = 44
const NARROW_ROW = 64
/** The names of the columns stay in sight. */
const HEAD = 40

export function DataGrid<Row extends { id: string }>(props: DataGridProps<Row>) {
  const { label, columns, pages, nameOf, narrow, sort, onSort, selection, onOpen, className } = props
  useSyncExternalStore(pages.subscribe, pages.snapshot)
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>({ row: 0, column: 0 })
  const [isEditing, setEditing] = useState(false)
  const chosen = useRef(0)
  const total = pages.total ?? 0
  const rowHeight = narrow === undefined ? ROW : NARROW_ROW
  const onSight = useCallback(
    (first: number, last: number) => {
      pages.show(first, last)
    },
    [pages],
  )
  const { sight, onScroll, reveal, page, height } = useSight(scroller, { total, rowHeight, head: HEAD }, onSight)
  const shown = narrow === undefined ? columns : columns.slice(0, 1)
  // Rows may have gone away.
  const at = { row: Math.min(place.row, Math.max(0, total - 1)), column: Math.min(place.column, shown.length - 1) }

  const endEditing = () => {
    setEditing(false)
    scroller.current?.focus({ preventScroll: true })
  }
  const edit = (row: Row, column: number) => {
    const { press, editor } = (narrow === undefined ? columns[column] : undefined) ?? {}
    if (press !== undefined) press(row)
    else if (editor !== undefined) setEditing(true)
    else onOpen(row, scroller.current)
  }
  const toggle = (index: number, isRange: boolean) => {
    const row = pages.rowAt(index)
    if (selection === undefined || row === undefined) return
    if (isRange) selection.extend(between(pages, chosen.current, index))
    else selection.toggle(row.id)
    chosen.current = index
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys of what is being edited are its own.
    if (event.target !== event.currentTarget || total === 0) return
    const next = move(at, event, { rows: total, columns: shown.length, page })
    const row = pages.rowAt(at.row)
    if (next !== undefined) {
      setPlace(next)
      reveal(next.row)
      if (event.shiftKey && next.row !== at.row) toggle(next.row, true)
    } else if (event.key === 'Enter' && row !== undefined) edit(row, at.column)
    else if (event.key === ' ' && selection !== undefined) toggle(at.row, event.shiftKey)
    else return
    event.preventDefault()
  }

  const first = sight.last < 0 ? 0 : sight.first
  const indexes = Array.from({ length: sight.last - first + 1 }, (_, offset) => first + offset)
  const tracks = narrow === undefined ? columns.map(({ width }) => width).join(' ') : 'minmax(0, 1fr)'
  const template = selection === undefined ? tracks : `2.75rem ${tracks}`
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={pages.isCounted ? total + 1 : -1}
      aria-colcount={shown.length + (selection === undefined ? 0 : 1)}
      aria-multiselectable={selection !== undefined || undefined}
      aria-busy={pages.total === undefined || undefined}
      aria-activedescendant={total > 0 ? cellId(gridId, at) : undefined}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      style={{ '--columns': template } as CSSProperties}
      className={clsx(
        'group/grid relative overflow-auto overscroll-contain rounded-lg border border-border bg-surface text-sm focus-visible:outline-offset-0',
        className,
      )}
    >
      <GridHead
        columns={columns}
        isNarrow={narrow !== undefined}
        selects={selection !== undefined}
        sort={sort}
        onSort={(next) => {
          onSort(next)
          scroller.current?.scrollTo({ top: 0 })
        }}
      />
      {pages.total === undefined && <LoadingRows rowHeight={rowHeight} />}
      <div role="rowgroup" className="relative min-w-fit" style={{ height: boxHeight({ total, rowHeight, height }) }}>
        {indexes.map((index) => {
          const row = pages.rowAt(index)
          return (
            <GridRow
              key={index}
              id={gridId}
              index={index}
              top={sight.top + (index - first) * rowHeight}
              height={rowHeight}
              row={row}
              columns={columns}
              narrow={narrow}
              name={row === undefined ? words.loadingRow : nameOf(row)}
              activeColumn={at.row === index ? at.column : undefined}
              isEditing={isEditing && at.row === index}
              isSelected={selection === undefined || row === undefined ? undefined : selection.ids.has(row.id)}
              onEditEnd={endEditing}
              onToggle={toggle}
              onPress={(column) => {
                setPlace({ row: index, column })
                if (row !== undefined) edit(row, column)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}

/** What stands in the grid until it is known how many rows there are. */
function LoadingRows({ rowHeight }: { rowHeight: number }) {
  return (
    <div aria-hidden>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex items-center border-b border-border px-3" style={{ height: rowHeight }}>
          <Waiting />
        </div>
      ))}
    </div>
  )
}

/** Ids of the rows between two, as far as they are here. */
function between<Row extends { id: string }>(pages: RowPages<Row>, from: number, to: number): string[] {
  const [first, last] = from < to ? [from, to] : [to, from]
  const ids: string[] = []
  for (let index = first; index <= last; index++) {
    const row = pages.rowAt(index)
    if (row !== undefined) ids.push(row.id)
  }
  return ids
}
