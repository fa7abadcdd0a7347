// A column of a grid, and the ids of its cells, by which the grid says where the focus is.
import type { ReactNode } from 'react'
import type { Place } from './keys'

export interface Column<Row> {
  /** The field's name. */
  name: string
  label: string
  /** A track of a CSS grid: `8rem`, `minmax(10rem, 2fr)`. */
  width: string
  /** Numbers line up at their end. */
  align?: 'end'
  isSorted?: boolean
  cell: (row: Row) => ReactNode
  /** What Enter and a click do, in place of opening the row. */
  press?: (row: Row) => void
  /** What stands in place of the cell while it is edited. */
  editor?: (row: Row, done: () => void) => ReactNode
}

export function cellId(gridId: string, { row, column }: Place): string {
  return `${gridId}-${row}-${column}`
}
