import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { type ComponentType, memo, useCallback, useId, useMemo, useRef } from 'react'
import type { DataRow } from '@/api/data'
import { useSight } from '@/components/data/grid/use-sight'
import { boxHeight } from '@/components/data/grid/window'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import { CardMenu } from './card-menu'
import type { BoardColumn } from './columns'

/** What a board looks like. Components, not functions: what is drawn while a card moves must not change with every step. */
export interface BoardLooks {
  /** Of a card and the gap below it. */
  cardHeight: number
  /** What a card is called. */
  titleOf: (row: DataRow) => string
  /** What stands below its title. */
  Card: ComponentType<{ row: DataRow }>
  /** At the beginning of a card's menu. */
  Menu?: ComponentType<{ row: DataRow }>
  /** Beside the name of a column: what tells it apart at a glance. */
  Mark?: ComponentType<{ column: string }>
}

interface ColumnViewProps extends BoardLooks {
  column: BoardColumn
  columns: readonly Pick<BoardColumn, 'key' | 'label'>[]
  summary?: string
  mayMove: boolean
  /** The card that can be reached with Tab. */
  tabStop: string | undefined
  /** A card of this column that is held; it is no longer counted here. */
  lifted: DataRow | undefined
  /** Where the held card would fall, and the card itself if it moves by keys. */
  gap: number | undefined
  shownInGap: DataRow | undefined
  /** More of its cards are wanted. */
  onNear: (column: string) => void
  onMenuMove: (row: DataRow, column: string, to: 'top' | 'end') => void
  onAdd?: (column: string, opener: HTMLElement) => void
  addLabel: string
  empty: string
}

/** Cards that are left when more are fetched. */
const NEAR = 30

