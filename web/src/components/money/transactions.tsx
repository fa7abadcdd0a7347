// Transactions: the long table, with categories that are chosen in place and what can be done with several at once.
import { useMutation } from '@tanstack/react-query'
import { Wand2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { titleOf } from '@/components/data/columns'
import type { Filters } from '@/components/data/filter-bar'
import type { Column } from '@/components/data/grid/data-grid'
import { KindTable } from '@/components/data/kind-table'
import type { Choices } from '@/components/data/row-form'
import { Button, buttonClass } from '@/components/ui/button'
import { useMoneyActions } from '@/hooks/use-money'
import { today } from '@/lib/days'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/money'
import { say } from '@/words/say'
import { Amount, CategoryCell, categoryEditor, NarrowTransaction, Payee } from './transaction-cells'
import { SelectedTransactions } from './selected-transactions'
import { TransactionActions } from './transaction-actions'
import { TransferProposals } from './transfer-proposals'

const FIELDS = ['booked_on', 'payee', 'category_id', 'account_id', 'amount']
const FILTERED = ['account_id', 'category_id', 'booked_on', 'status']

interface TransactionsProps {
  kind: Kind
  accounts: readonly DataRow[]
  choices: Choices
  mayChange: boolean
}

export function Transactions({ kind, accounts, choices, mayChange }: TransactionsProps) {
  const search = useSearch()
  const categories = choices.categories ?? []
  const selection = useSelection()
  const currencies = new Map(accounts.map(({ id, fields }) => [id, String(fields.currency)]))
  const adapt = (column: Column<DataRow>): Column<DataRow> => {
    if (column.name === 'category_id') return { ...column, cell: (row) => <CategoryCell row={row} />, editor: mayChange ? categoryEditor(categories) : undefined }
    if (column.name === 'amount') return { ...column, cell: (row) => <Amount row={row} /> }
    return column.name === 'payee' ? { ...column, cell: (row) => <Payee row={row} /> } : column
  }
  return (
    <>
      {mayChange && <TransferProposals />}
      <KindTable
        // Another address is another look at it; a row that it opens is none.
        key={JSON.stringify(filtersIn(search))}
        kind={kind}
        fields={FIELDS}
        filtered={FILTERED}
        filters={filtersIn(search)}
        choices={choices}
        mayChange={mayChange}
        adapt={adapt}
        narrow={(row) => <NarrowTransaction row={row} />}
        selection={mayChange ? selection : undefined}
        initial={{ booked_on: today(), account_id: accounts.length === 1 ? accounts[0]?.id : undefined }}
        derived={(draft) => currencyOf(currencies.get(String(draft.account_id)))}
        actions={mayChange && <ApplyRules />}
        extra={(row, close) => mayChange && <TransactionActions row={row} title={titleOf(kind, row)} categories={categories} onDone={close} />}
        empty={{
          title: words.noTransactionsYet,
          children: words.noTransactionsYetDescription,
          action: mayChange ? (
            <Link to="/imports" className={buttonClass()}>
              {words.importAFile}
            </Link>
          ) : undefined,
        }}
      />
      <SelectedTransactions selection={selection} categories={categories} />
    </>
  )
}

/** Nothing is said of it until the accounts are here: the row itself has one. */
function currencyOf(known: string | undefined): Record<string, string> {
  return known === undefined ? {} : { currency: known }
}

/** From a link: the transactions of an account, of a category or of an import. */
function filtersIn(search: string): Filters {
  const parameters = new URLSearchParams(search)
  const named = { accountId: parameters.get('account'), categoryId: parameters.get('category'), importId: parameters.get('import') }
  return Object.fromEntries(Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null))
}

function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    ids,
    toggle: (id: string) => {
      setIds((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]))
    },
    extend: (more: readonly string[]) => {
      setIds((before) => new Set([...before, ...more]))
    },
    clear: () => {
      setIds(new Set())
    },
  }
}

function ApplyRules() {
  const { applyRules } = useMoneyActions()
  const apply = useMutation({
    mutationFn: applyRules,
    onSuccess: (count) => {
      notify(count === 0 ? words.rulesFitNothing : say(words.rulesApplied, { count }))
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <Button
      variant="secondary"
      pending={apply.isPending}
      onClick={() => {
        apply.mutate()
      }}
    >
      <Wand2 aria-hidden className="size-4" />
      {words.applyRules}
    </Button>
  )
}
