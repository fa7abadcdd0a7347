// Columns of cards that are moved from one to the other: with the mouse, a finger, keys or a menu. Only cards in sight are drawn.
import { type KeyboardEvent, type MouseEvent, useCallback, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { clsx } from 'clsx'
import { flushSync } from 'react-dom'
import type { DataRow } from '@/api/data'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import { type BoardLooks, ColumnView } from './column-view'
import type { BoardColumn } from './columns'
import { PointerDrag } from './pointer-drag'
import { type Spot, stepTo } from './steps'

interface BoardProps extends BoardLooks {
  /** What the cards are, for readers. */
  label: string
  columns: readonly BoardColumn[]
  /** What a column adds up to, under its name. */
  summaryOf?: (column: BoardColumn) => string
  /** What stands in a column without cards. */
  empty: string
  mayMove: boolean
  /** `index`: in the column as it is without the card. */
  onMove: (row: DataRow, spot: Spot) => void
  onOpen: (row: DataRow, opener: HTMLElement) => void
  /** Makes a new one in a column. */
  onAdd?: (column: string, opener: HTMLElement) => void
  addLabel: string
  /** More cards of a column are wanted. */
  onNear: (column: string) => void
}

interface Lifted {
  row: DataRow
  from: Spot
  spot: Spot
  by: 'pointer' | 'keys'
}

export function Board(props: BoardProps) {
  const { label, columns, Mark, summaryOf, empty, mayMove, onMove, onOpen, onAdd, addLabel, onNear, cardHeight, titleOf, Card, Menu } = props
  const [lifted, setLifted] = useState<Lifted>()
  const [active, setActive] = useState<string>()
  const [told, setTold] = useState('')
  const root = useRef<HTMLDivElement>(null)
  /** The card that gets the focus once it is drawn. */
  const wanted = useRef<string>(undefined)
  const helpId = useId()

  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const card = titleButton(root.current, wanted.current)
    if (card === null) return
    wanted.current = undefined
    card.focus()
  })

  const spotOf = (id: string): (Spot & { row: DataRow }) | undefined => {
    for (const { key, rows } of columns) {
      const index = rows.findIndex((row) => row.id === id)
      const row = rows[index]
      if (row !== undefined) return { column: key, index, row }
    }
    return undefined
  }
  const labelOf = (column: string) => columns.find(({ key }) => key === column)?.label ?? ''
  /** How many cards a column has, and where it ends for a card that is put into it. */
  const sizes = columns.map(({ key, rows, hasMore }) => ({
    key,
    count: lifted === undefined ? rows.length : rows.filter(({ id }) => id !== lifted.row.id).length - (hasMore ? 1 : 0),
  }))
  const place = ({ column, index }: Spot) => {
    const count = (sizes.find(({ key }) => key === column)?.count ?? 0) + 1
    return { column: labelOf(column), place: index + 1, count }
  }

  const lift = (id: string, by: Lifted['by']) => {
    const found = spotOf(id)
    if (found === undefined) return
    const { row, ...spot } = found
    setActive(id)
    setLifted({ row, from: spot, spot, by })
    if (by === 'keys') setTold(say(words.cardIsLifted, { name: titleOf(row), column: labelOf(spot.column) }))
  }
  const drop = (spot: Spot) => {
    if (lifted === undefined) return
    const { row, from, by } = lifted
    setLifted(undefined)
    if (by === 'keys') wanted.current = row.id
    if (from.column === spot.column && from.index === spot.index) {
      setTold(say(words.cardIsBack, { name: titleOf(row) }))
      return
    }
    setTold(say(words.cardIsPut, { name: titleOf(row), ...place(spot) }))
    onMove(row, spot)
  }
  const putBack = () => {
    if (lifted === undefined) return
    if (lifted.by === 'keys') wanted.current = lifted.row.id
    setLifted(undefined)
    setTold(say(words.cardIsBack, { name: titleOf(lifted.row) }))
  }
  const hover = (spot: Spot) => {
    setLifted((now) => now && { ...now, spot })
  }

  const onLift = useEffectEvent((id: string) => {
    // The pointer may let go before React would draw by itself.
    flushSync(() => {
      lift(id, 'pointer')
    })
  })
  const onDrop = useEffectEvent(drop)
  const onCancel = useEffectEvent(putBack)
  // In the frame that shows the cards: a browser that is busy runs other effects later, and a card that is pressed before that
  // would stay where it is.
  useLayoutEffect(() => {
    if (root.current === null || !mayMove) return
    const drag = new PointerDrag(root.current, cardHeight, {
      onLift: (id) => {
        onLift(id)
      },
      onSpot: hover,
      onDrop: (spot) => {
        onDrop(spot)
      },
      onCancel: () => {
        onCancel()
      },
    })
    return drag.listen()
  }, [mayMove, cardHeight])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const id = cardOf(event.target, '[data-card-title]')
    if (id === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    if (lifted?.by === 'keys') {
      const next = stepTo(lifted.spot, event.key, sizes, true)
      if (next !== undefined) {
        wanted.current = lifted.row.id
        hover(next)
        setTold(say(words.cardIsOver, place(next)))
      } else if (event.key === ' ' || event.key === 'Enter') drop(lifted.spot)
      else if (event.key === 'Escape' || event.key === 'Tab') putBack()
      else return
      if (event.key === 'Tab') return
    } else if (event.key === ' ' && mayMove) lift(id, 'keys')
    else {
      const spot = spotOf(id)
      const next = spot && stepTo(spot, event.key, sizes, false)
      const row = next && columns.find(({ key }) => key === next.column)?.rows[next.index]
      if (row === undefined) return
      setActive(row.id)
      wanted.current = row.id
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const id = cardOf(event.target, '[data-card-title]')
    const row = id === undefined ? undefined : spotOf(id)?.row
    if (row === undefined || lifted !== undefined) return
    setActive(row.id)
    onOpen(row, event.target as HTMLElement)
  }
  const onMenuMove = useCallback(
    (row: DataRow, column: string, to: 'top' | 'end') => {
      const others = columns.find(({ key }) => key === column)?.rows.filter(({ id }) => id !== row.id) ?? []
      const hasMore = columns.find(({ key }) => key === column)?.hasMore === true
      const index = to === 'top' ? 0 : others.length - (hasMore ? 1 : 0)
      wanted.current = row.id
      setActive(row.id)
      onMove(row, { column, index })
    },
    [columns, onMove],
  )

  return (
    <div
      ref={root}
      role="group"
      aria-label={label}
      aria-describedby={helpId}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        // Firefox presses a button when the key is let go.
        if (event.key === ' ' && mayMove && cardOf(event.target, '[data-card-title]') !== undefined) event.preventDefault()
      }}
      onClick={onClick}
      className={clsx(
        'relative flex h-[max(24rem,calc(100dvh-var(--board-top,19rem)))] gap-3 overflow-x-auto overscroll-x-contain pb-2',
        lifted === undefined ? 'max-sm:snap-x max-sm:snap-mandatory' : 'cursor-grabbing',
      )}
    >
      <p id={helpId} className="sr-only">{mayMove ? words.boardHelp : words.boardHelpReading}</p>
      <p role="status" aria-live="assertive" className="sr-only">{told}</p>
      {columns.map((column) => {
        const isFrom = lifted?.from.column === column.key
        const isOver = lifted?.spot.column === column.key
        const hasActive = active !== undefined && column.rows.some(({ id }) => id === active)
        return (
          <ColumnView
            key={column.key}
            {...{ column, columns, mayMove, onNear, onMenuMove, addLabel, empty, cardHeight, titleOf, Card, Menu, Mark }}
            summary={summaryOf?.(column)}
            onAdd={onAdd}
            tabStop={hasActive ? active : column.rows[0]?.id}
            lifted={isFrom ? lifted.row : undefined}
            gap={isOver ? lifted.spot.index : undefined}
            shownInGap={isOver && lifted.by === 'keys' ? lifted.row : undefined}
          />
        )
      })}
    </div>
  )
}

/** The card that something on the board belongs to. */
function cardOf(target: EventTarget, part: string): string | undefined {
  if (!(target instanceof Element) || target.closest(part) === null) return undefined
  return target.closest<HTMLElement>('[data-card]')?.dataset.card
}

function titleButton(board: ParentNode | null, id: string): HTMLElement | null {
  return board?.querySelector<HTMLElement>(`[data-card="${id}"]:not([aria-hidden]) [data-card-title]`) ?? null
}

/** What has the focus of a card, wherever it is by now: for a dialog that asks about it. */
export function cardElement(id: string): HTMLElement | null {
  return titleButton(document, id)
}
