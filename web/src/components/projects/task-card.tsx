import { Ban, ListTree } from 'lucide-react'
import { createContext, useContext } from 'react'
import type { DataRow } from '@/api/data'
import { PersonMark } from '@/components/data/person-mark'
import { textOf } from '@/components/data/values'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'
import { DueMark, PriorityMark, StatusMark } from './task-marks'

/** With the gap below it. */
export const TASK_CARD = 116

/** How many subtasks tasks have, as far as they are on the board. */
export type Subtasks = ReadonlyMap<string, { done: number; all: number }>

export const SubtasksContext = createContext<Subtasks>(new Map())

export function countSubtasks(rows: readonly DataRow[]): Subtasks {
  const counts = new Map<string, { done: number; all: number }>()
  for (const { fields } of rows) {
    const parent = textOf(fields.parent_id)
    if (parent === '') continue
    const { done, all } = counts.get(parent) ?? { done: 0, all: 0 }
    counts.set(parent, { done: done + (fields.status === 'done' ? 1 : 0), all: all + 1 })
  }
  return counts
}

/** What a card says below the task's title, in a column of its status. */
export function TaskCard({ row }: { row: DataRow }) {
  const assignee = row.titles.assignee_id
  return (
    <>
      <Under row={row} />
      <div className="mt-auto flex items-center gap-2.5">
        <Signs row={row} />
        <span className="grow" />
        {assignee !== undefined && <PersonMark name={assignee} label={say(words.assignedTo, { name: assignee })} />}
      </div>
    </>
  )
}

/** The same, in a column of its person. */
export function PersonsTaskCard({ row }: { row: DataRow }) {
  return (
    <>
      <Under row={row} />
      <div className="mt-auto flex items-center gap-2.5">
        <StatusMark column={textOf(row.fields.status)} />
        <Signs row={row} />
      </div>
    </>
  )
}

/** Why it is blocked, or which task it is a part of. */
function Under({ row: { fields, titles } }: { row: DataRow }) {
  if (fields.status === 'blocked') {
    const reason = textOf(fields.blocked_reason)
    return (
      <p className="flex items-center gap-1.5 text-xs text-danger" title={reason}>
        <Ban aria-hidden className="size-3.5 shrink-0" />
        <span dir="auto" className="truncate">{reason === '' ? words.blocked : say(words.blockedBy, { reason })}</span>
      </p>
    )
  }
  const parent = titles.parent_id
  return parent === undefined ? null : <p dir="auto" className="truncate text-xs text-muted">{say(words.partOf, { parent })}</p>
}

function Signs({ row }: { row: DataRow }) {
  const subtasks = useContext(SubtasksContext).get(row.id)
  const said = subtasks && say(words.subtasksDone, { done: subtasks.done, count: subtasks.all })
  return (
    <>
      <PriorityMark priority={textOf(row.fields.priority)} />
      <DueMark row={row} />
      {subtasks !== undefined && (
        <span title={said} className="flex shrink-0 items-center gap-1 text-xs text-muted tabular-nums">
          <ListTree aria-hidden className="size-3.5" />
          <span className="sr-only">{said}</span>
          <span aria-hidden>{`${subtasks.done}/${subtasks.all}`}</span>
        </span>
      )}
    </>
  )
}
