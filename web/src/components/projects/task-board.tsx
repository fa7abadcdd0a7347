// The tasks of a project by their status, or by who does them; moved from column to column.
import { useCallback, useMemo, useState } from 'react'
import type { DataRow, Kind } from '@/api/data'
import { Board, cardElement } from '@/components/data/board/board'
import { BoardStates } from '@/components/data/board/board-states'
import type { BoardColumn } from '@/components/data/board/columns'
import { useMoves } from '@/components/data/board/use-moves'
import { titleOf } from '@/components/data/columns'
import { EMPTY } from '@/components/data/filter-bar'
import { ReasonDialog } from '@/components/data/reason-dialog'
import { choiceWords } from '@/components/data/values'
import { Avatar } from '@/components/ui/avatar'
import { useBoard } from '@/hooks/use-board'
import { useMembers } from '@/hooks/use-members'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'
import { countSubtasks, PersonsTaskCard, SubtasksContext, TASK_CARD, TaskCard } from './task-card'
import { DONE, StatusMark, statusesOf } from './task-marks'

interface TaskBoardProps {
  kind: Kind
  project: string
  mayChange: boolean
  onOpen: (row: DataRow, opener: HTMLElement) => void
  /** `fields`: what a new one begins with. */
  onAdd: (fields: Record<string, unknown>, opener: HTMLElement) => void
}

interface Asked {
  row: DataRow
  answer: (fields: Record<string, unknown> | undefined) => void
}

export function TaskBoard({ kind, project, mayChange, onOpen, onAdd }: TaskBoardProps) {
  const statuses = statusesOf(kind)
  const board = useBoard({ kind: kind.name, filters: { projectId: project }, columns: statuses.map((status) => ({ key: status, filter: { status } })) })
  const { columns: found, more } = board
  const columns = useMemo(() => found?.map((column): BoardColumn => ({ label: choiceWords(column.key), ...column })), [found])
  const [asked, setAsked] = useState<Asked>()
  const ask = (row: DataRow, status: string) =>
    status === 'blocked' ? new Promise<Record<string, unknown> | undefined>((answer) => { setAsked({ row, answer }) }) : Promise.resolve({})
  const { columns: shown, move } = useMoves({ kind: kind.name, field: 'status', columns, ask })
  const subtasks = useMemo(() => countSubtasks(columns?.flatMap(({ rows }) => rows) ?? []), [columns])
  const nameOf = useCallback((row: DataRow) => titleOf(kind, row), [kind])
  return (
    <BoardStates board={board} columns={statuses.length}>
      <SubtasksContext value={subtasks}>
        <Board
          label={words.tasksByStatus}
          columns={shown ?? []}
          cardHeight={TASK_CARD}
          titleOf={nameOf}
          Card={TaskCard}
          Mark={StatusMark}
          empty={words.noTasksHere}
          mayMove={mayChange}
          onMove={(row, spot) => void move(row, spot)}
          onOpen={onOpen}
          onAdd={
            mayChange
              ? (status, opener) => {
                  onAdd({ status }, opener)
                }
              : undefined
          }
          addLabel={words.newTask}
          onNear={more}
        />
      </SubtasksContext>
      {asked !== undefined && (
        <ReasonDialog
          title={say(words.blockedTitle, { name: titleOf(kind, asked.row) })}
          description={words.blockedDescription}
          usual={Object.values(words.blockers)}
          confirm={words.markAsBlocked}
          opener={() => cardElement(asked.row.id)}
          onAnswer={(reason) => {
            setAsked(undefined)
            asked.answer(reason === undefined ? undefined : { blocked_reason: reason === '' ? null : reason })
          }}
        />
      )}
    </BoardStates>
  )
}

/** What is still to be done, in a column for each person. */
export function PeopleBoard({ kind, project, mayChange, onOpen, onAdd }: TaskBoardProps) {
  const { data: members } = useMembers()
  const people = useMemo(() => [{ key: '', label: words.nobody }, ...(members ?? []).map(({ profile_id, name }) => ({ key: profile_id, label: name }))], [members])
  const open = statusesOf(kind).filter((status) => status !== DONE)
  const board = useBoard({
    kind: kind.name,
    filters: { projectId: project },
    // What is done is no column here, but tells how many subtasks of a card are done.
    columns: [...people.map(({ key }) => ({ key, filter: { assigneeId: key === '' ? EMPTY : key, status: open } })), { key: DONE, filter: { status: DONE } }],
  })
  const { columns: found, more } = board
  const columns = useMemo(() => found?.slice(0, people.length).map((column, at): BoardColumn => ({ label: people[at]?.label ?? '', ...column })), [found, people])
  const { columns: shown, move } = useMoves({ kind: kind.name, field: 'assignee_id', columns })
  const subtasks = useMemo(() => countSubtasks(found?.flatMap(({ rows }) => rows) ?? []), [found])
  const nameOf = useCallback((row: DataRow) => titleOf(kind, row), [kind])
  return (
    <BoardStates board={board} columns={people.length}>
      <SubtasksContext value={subtasks}>
        <Board
          label={words.tasksByPerson}
          columns={shown ?? []}
          cardHeight={TASK_CARD}
          titleOf={nameOf}
          Card={PersonsTaskCard}
          Mark={PersonOfColumn}
          empty={words.noTasksHere}
          mayMove={mayChange}
          onMove={(row, spot) => void move(row, spot)}
          onOpen={onOpen}
          onAdd={
            mayChange
              ? (person, opener) => {
                  onAdd({ assignee_id: person === '' ? null : person }, opener)
                }
              : undefined
          }
          addLabel={words.newTask}
          onNear={more}
        />
      </SubtasksContext>
    </BoardStates>
  )
}

function PersonOfColumn({ column }: { column: string }) {
  const { data: members } = useMembers()
  const name = members?.find(({ profile_id }) => profile_id === column)?.name
  return name === undefined ? null : <Avatar name={name} isSmall />
}
