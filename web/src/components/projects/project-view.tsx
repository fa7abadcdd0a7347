// One project: how far it is, and its tasks as a board, as a list, by person; what was changed.
import { FolderX, Pencil } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { type DataChange, type DataRow, type Kind, MEMBERS } from '@/api/data'
import { titleOf } from '@/components/data/columns'
import { Changes } from '@/components/data/changes'
import { ExportMenu } from '@/components/data/files'
import { useLinkedRow } from '@/components/data/linked-row'
import { PersonMark } from '@/components/data/person-mark'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { textOf } from '@/components/data/values'
import { Button, buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { QueryStates } from '@/components/ui/query-states'
import { Skeleton } from '@/components/ui/skeleton'
import { useRowAt } from '@/hooks/use-data'
import { type ProjectProgress, useProjectTasks } from '@/hooks/use-projects'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'
import { StatusBadge } from './project-list'
import { ProgressOf } from './project-progress'
import { PeopleBoard, TaskBoard } from './task-board'
import { TaskDialog } from './task-dialog'
import { TaskList } from './task-list'
import { DueMark } from './task-marks'

export type View = keyof typeof words.views

interface ProjectViewProps {
  id: string
  view: View
  projects: Kind
  tasks: Kind
  progress: ProjectProgress | undefined
  choices: Choices
  mayChange: boolean
}

export function ProjectView(props: ProjectViewProps) {
  const project = useRowAt('projects', props.id)
  return (
    <QueryStates
      query={project}
      loading={words.loadingProject}
      failed={words.projectNotLoaded}
      skeletons={['h-16', 'h-64']}
      gone={<Gone title={words.projectGone} />}
    >
      {(row) => <Project {...props} row={row} />}
    </QueryStates>
  )
}

/** A link to a task leads to its project. */
export function TaskOfLink({ id }: { id: string }) {
  return (
    <QueryStates
      query={useRowAt('project_tasks', id)}
      loading={words.loadingTask}
      failed={words.taskNotLoaded}
      skeletons={['h-16', 'h-64']}
      gone={<Gone title={words.taskGone} />}
    >
      {(task) => <Redirect to={`/projects/${textOf(task.fields.project_id)}?task=${id}`} replace />}
    </QueryStates>
  )
}

function Gone({ title }: { title: string }) {
  return (
    <EmptyState
      icon={<FolderX className="size-6" />}
      title={title}
      action={
        <Link to="/projects" className={buttonClass('secondary')}>
          {words.toProjects}
        </Link>
      }
    >
      {words.projectGoneDescription}
    </EmptyState>
  )
}

interface OpenedTask {
  row: DataRow | undefined
  fields?: Record<string, unknown>
  opener: HTMLElement | null
}

function Project({ row, view, projects, tasks, progress, choices, mayChange }: ProjectViewProps & { row: DataRow }) {
  const [editor, setEditor] = useState<HTMLElement>()
  const linked = useLinkedRow(tasks.name, 'task')
  const [chosen, setTask] = useState<OpenedTask>()
  const task: OpenedTask | undefined = chosen ?? (linked.row && { row: linked.row, opener: null })
  const name = titleOf(projects, row)
  const { data: all } = useProjectTasks(row.id, task !== undefined || view === 'changes')
  const parents = all?.filter(({ id }) => id !== task?.row?.id).map(({ id, fields }) => ({ id, name: textOf(fields.title) })) ?? []
  const board = {
    kind: tasks,
    project: row.id,
    mayChange,
    onOpen: (opened: DataRow, opener: HTMLElement | null) => {
      setTask({ row: opened, opener })
    },
    onAdd: (fields: Record<string, unknown>, opener: HTMLElement) => {
      setTask({ row: undefined, fields, opener })
    },
  }
  return (
    <div className="grid grid-cols-1 gap-5 [--board-top:24rem]">
      <ProjectHead row={row} name={name} progress={progress} onEdit={mayChange ? setEditor : undefined} />
      {view === 'board' && <TaskBoard {...board} />}
      {view === 'people' && <PeopleBoard {...board} />}
      {view === 'list' && <List {...board} choices={choices} />}
      {view === 'changes' && <Changes kinds={[projects, tasks]} choices={choices} mayUndo={mayChange} only={isOfProject(row.id, all)} />}
      {editor !== undefined && (
        <RowDialog
          kind={projects}
          row={row}
          opener={editor}
          choices={choices}
          mayChange={mayChange}
          onClose={() => {
            setEditor(undefined)
          }}
        />
      )}
      {task !== undefined && (
        <TaskDialog
          kind={tasks}
          row={task.row}
          opener={task.opener}
          initial={{ project_id: row.id, ...task.fields }}
          choices={{ ...choices, project_tasks: parents }}
          mayChange={mayChange}
          onClose={() => {
            setTask(undefined)
            linked.close()
          }}
        />
      )}
    </div>
  )
}

/** Changes of the project and of its tasks, also of those that are gone. */
function isOfProject(id: string, tasks: readonly DataRow[] | undefined) {
  const ids = new Set([id, ...(tasks ?? []).map((task) => task.id)])
  return ({ row_id, before, after }: DataChange) => ids.has(row_id) || before?.project_id === id || after?.project_id === id
}

interface ProjectHeadProps {
  row: DataRow
  name: string
  progress: ProjectProgress | undefined
  onEdit?: (opener: HTMLElement) => void
}

/** In one line, as far as that goes: the name is the title of the page. */
function ProjectHead({ row, name, progress, onEdit }: ProjectHeadProps) {
  const lead = row.titles.lead_id
  const description = textOf(row.fields.description)
  return (
    <div className="grid gap-3">
      {description !== '' && <p dir="auto" className="line-clamp-2 max-w-prose text-sm text-muted wrap-anywhere">{description}</p>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3 text-sm text-muted">
        <StatusBadge status={textOf(row.fields.status)} />
        <DueMark row={row} />
        {lead !== undefined && (
          <span className="flex min-w-0 items-center gap-1.5">
            <PersonMark name={lead} label={say(words.ledBy, { name: lead })} />
            <span aria-hidden dir="auto" className="truncate text-xs">{lead}</span>
          </span>
        )}
        <div className="min-w-0 grow basis-52 sm:max-w-72">
          <ProgressOf name={name} progress={progress} />
        </div>
        <div className="flex gap-2 sm:ml-auto">
          <ExportMenu kind="project_tasks" filters={{ projectId: row.id }} />
          {onEdit && (
            <Button
              variant="secondary"
              onClick={(event) => {
                onEdit(event.currentTarget)
              }}
            >
              <Pencil aria-hidden className="size-4" />
              {words.edit}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

interface ListProps {
  kind: Kind
  project: string
  choices: Choices
  mayChange: boolean
  onOpen: (row: DataRow, opener: HTMLElement | null) => void
}

function List({ kind, project, choices, mayChange, onOpen }: ListProps) {
  const { data, isPending, error, isFetching, refetch } = useProjectTasks(project, true)
  if (data !== undefined) return <TaskList kind={kind} rows={data} project={project} members={choices[MEMBERS] ?? []} mayChange={mayChange} onOpen={onOpen} />
  if (!isPending) return <ErrorState title={words.tasksNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  return (
    <div role="status">
      <span className="sr-only">{words.loadingTasks}</span>
      <Skeleton className="h-64" />
    </div>
  )
}
