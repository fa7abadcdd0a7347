// All projects: how far each is, until when, who leads it.
import { clsx } from 'clsx'
import { FolderKanban, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { titleOf } from '@/components/data/columns'
import { ImportLink } from '@/components/data/files'
import { PersonMark } from '@/components/data/person-mark'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { choiceWords, textOf } from '@/components/data/values'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import type { ProjectProgress } from '@/hooks/use-projects'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'
import { CalendarButton } from './calendar-dialog'
import { ProgressOf } from './project-progress'
import { DueMark } from './task-marks'

interface ProjectListProps {
  kind: Kind
  rows: readonly DataRow[]
  progress: readonly ProjectProgress[]
  choices: Choices
  mayChange: boolean
  initial: Record<string, unknown>
}

type Look = keyof typeof words.looks

const OPEN = ['planned', 'active', 'paused']

const TONES: Record<string, BadgeTone> = { planned: 'info', active: 'brand', paused: 'warning', completed: 'success' }

export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status]}>{choiceWords(status)}</Badge>
}

export function ProjectList({ kind, rows, progress, choices, mayChange, initial }: ProjectListProps) {
  const asked = new URLSearchParams(useSearch()).get('show')
  const look: Look = asked === 'closed' || asked === 'all' ? asked : 'open'
  const [opener, setOpener] = useState<HTMLElement>()
  const of = new Map(progress.map((one) => [one.project_id, one]))
  const shown = rows.filter(({ fields }) => look === 'all' || OPEN.includes(textOf(fields.status)) === (look === 'open'))
  const button = mayChange && (
    <Button
      onClick={(event) => {
        setOpener(event.currentTarget)
      }}
    >
      <Plus aria-hidden className="size-4" />
      {words.newProject}
    </Button>
  )
  return (
    <div className="grid grid-cols-1 gap-4">
      {rows.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <nav aria-label={words.statuses} className="flex flex-wrap gap-1.5">
            {(Object.keys(words.looks) as Look[]).map((one) => (
              <Link
                key={one}
                to={one === 'open' ? '/projects' : `/projects?show=${one}`}
                aria-current={one === look ? 'true' : undefined}
                className={clsx(
                  'flex h-8 items-center rounded-full border px-3 text-sm font-medium transition-colors pointer-coarse:h-11',
                  one === look ? 'border-transparent bg-brand-subtle text-brand' : 'border-border text-muted hover:bg-subtle hover:text-foreground',
                )}
              >
                {words.looks[one]}
              </Link>
            ))}
          </nav>
          <div className="flex flex-wrap gap-2">
            <CalendarButton />
            {mayChange && <ImportLink kind="project_tasks" />}
            {button}
          </div>
        </div>
      )}
      {rows.length === 0 && (
        <EmptyState icon={<FolderKanban className="size-6" />} title={words.noProjectsYet} action={button === false ? undefined : button}>
          {words.noProjectsYetDescription}
        </EmptyState>
      )}
      {rows.length > 0 && shown.length === 0 && <EmptyState title={words.noProjectsOfStatus} />}
      {shown.length > 0 && (
        <Card>
          <ul className="divide-y divide-border">
            {shown.map((row) => (
              <ProjectItem key={row.id} row={row} name={titleOf(kind, row)} progress={of.get(row.id)} />
            ))}
          </ul>
        </Card>
      )}
      {opener !== undefined && (
        <RowDialog
          kind={kind}
          row={undefined}
          opener={opener}
          choices={choices}
          mayChange={mayChange}
          initial={initial}
          onClose={() => {
            setOpener(undefined)
          }}
        />
      )}
    </div>
  )
}

function ProjectItem({ row, name, progress }: { row: DataRow; name: string; progress: ProjectProgress | undefined }) {
  const lead = row.titles.lead_id
  return (
    <li className="relative grid gap-x-6 gap-y-2 p-4 hover:bg-subtle/60 sm:grid-cols-[minmax(0,1fr)_minmax(0,16rem)] sm:items-center">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={`/projects/${row.id}`} dir="auto" className="min-w-0 font-medium wrap-anywhere after:absolute after:inset-0">
            {name}
          </Link>
          {row.fields.status !== 'active' && <StatusBadge status={textOf(row.fields.status)} />}
        </h2>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <DueMark row={row} />
          {lead !== undefined && (
            <span className="flex min-w-0 items-center gap-1.5">
              <PersonMark name={lead} label={say(words.ledBy, { name: lead })} />
              <span aria-hidden dir="auto" className="truncate text-xs">{lead}</span>
            </span>
          )}
          <span dir="auto" className="line-clamp-1 min-w-0 basis-full text-xs wrap-anywhere">{textOf(row.fields.description)}</span>
        </div>
      </div>
      <ProgressOf name={name} progress={progress} />
    </li>
  )
}
