import { Link } from 'wouter'
import type { Kind } from '@/api/data'
import { ImportLink } from '@/components/data/files'
import { KindTable } from '@/components/data/kind-table'
import { useAddressLook } from '@/components/data/look'
import type { Choices } from '@/components/data/row-form'
import { buttonClass } from '@/components/ui/button'
import { words } from '@/words/en/sales'
import { ActivitiesOf } from './activities-of'

const FIELDS = ['name', 'domain', 'industry', 'phone', 'owner_id']

interface CompaniesProps {
  kind: Kind
  choices: Choices
  mayChange: boolean
}

export function Companies({ kind, choices, mayChange }: CompaniesProps) {
  const look = useAddressLook(kind)
  return (
    <KindTable
      kind={kind}
      look={look}
      fields={FIELDS}
      filtered={['owner_id']}
      choices={choices}
      mayChange={mayChange}
      actions={mayChange && <ImportLink kind={kind.name} />}
      extra={(row) => (
        <>
          <div className="flex flex-wrap gap-2">
            <Link to={`/sales/contacts?companyId=${row.id}`} className={buttonClass('secondary', 'sm')}>
              {words.contactsOf}
            </Link>
            <Link to={`/sales/deals?companyId=${row.id}`} className={buttonClass('secondary', 'sm')}>
              {words.dealsOf}
            </Link>
          </div>
          <ActivitiesOf filters={{ companyId: row.id }} initial={{ company_id: row.id }} choices={choices} mayChange={mayChange} />
        </>
      )}
      empty={{ title: words.noCompaniesYet, children: words.noCompaniesYetDescription }}
    />
  )
}
