// All activities: what is to be done, what is overdue, what was done.
import { clsx } from 'clsx'
import type { DataRow, Kind } from '@/api/data'
import type { Filters } from '@/components/data/filter-bar'
import { ImportLink } from '@/components/data/files'
import type { Column } from '@/components/data/grid/data-grid'
import { KindTable } from '@/components/data/kind-table'
import { type AddressLook, useAddressLook } from '@/components/data/look'
import type { Choices } from '@/components/data/row-form'
import { choiceWords, textOf } from '@/components/data/values'
import { today } from '@/lib/days'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'
import { ActivityIcon, DoneButton, DoneMark, DueWords, isDone, useDone } from './activity-item'

const FIELDS = ['done_on', 'subject', 'type', 'due_on', 'contact_id', 'assignee_id']

interface ActivitiesProps {
  kind: Kind
  choices: Choices
  mayChange: boolean
}

export function Activities({ kind, choices, mayChange }: ActivitiesProps) {
  const look = useAddressLook(kind)
  const done = useDone()
  const adapt = (column: Column<DataRow>): Column<DataRow> => {
    switch (column.name) {
      case 'done_on':
        return {
          ...column,
          width: '4rem',
          isSorted: false,
          cell: (row) => (
            <span title={isDone(row) ? undefined : say(words.markAsDone, { subject: textOf(row.fields.subject) })}>
              <DoneMark row={row} />
              <span className="sr-only">{isDone(row) ? words.looks.done : words.looks.open}</span>
            </span>
          ),
          press: mayChange ? done.mutate : undefined,
        }
      case 'subject':
        return { ...column, width: 'minmax(14rem, 3fr)', cell: (row) => <span dir="auto" className={clsx(isDone(row) && 'text-muted line-through decoration-control')}>{textOf(row.fields.subject)}</span> }
      case 'type':
        return {
          ...column,
          cell: (row) => (
            <span className="flex items-center gap-2">
              <ActivityIcon type={textOf(row.fields.type)} />
              {choiceWords(textOf(row.fields.type))}
            </span>
          ),
        }
      case 'due_on':
        return { ...column, width: '12.5rem', cell: (row) => <DueWords row={row} /> }
      default:
        return column
    }
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Looks look={look} />
      <KindTable
        kind={kind}
        look={look}
        fields={FIELDS}
        filtered={['type', 'assignee_id', 'due_on', 'contact_id', 'company_id', 'deal_id']}
        choices={choices}
        mayChange={mayChange}
        actions={mayChange && <ImportLink kind={kind.name} />}
        adapt={adapt}
        narrow={(row) => <NarrowActivity row={row} mayChange={mayChange} />}
        empty={{ title: words.noActivitiesYet, children: words.noActivitiesYetDescription }}
      />
    </div>
  )
}

function NarrowActivity({ row, mayChange }: { row: DataRow; mayChange: boolean }) {
  return (
    <div className="flex h-full items-center gap-3">
      {mayChange ? (
        <span
          onClick={(event) => {
            // The rest of the row opens it.
            event.stopPropagation()
          }}
        >
          <DoneButton row={row} />
        </span>
      ) : (
        <DoneMark row={row} />
      )}
      <div className="min-w-0 grow">
        <p dir="auto" className={clsx('truncate font-medium', isDone(row) && 'text-muted line-through decoration-control')}>{textOf(row.fields.subject)}</p>
        <p className="truncate text-muted">
          {choiceWords(textOf(row.fields.type))}
          {row.titles.contact_id !== undefined && <> · <span dir="auto">{row.titles.contact_id}</span></>}{' '}
          <DueWords row={row} />
        </p>
      </div>
    </div>
  )
}

type LookName = keyof typeof words.looks

/** Days that one asks for; the first day is before all that anyone records. */
function looksOn(day: string): Record<LookName, Filters> {
  return {
    open: { doneOn: 'none' },
    overdue: { doneOn: 'none', dueOnTo: yesterdayOf(day) },
    today: { doneOn: 'none', dueOnFrom: day, dueOnTo: day },
    done: { doneOnFrom: '1900-01-01' },
    all: {},
  }
}

function yesterdayOf(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

const OF_LOOKS = ['doneOn', 'doneOnFrom', 'doneOnTo', 'dueOnFrom', 'dueOnTo']

/** The looks that people have most: the other filters stay as they are. */
function Looks({ look }: { look: AddressLook }) {
  const others = Object.fromEntries(Object.entries(look.filters).filter(([name]) => !OF_LOOKS.includes(name)))
  const own = Object.fromEntries(Object.entries(look.filters).filter(([name]) => OF_LOOKS.includes(name)))
  const all = looksOn(today())
  return (
    <div role="group" aria-label={words.looksLabel} className="flex flex-wrap gap-1.5">
      {(Object.keys(all) as LookName[]).map((name) => {
        const isChosen = sameFilters(all[name], own)
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isChosen}
            className={clsx(
              'h-8 rounded-full border px-3 text-sm font-medium transition-colors pointer-coarse:h-11',
              isChosen ? 'border-transparent bg-brand-subtle text-brand' : 'border-border text-muted hover:bg-subtle hover:text-foreground',
            )}
            onClick={() => {
              look.show({ ...others, ...all[name] }, { field: 'due_on', direction: name === 'done' || name === 'all' ? 'falling' : 'rising' })
            }}
          >
            {words.looks[name]}
          </button>
        )
      })}
    </div>
  )
}

function sameFilters(a: Filters, b: Filters): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => a[name] === b[name])
}
