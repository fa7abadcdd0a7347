import type { DataRow, Kind } from '@/api/data'
import { ImportLink } from '@/components/data/files'
import type { Column } from '@/components/data/grid/data-grid'
import { KindTable } from '@/components/data/kind-table'
import { useAddressLook } from '@/components/data/look'
import type { Choices } from '@/components/data/row-form'
import { textOf } from '@/components/data/values'
import { words } from '@/words/en/sales'
import { DealActions, DealDetails, hiddenOf } from './deal-details'
import { StageBadge } from './stages'

const FIELDS = ['name', 'company_id', 'stage', 'amount', 'expected_close_on', 'owner_id']

interface DealsProps {
  kind: Kind
  choices: Choices
  mayChange: boolean
  initial: Record<string, unknown>
}

export function Deals({ kind, choices, mayChange, initial }: DealsProps) {
  const look = useAddressLook(kind)
  return (
    <KindTable
      kind={kind}
      look={look}
      fields={FIELDS}
      filtered={['stage', 'owner_id', 'company_id', 'contact_id', 'expected_close_on', 'closed_on']}
      choices={choices}
      mayChange={mayChange}
      actions={mayChange && <ImportLink kind={kind.name} />}
      adapt={adapt}
      initial={initial}
      hidden={hiddenOf}
      head={(row, close) => mayChange && <DealActions row={row} onDone={close} />}
      extra={(row) => <DealDetails row={row} choices={choices} mayChange={mayChange} />}
      empty={{ title: words.noDealsYet, children: words.noDealsYetDescription }}
    />
  )
}

function adapt(column: Column<DataRow>): Column<DataRow> {
  return column.name === 'stage' ? { ...column, cell: ({ fields }) => <span className="flex"><StageBadge stage={textOf(fields.stage)} /></span> } : column
}
