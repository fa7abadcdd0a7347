// Tasks with their subtasks below them, in one list.
import type { DataRow } from '@/api/data'
import { textOf } from '@/components/data/values'

export interface Branch {
  id: string
  row: DataRow
  level: number
  /** Undefined: it has no subtasks. */
  isOpen: boolean | undefined
}

/** In the order of the rows; below each task its subtasks, unless it is folded. A subtask whose task isn't here stands at the top. */
export function branchesOf(rows: readonly DataRow[], folded: ReadonlySet<string>): Branch[] {
  const ids = new Set(rows.map(({ id }) => id))
  const below = new Map<string, DataRow[]>()
  for (const row of rows) {
    const parent = textOf(row.fields.parent_id)
    const key = ids.has(parent) && parent !== row.id ? parent : ''
    below.set(key, [...(below.get(key) ?? []), row])
  }
  const branches: Branch[] = []
  const add = (parent: string, level: number) => {
    for (const row of below.get(parent) ?? []) {
      const isOpen = below.has(row.id) ? !folded.has(row.id) : undefined
      branches.push({ id: row.id, row, level, isOpen })
      if (isOpen === true) add(row.id, level + 1)
    }
  }
  add('', 0)
  return branches
}
