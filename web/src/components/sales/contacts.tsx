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
    cell: ({ fields }) => {
      const status = textOf(fields.status)
      return status === '' ? null : (
        <span className="flex">
          <Badge tone={TONES[status]}>{choiceWords(status)}</Badge>
        </span>
      )
    },
  }
}
