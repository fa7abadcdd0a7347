// The columns of a board, as they are while moves are on their way to the server.
import type { DataRow } from '@/api/data'
import { indexOf, type Placed } from './places'

export interface BoardColumn {
  /** The value of the field that the columns are by; empty for rows without one. */
  key: string
  label: string
  /** As far as they are here, by their position. */
  rows: readonly DataRow[]
  /** How many there are, also those that aren't here yet. */
  total: number
  /** Whether there may be more than that. */
  isCounted: boolean
  /** Whether there are others below those that are here. */
  hasMore: boolean
}

/** What one move writes: the card that moved, and those that made room. */
export interface Move {
  /** Of the card that moved. */
  id: string
  column: string
  placed: readonly Placed[]
}

export function positionOf({ fields: { position } }: DataRow): number {
  return typeof position === 'number' ? position : 0
}

export function placedIn(rows: readonly DataRow[]): Placed[] {
  return rows.map((row) => ({ id: row.id, position: positionOf(row) }))
}

/** The columns as they will be. A column in which nothing moves stays the same object. */
export function withMoves(columns: readonly BoardColumn[], moves: readonly Move[]): readonly BoardColumn[] {
  return moves.reduce(withMove, columns)
}

function withMove(columns: readonly BoardColumn[], { id, column: to, placed }: Move): readonly BoardColumn[] {
  const row = columns.flatMap(({ rows }) => rows).find((one) => one.id === id)
  if (row === undefined) return columns
  const positions = new Map(placed.map((one) => [one.id, one.position]))
  return columns.map((column) => {
    const leaves = column.rows.some((one) => one.id === id)
    if (!leaves && column.key !== to) return column
    const others = column.rows.filter((one) => one.id !== id).map((one) => at(one, positions.get(one.id)))
    const total = column.total - (leaves ? 1 : 0) + (column.key === to ? 1 : 0)
    if (column.key !== to) return { ...column, rows: others, total }
    const moved = at(row, positions.get(id))
    return { ...column, rows: others.toSpliced(indexOf(placedIn(others), positionOf(moved)), 0, moved), total }
  })
}

function at(row: DataRow, position: number | undefined): DataRow {
  return position === undefined || position === positionOf(row) ? row : { ...row, fields: { ...row.fields, position } }
}

/** Sums of an amount by its currency, those with the most rows first. */
export function sumsOf(rows: readonly DataRow[], amount: string, currency: string): { currency: string; amount: number }[] {
  const sums = new Map<string, { amount: number; count: number }>()
  for (const { fields } of rows) {
    const of = String(fields[currency])
    const { amount: sum, count } = sums.get(of) ?? { amount: 0, count: 0 }
    sums.set(of, { amount: sum + Number(fields[amount] ?? 0), count: count + 1 })
  }
  return [...sums].sort(([, a], [, b]) => b.count - a.count).map(([of, { amount: sum }]) => ({ currency: of, amount: sum }))
}