export const ColumnView = memo(function ColumnView(props: ColumnViewProps) {
  const { column, columns, Mark, summary, mayMove, tabStop, lifted, gap, shownInGap, cardHeight, titleOf, Card, Menu } = props
  const { onNear, onMenuMove, onAdd, addLabel, empty } = props
  const { key, label, hasMore, total, isCounted } = column
  const titleId = useId()
  const list = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => (lifted === undefined ? column.rows : column.rows.filter(({ id }) => id !== lifted.id)), [column.rows, lifted])
  const slots = rows.length + (gap === undefined ? 0 : 1)
  const onSight = useCallback(
    (_: number, last: number) => {
      if (hasMore && last + NEAR >= rows.length) onNear(key)
    },
    [hasMore, rows.length, key, onNear],
  )
  const { sight, onScroll, height } = useSight(list, { total: slots, rowHeight: cardHeight, head: 0 }, onSight)
  const slotOf = (index: number) => (gap !== undefined && index >= gap ? index + 1 : index)
  const isSeen = (row: DataRow, index: number) => row.id === tabStop || (slotOf(index) >= sight.first && slotOf(index) <= sight.last)
  const topOf = (slot: number) => sight.top + (slot - sight.first) * cardHeight
  const card = (row: DataRow, slot: number, look: 'plain' | 'hidden' | 'held') => (
    <li
      key={row.id}
      data-card={row.id}
      aria-setsize={isCounted ? total : -1}
      aria-posinset={slot + 1}
      aria-hidden={look === 'hidden' || undefined}
      style={{ height: cardHeight, transform: `translateY(${topOf(slot)}px)` }}
      className={clsx('group/card absolute inset-x-0 top-0 touch-manipulation pb-2 transition-transform duration-150 select-none [-webkit-touch-callout:none]', look === 'hidden' && 'invisible')}
    >
      <div
        className={clsx(
          'relative flex h-full flex-col gap-1 rounded-lg border p-3 text-sm transition-colors has-[[data-card-title]:focus-visible]:outline-2 has-[[data-card-title]:focus-visible]:-outline-offset-1 has-[[data-card-title]:focus-visible]:outline-brand',
          look === 'held' ? 'border-brand bg-brand-subtle shadow-float' : 'border-border bg-surface shadow-lift hover:border-control',
        )}
      >
        <button
          type="button"
          data-card-title
          tabIndex={row.id === tabStop ? 0 : -1}
          aria-haspopup="dialog"
          className="text-left font-medium focus-visible:outline-none after:absolute after:inset-0 after:rounded-lg"
        >
          <span dir="auto" className={clsx('line-clamp-2 wrap-anywhere', mayMove && 'pr-6 pointer-coarse:pr-9')}>{titleOf(row)}</span>
        </button>
        <Card row={row} />
        {mayMove && (
          <div className="absolute top-1.5 right-1.5 pointer-coarse:top-0 pointer-coarse:right-0">
            <CardMenu
              title={titleOf(row)}
              column={key}
              columns={columns}
              isTabStop={row.id === tabStop}
              onMove={(to, where) => {
                onMenuMove(row, to, where)
              }}
            >
              {Menu !== undefined && <Menu row={row} />}
            </CardMenu>
          </div>
        )}
      </div>
    </li>
  )

  const cards = rows.map((row, index) => (isSeen(row, index) ? card(row, slotOf(index), 'plain') : null))
  // A finger that lifted a card must find it on the page until it lets go.
  if (lifted !== undefined && shownInGap !== lifted) cards.push(card(lifted, column.rows.indexOf(lifted), 'hidden'))
  if (gap !== undefined) {
    const place = (
      <li key="gap" aria-hidden className="absolute inset-x-0 top-0 pb-2" style={{ height: cardHeight, transform: `translateY(${topOf(gap)}px)` }}>
        <div className="h-full rounded-lg border border-dashed border-brand bg-brand-subtle/60" />
      </li>
    )
    cards.push(shownInGap === undefined ? place : card(shownInGap, gap, 'held'))
  }
  return (
    <section
      aria-labelledby={titleId}
      className={clsx(
        'flex h-full w-[min(17.5rem,82vw)] min-w-[min(15.5rem,82vw)] shrink-0 snap-center flex-col rounded-xl bg-subtle/60 sm:max-w-96 sm:shrink sm:grow sm:basis-62',
        gap !== undefined && shownInGap === undefined && 'ring-2 ring-brand/50 ring-inset',
      )}
    >
      <header className="flex min-h-13 shrink-0 items-start gap-2 py-2 pr-2 pl-3.5">
        {Mark !== undefined && (
          <span aria-hidden className="flex h-6 items-center">
            <Mark column={key} />
          </span>
        )}
        <div className="min-w-0 grow">
          <h2 id={titleId} className="flex h-6 items-center gap-2 text-sm font-semibold">
            <span dir="auto" className="truncate" title={label}>{label}</span>
            <span className="font-normal text-muted tabular-nums">{isCounted ? total.toLocaleString() : say(words.countOrMore, { count: total })}</span>
          </h2>
          {summary !== undefined && summary !== '' && <p className="truncate text-xs text-muted tabular-nums" title={summary}>{summary}</p>}
        </div>
        {onAdd !== undefined && (
          <Button
            variant="ghost"
            size="icon"
            className="size-7! pointer-coarse:size-11!"
            aria-label={say(words.addToColumn, { add: addLabel, column: label })}
            onClick={(event) => {
              onAdd(key, event.currentTarget)
            }}
          >
            <Plus aria-hidden className="size-4" />
          </Button>
        )}
      </header>
      <div
        ref={list}
        data-column={key}
        data-count={hasMore ? Math.max(0, rows.length - 1) : rows.length}
        onScroll={onScroll}
        className="min-h-0 grow overflow-x-hidden overflow-y-auto overscroll-y-contain px-2 [scrollbar-width:thin]"
      >
        {slots === 0 && <p className="rounded-lg border border-dashed border-border px-3 py-6 text-center text-sm text-muted">{empty}</p>}
        <ul aria-labelledby={titleId} className="relative" style={{ height: boxHeight({ total: slots, rowHeight: cardHeight, height }) }}>
          {cards}
        </ul>
      </div>
    </section>
  )
})
