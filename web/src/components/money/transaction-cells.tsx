// What stands in the cells of a transaction.
import { ArrowRightLeft, Split } from 'lucide-react'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import { Combobox, type Option } from '@/components/data/combobox'
import { textOf } from '@/components/data/values'
import { Badge } from '@/components/ui/badge'
import { useRowActions } from '@/hooks/use-data'
import { fullDay } from '@/lib/days'
import { formatMoney } from '@/lib/money'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/money'

export function Payee({ row: { fields } }: { row: DataRow }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span dir="auto" className="truncate">{textOf(fields.payee ?? fields.memo)}</span>
      {fields.status === 'pending' && <Badge tone="dashed" className="shrink-0">{words.pending}</Badge>}
    </span>
  )
}

/** What comes in has a plus: a colour alone would not say it. */
export function Amount({ row: { fields } }: { row: DataRow }) {
  const amount = Number(fields.amount)
  const text = formatMoney(amount, String(fields.currency), { signDisplay: 'exceptZero' })
  return <span className={amount > 0 ? 'text-success' : undefined}>{text}</span>
}

export function CategoryCell({ row }: { row: DataRow }) {
  const { fields, titles } = row
  if (isTransfer(row)) {
    return (
      <Badge tone="info">
        <ArrowRightLeft aria-hidden className="mr-1 inline size-3" />
        {words.transfer}
      </Badge>
    )
  }
  if (fields.is_split === true) {
    return (
      <Badge>
        <Split aria-hidden className="mr-1 inline size-3" />
        {words.splitInParts}
      </Badge>
    )
  }
  const name = titles.category_id
  return name === undefined ? <span className="text-muted">{words.withoutCategory}</span> : <span dir="auto">{name}</span>
}

export function isTransfer({ fields: { transfer_id } }: DataRow): boolean {
  return transfer_id !== null && transfer_id !== undefined
}

export function NarrowTransaction({ row }: { row: DataRow }) {
  return (
    <div className="grid h-full content-center gap-0.5">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 font-medium">
          <Payee row={row} />
        </span>
        <span className="shrink-0 tabular-nums">
          <Amount row={row} />
        </span>
      </div>
      <p className="flex items-center gap-2 text-muted">
        <span className="shrink-0">{fullDay(String(row.fields.booked_on))}</span>
        <span className="min-w-0 truncate">
          <CategoryCell row={row} />
        </span>
      </p>
    </div>
  )
}

/** Chooses the category in its cell. A split transaction has several: its parts have them. */
export function categoryEditor(categories: readonly Option[]) {
  return function editor(row: DataRow, done: () => void) {
    if (row.fields.is_split === true) return undefined
    return <CategoryEditor row={row} categories={categories} onDone={done} />
  }
}

function CategoryEditor({ row, categories, onDone }: { row: DataRow; categories: readonly Option[]; onDone: () => void }) {
  const { change, makeNamed } = useRowActions('transactions')
  const save = (category: Promise<string | null>) => {
    category
      .then((id) => change(row, { category_id: id }))
      .catch((error: unknown) => {
        notify(messageOf(error), 'error')
      })
    onDone()
  }
  return (
    <Combobox
      label={words.category}
      options={categories}
      value={(row.fields.category_id ?? null) as string | null}
      none={words.withoutCategory}
      onChoose={(id) => {
        save(Promise.resolve(id))
      }}
      onMake={(name) => {
        save(makeNamed('categories', name))
      }}
      onClose={onDone}
    >
      <span className="block truncate">
        <CategoryCell row={row} />
      </span>
    </Combobox>
  )
}
