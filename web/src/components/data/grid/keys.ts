// Where a key leads in a grid, as in any spreadsheet.

/** A place in the grid; row -1 is the head. */
export interface Place {
  row: number
  column: number
}

interface Size {
  rows: number
  columns: number
  /** Rows that are in sight. */
  page: number
}

interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
}

/** The next place; undefined if the key leads nowhere. */
export function move({ row, column }: Place, { key, ctrlKey, metaKey }: Key, { rows, columns, page }: Size): Place | undefined {
  const far = ctrlKey || metaKey
  const to = (nextRow: number, nextColumn: number): Place => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  })
  switch (key) {
    case 'ArrowDown':
      return to(far ? rows - 1 : row + 1, column)
    case 'ArrowUp':
      return to(far ? 0 : row - 1, column)
    case 'ArrowRight':
      return to(row, far ? columns - 1 : column + 1)
    case 'ArrowLeft':
      return to(row, far ? 0 : column - 1)
    case 'PageDown':
      return to(row + page, column)
    case 'PageUp':
      return to(row - page, column)
    case 'Home':
      return far ? to(0, 0) : to(row, 0)
    case 'End':
      return far ? to(rows - 1, columns - 1) : to(row, columns - 1)
    default:
      return undefined
  }
}
