import { Link } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { ImportLink } from '@/components/data/files'
import type { Column } from '@/components/data/grid/data-grid'
import { KindTable } from '@/components/data/kind-table'
import { useAddressLook } from '@/components/data/look'
import type { Choices } from '@/components/data/row-form'
import { choiceWords, textOf } from '@/components/data/values'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button'
import { words } from '@/words/en/sales'

const FIELDS = ['name', 'company_id', 'status', 'email', 'phone', 'owner_id']

const TONES: Record<string, BadgeTone> = { new: 'info', contacted: 'brand', qualified: 'warning', converted: 'success' }

interface ContactsProps {
  kind: Kind
  choices: Choices
  mayChange: boolean
}

export function Contacts({ kind, choices, mayChange }: ContactsProps) {
  const look = useAddressLook(kind)
  return (
    <KindTable
      kind={kind}
      look={look}
      fields={FIELDS}
      filtered={['status', 'company_id', 'owner_id']}
      choices={choices}
      mayChange={mayChange}
      actions={mayChange && <ImportLink kind={kind.name} />}
      adapt={adapt}
      narrow={(row) => <NarrowContact row={row} />}
      pathOf={({ id }) => `/sales/contacts/${id}`}
      empty={{
        title: words.noContactsYet,
        children: words.noContactsYetDescription,
        action: mayChange ? (
          <Link to="/imports?kind=contacts" className={buttonClass()}>
            {words.importAFile}
          </Link>
        ) : undefined,
      }}
    />
  )
}

function adapt(column: Column<DataRow>): Column<DataRow> {
  if (column.name !== 'status') return column
  return {
    ...column,
    cell: (row) => (
      <span className="flex">
        <Status row={row} />
      </span>
    ),
  }
}

function Status({ row: { fields } }: { row: DataRow }) {
  const status = textOf(fields.status)
  return status === '' ? null : <Badge tone={TONES[status]} className="shrink-0">{choiceWords(status)}</Badge>
}

/** Two lines: who it is and how far, then where they are found. */
function NarrowContact({ row }: { row: DataRow }) {
  const { fields, titles } = row
  const found = [titles.company_id, textOf(fields.email), textOf(fields.phone)].filter((part) => part !== undefined && part !== '')
  return (
    <div className="grid h-full content-center gap-0.5">
      <p className="flex items-center justify-between gap-3">
        <span dir="auto" className="truncate font-medium">{textOf(fields.name)}</span>
        <Status row={row} />
      </p>
      <p dir="auto" className="truncate text-muted">{found.slice(0, 2).join(' · ')}</p>
    </div>
  )
}
