// The tasks of a project as a list, subtasks below their task; status, priority, person and day are changed in place.
import { clsx } from 'clsx'
import { useMutation } from '@tanstack/react-query'
import { ChevronRight, Circle, ListChecks } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { Combobox, type Option } from '@/components/data/combobox'
import { type Column, DataGrid } from '@/components/data/grid/data-grid'
import { useNarrow } from '@/components/data/use-media'
import { choiceWords, textOf } from '@/components/data/values'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { useRowActions } from '@/hooks/use-data'
import { RowPages } from '@/lib/row-pages'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'
import { choicesOf, DueMark, isDone, PriorityMark, StatusMark, StatusWords } from './task-marks'
import { type Branch, branchesOf } from './tree'

interface TaskListProps {
  kind: Kind
  rows: readonly DataRow[]
  project: string
  members: readonly Option[]
  mayChange: boolean
  onOpen: (row: DataRow, opener: HTMLElement | null) => void
}

/** Nothing is sorted by hand here: the list is in the order of the board. */
const UNSORTED = { field: '', direction: 'rising' } as const

export function TaskList({ kind, rows, project, members, mayChange, onOpen }: TaskListProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const isNarrow = useNarrow()
  const branches = useMemo(() => branchesOf(rows, folded), [rows, folded])
  const pages = useMemo(() => RowPages.of(branches), [branches])
  const { change } = useRowActions(kind.name)
  const set = (row: DataRow, fields: Record<string, unknown>) => {
    change(row, fields).catch((error: unknown) => {
      notify(messageOf(error), 'error')
    })
  }
  const toggle = (id: string) => {
    setFolded((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])))
  }
  const labelOf = (name: string) => kind.fields.find((field) => field.name === name)?.label ?? name
  const choice = (name: string) => (mayChange ? choiceEditor(labelOf(name), choicesOf(kind, name), name, set) : undefined)
  const columns: Column<Branch>[] = [
    {
      name: 'done',
      label: words.doneHead,
      width: '4rem',
      cell: ({ row }) => (
        <span title={say(words.markAsDone, { title: textOf(row.fields.title) })}>
          {isDone(row) ? <StatusMark column="done" /> : <Circle aria-hidden className="size-4 text-control" />}
          <span className="sr-only">{isDone(row) ? words.doneHead : words.notDone}</span>
        </span>
      ),
      press: mayChange
        ? ({ row }) => {
            set(row, { status: isDone(row) ? 'todo' : 'done' })
          }
        : undefined,
    },
    { name: 'title', label: labelOf('title'), width: 'minmax(14rem, 3fr)', cell: (branch) => <Title branch={branch} onToggle={toggle} /> },
    { name: 'status', label: labelOf('status'), width: '9rem', cell: ({ row }) => <StatusWords status={textOf(row.fields.status)} />, editor: choice('status') },
    {
      name: 'priority',
      label: labelOf('priority'),
      width: '7rem',
      cell: ({ row }) => (
        <span className="flex items-center gap-1.5">
          <PriorityMark priority={textOf(row.fields.priority)} />
          <span aria-hidden={row.fields.priority !== 'normal' || undefined} className="text-muted">{choiceWords(textOf(row.fields.priority))}</span>
        </span>
      ),
      editor: choice('priority'),
    },
    {
      name: 'assignee_id',
      label: labelOf('assignee_id'),
      width: 'minmax(8rem, 1fr)',
      cell: ({ row }) => {
        const name = row.titles.assignee_id
        return <span dir="auto" className={clsx(name === undefined && 'text-muted')}>{name ?? words.nobody}</span>
      },
      editor: mayChange ? personEditor(labelOf('assignee_id'), members, set) : undefined,
    },
    {
      name: 'due_on',
      label: labelOf('due_on'),
      width: '8.5rem',
      cell: ({ row }) => <DueMark row={row} />,
      editor: mayChange
        ? ({ row }, done) => (
            <DayEditor
              label={labelOf('due_on')}
              value={textOf(row.fields.due_on)}
              onDone={done}
              onSet={(day) => {
                set(row, { due_on: day === '' ? null : day })
              }}
            />
          )
        : undefined,
    },
  ]
  return (
    <div className="grid grid-cols-1 gap-3">
      {rows.length === 0 ? (
        <EmptyState icon={<ListChecks className="size-6" />} title={words.noTasksYet}>
          {words.noTasksYetDescription}
        </EmptyState>
      ) : (
        <DataGrid
          label={words.tasks}
          columns={columns}
          pages={pages}
          nameOf={({ row }) => textOf(row.fields.title)}
          narrow={isNarrow ? (branch) => <NarrowTask branch={branch} /> : undefined}
          sort={UNSORTED}
          onSort={() => undefined}
          selection={undefined}
          onOpen={({ row }, opener) => {
            onOpen(row, opener)
          }}
          className="max-h-[max(22rem,calc(100dvh-24rem))]"
        />
      )}
      {mayChange && <QuickTask label={words.addTask} fields={{ project_id: project }} />}
    </div>
  )
}

