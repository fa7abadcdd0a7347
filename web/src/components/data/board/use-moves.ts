// Moves of cards: shown at once, written one after the other, and taken back if the server refuses.
import { useRef, useState } from 'react'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import { useRowActions } from '@/hooks/use-data'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/data'
import { say } from '@/words/say'
import { type BoardColumn, type Move, placedIn, withMoves } from './columns'
import { placeAt } from './places'
import type { Spot } from './steps'

interface MovesOptions {
  kind: string
  /** The field that the columns are by; nothing stands for the column without a key. */
  field: string
  /** As the server has them. */
  columns: readonly BoardColumn[] | undefined
  /** Whether filters hide other cards: in a column that only looks empty the server chooses the place. */
  isFiltered?: boolean
  /** What else is to be said about a move, such as why a deal is lost; undefined: it is not meant after all. */
  ask?: (row: DataRow, column: string) => Promise<Record<string, unknown> | undefined>
}

export function useMoves({ kind, field, columns, isFiltered = false, ask }: MovesOptions) {
  const { changeIfStill } = useRowActions(kind)
  const [moves, setMoves] = useState<readonly Move[]>([])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /** Rows as they were written: they may not have been read again yet. */
  const written = useRef(new Map<string, DataRow>())
  const shown = columns && withMoves(columns, moves)

  const write = async (row: DataRow, fields: Record<string, unknown>) => {
    const last = written.current.get(row.id)
    const seen = last !== undefined && last.version > row.version ? last : row
    // Somebody may have changed something else about it, such as its name: the move is right all the same.
    written.current.set(row.id, await changeIfStill(seen, [field, 'position'], fields))
  }
  const move = async (row: DataRow, { column, index }: Spot) => {
    const from = shown?.find(({ rows }) => rows.some(({ id }) => id === row.id))?.key
    const others = shown?.find(({ key }) => key === column)?.rows.filter(({ id }) => id !== row.id) ?? []
    const { position, others: displaced } = placeAt(placedIn(others), index)
    const planned: Move = { id: row.id, column, placed: [{ id: row.id, position }, ...displaced] }
    setMoves((now) => [...now, planned])
    try {
      const more = from === column ? {} : await (ask?.(row, column) ?? {})
      if (more === undefined) return
      const rest = displaced.flatMap((card) => others.filter(({ id }) => id === card.id).map((other) => () => write(other, { position: card.position })))
      const work = last.current.then(async () => {
        // First those that make room: cut short in between, the order is still the old one.
        await Promise.all(rest.map((one) => one()))
        const place = isFiltered && others.length === 0 ? {} : { position }
        await write(row, { ...(from === column ? {} : { [field]: column === '' ? null : column }), ...place, ...more })
      })
      last.current = work.catch(() => undefined)
      await work
    } catch (error) {
      notify(say(words.moveRefused, { reason: messageOf(error) }), 'error')
    } finally {
      setMoves((now) => now.filter((one) => one !== planned))
    }
  }
  return { columns: shown, move }
}
