import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { DataRow } from '@/api/data'
import { RowDialog } from '@/components/data/row-dialog'
import type { Choices } from '@/components/data/row-form'
import { textOf } from '@/components/data/values'
import { Button } from '@/components/ui/button'
import { useKinds, useRowsOf } from '@/hooks/use-data'
import { words } from '@/words/en/sales'
import { ActivityIcon, DoneButton, DueWords, isDone } from './activity-item'

interface ActivitiesOfProps {
  /** Of which deal, contact or company. */
  filters: Readonly<Record<string, string>>
  /** What a new one begins with. */
  initial: Record<string, unknown>
  choices: Choices
  mayChange: boolean
  /** Not where the history tells of them. */
  isOpenOnly?: boolean
}

/** Activities of a deal, a contact or a company, those to be done first, and how to add one. */
export function ActivitiesOf({ filters, initial, choices, mayChange, isOpenOnly = false }: ActivitiesOfProps) {
  const { data: kinds } = useKinds()
  const { data: rows = [] } = useRowsOf('activities', isOpenOnly ? { ...filters, doneOn: 'none' } : filters)
  const kind = kinds?.find(({ name }) => name === 'activities')
  const [opened, setOpened] = useState<{ row: DataRow | undefined; opener: HTMLElement }>()
  const sorted = [...rows].sort((a, b) => Number(isDone(a)) - Number(isDone(b)) || dayOf(a).localeCompare(dayOf(b)))
  if (kind === undefined || (!mayChange && rows.length === 0)) return null
  return (
    <section aria-label={words.sections.activities} className="grid gap-3 border-t border-border pt-4">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{isOpenOnly ? words.looks.open : words.sections.activities}</h3>
        {mayChange && (
          <Button
            size="sm"
            variant="secondary"
            onClick={(event) => {
              setOpened({ row: undefined, opener: event.currentTarget })
            }}
          >
            <Plus aria-hidden className="size-4" />
            {words.addActivity}
          </Button>
        )}
      </div>
      {sorted.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {sorted.map((row) => (
            <li key={row.id} className="flex min-h-9 items-center gap-3">
              {mayChange && <DoneButton row={row} />}
              <ActivityIcon type={textOf(row.fields.type)} />
              <button
                type="button"
                dir="auto"
                className="min-w-0 grow truncate rounded-sm text-left hover:underline"
                onClick={(event) => {
                  setOpened({ row, opener: event.currentTarget })
                }}
              >
                {textOf(row.fields.subject)}
              </button>
              <span className="shrink-0">
                <DueWords row={row} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {opened !== undefined && (
        <RowDialog
          kind={kind}
          row={opened.row}
          opener={opened.opener}
          choices={choices}
          mayChange={mayChange}
          initial={initial}
          onClose={() => {
            setOpened(undefined)
          }}
        />
      )}
    </section>
  )
}

/** Those without a day come last. */
function dayOf({ fields }: DataRow): string {
  return textOf(fields.due_on) || '9999'
}