/** Indented under its task, with what shows and hides its own subtasks. */
function Title({ branch: { row, level, isOpen }, onToggle }: { branch: Branch; onToggle: (id: string) => void }) {
  const title = textOf(row.fields.title)
  return (
    <span className="flex min-w-0 items-center gap-1" style={{ paddingInlineStart: `${Math.min(level, 6) * 1.25}rem` }}>
      {isOpen === undefined ? (
        <span className="w-6 shrink-0" />
      ) : (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={say(isOpen ? words.foldSubtasks : words.unfoldSubtasks, { title })}
          className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-subtle hover:text-foreground"
          onClick={(event) => {
            event.stopPropagation()
            onToggle(row.id)
          }}
        >
          <ChevronRight aria-hidden className={clsx('size-4 transition-transform', isOpen && 'rotate-90')} />
        </button>
      )}
      <span dir="auto" className={clsx('truncate', isDone(row) && 'text-muted line-through decoration-control')}>{title}</span>
    </span>
  )
}

function NarrowTask({ branch: { row, level } }: { branch: Branch }) {
  return (
    <div className="flex h-full items-center gap-3" style={{ paddingInlineStart: `${Math.min(level, 4)}rem` }}>
      <StatusMark column={textOf(row.fields.status)} />
      <div className="min-w-0 grow">
        <p dir="auto" className={clsx('truncate font-medium', isDone(row) && 'text-muted line-through decoration-control')}>{textOf(row.fields.title)}</p>
        <p className="flex items-center gap-3 text-muted">
          <span dir="auto" className="truncate">{row.titles.assignee_id ?? words.nobody}</span>
          <PriorityMark priority={textOf(row.fields.priority)} />
          <DueMark row={row} />
        </p>
      </div>
    </div>
  )
}

type Set = (row: DataRow, fields: Record<string, unknown>) => void

function choiceEditor(label: string, choices: readonly string[], name: string, set: Set) {
  return function editor({ row }: Branch, done: () => void) {
    const value = textOf(row.fields[name])
    return (
      <Combobox
        label={label}
        options={choices.map((choice) => ({ id: choice, name: choiceWords(choice) }))}
        value={value}
        onChoose={(chosen) => {
          if (chosen !== value) set(row, { [name]: chosen })
          done()
        }}
        onClose={done}
      >
        <span className="block truncate">{choiceWords(value)}</span>
      </Combobox>
    )
  }
}

function personEditor(label: string, members: readonly Option[], set: Set) {
  return function editor({ row }: Branch, done: () => void) {
    return (
      <Combobox
        label={label}
        options={members}
        value={textOf(row.fields.assignee_id) || null}
        none={words.nobody}
        onChoose={(person) => {
          set(row, { assignee_id: person })
          done()
        }}
        onClose={done}
      >
        <span className="block truncate">{row.titles.assignee_id ?? words.nobody}</span>
      </Combobox>
    )
  }
}

interface DayEditorProps {
  label: string
  value: string
  onSet: (day: string) => void
  onDone: () => void
}

function DayEditor({ label, value, onSet, onDone }: DayEditorProps) {
  const [day, setDay] = useState(value)
  const end = (next: string) => {
    if (next !== value) onSet(next)
    onDone()
  }
  return (
    <input
      type="date"
      aria-label={label}
      autoFocus
      value={day}
      className="h-8 w-full rounded-md border border-brand bg-surface px-1 text-sm"
      onChange={(event) => {
        setDay(event.target.value)
      }}
      onBlur={() => {
        end(day)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(day)
        else if (event.key === 'Escape') end(value)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}

/** A task by its title alone; the next can be typed at once. */
export function QuickTask({ label, fields }: { label: string; fields: Record<string, unknown> }) {
  const { create } = useRowActions('project_tasks')
  const [title, setTitle] = useState('')
  const add = useMutation({
    mutationFn: (title: string) => create({ ...fields, title }),
    onError: (error, title) => {
      setTitle((now) => (now === '' ? title : now))
      notify(messageOf(error), 'error')
    },
  })
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (title.trim() === '') return
        // At once, as the next one may be written before this one is stored.
        setTitle('')
        add.mutate(title.trim())
      }}
    >
      <Input
        dir="auto"
        aria-label={label}
        placeholder={label}
        maxLength={300}
        value={title}
        className="min-w-0 grow"
        onChange={(event) => {
          setTitle(event.target.value)
        }}
      />
      <Button type="submit" variant="secondary">
        {words.add}
      </Button>
    </form>
  )
}
