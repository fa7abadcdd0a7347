// One task: its form, its subtasks, what was changed about it.
import { useState } from 'react'
import { clsx } from 'clsx'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { textOf } from '@/components/data/values'
import { useRowActions, useRowsOf } from '@/hooks/use-data'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'
import { QuickTask } from './task-list'
import { DueMark, isDone, StatusMark } from './task-marks'

interface TaskDialogProps {
  kind: Kind
  /** Undefined: a new one. */
  row: DataRow | undefined
  opener: HTMLElement | null
  initial: Record<string, unknown>
  choices: Choices
  mayChange: boolean
  onClose: () => void
}

/** Its project is that of the page, and its place that of its card. */
const HIDDEN = ['project_id', 'position', 'completed_on']

export function TaskDialog({ kind, row: first, opener, initial, choices, mayChange, onClose }: TaskDialogProps) {
  const [row, setRow] = useState(first)
  return (
    <RowDialog
      key={row?.id}
      kind={kind}
      row={row}
      opener={opener}
      choices={choices}
      mayChange={mayChange}
      initial={initial}
      hidden={HIDDEN}
      extra={(task) => <Subtasks task={task} mayChange={mayChange} onOpen={setRow} />}
      onClose={onClose}
    />
  )
}

function Subtasks({ task, mayChange, onOpen }: { task: DataRow; mayChange: boolean; onOpen: (row: DataRow) => void }) {
  const { data: rows = [] } = useRowsOf('project_tasks', { parentId: task.id })
  const { change } = useRowActions('project_tasks')
  if (rows.length === 0 && !mayChange) return null
  return (
    <section aria-label={words.subtasks} className="grid gap-3 border-t border-border pt-4">
      <h3 className="text-sm font-semibold">{words.subtasks}</h3>
      {rows.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {rows.map((row) => (
            <li key={row.id} className="flex min-h-9 items-center gap-3">
              {mayChange ? (
                <button
                  type="button"
                  aria-pressed={isDone(row)}
                  aria-label={say(words.markAsDone, { title: textOf(row.fields.title) })}
                  className="-m-1.5 flex size-8 shrink-0 items-center justify-center rounded-full hover:bg-subtle pointer-coarse:-m-3 pointer-coarse:size-11"
                  onClick={() => {
                    change(row, { status: isDone(row) ? 'todo' : 'done' }).catch((error: unknown) => {
                      notify(messageOf(error), 'error')
                    })
                  }}
                >
                  <StatusMark column={textOf(row.fields.status)} />
                </button>
              ) : (
                <StatusMark column={textOf(row.fields.status)} />
              )}
              <button
                type="button"
                dir="auto"
                className={clsx('min-w-0 grow truncate rounded-sm text-left hover:underline', isDone(row) && 'text-muted line-through decoration-control')}
                onClick={() => {
                  onOpen(row)
                }}
              >
                {textOf(row.fields.title)}
              </button>
              <DueMark row={row} />
            </li>
          ))}
        </ul>
      )}
      {mayChange && <QuickTask label={words.addSubtask} fields={{ project_id: task.fields.project_id, parent_id: task.id }} />}
    </section>
  )
}
