// What a person says about how a file is read, as a form holds it: a text for every choice, nothing being the empty text.
import type { ColumnSource, ImportQuestion, Mapping } from '@/hooks/use-imports'

export interface MappingDraft {
  /** By field. */
  columns: Record<string, string>
  amountMode: 'column' | 'sides' | 'direction'
  debit: string
  credit: string
  directed: string
  direction: string
  dateOrder: string
  decimalSign: string
  currency: string
  isReversed: boolean
  account: string
}

export function draftOfMapping(mapping: Mapping | null, account: string | null): MappingDraft {
  const amount = mapping?.columns.amount ?? null
  const columns = Object.entries(mapping?.columns ?? {}).flatMap(([field, source]) =>
    source !== null && 'column' in source ? [[field, source.column] as const] : [],
  )
  return {
    columns: Object.fromEntries(columns),
    amountMode: amount !== null && 'debit' in amount ? 'sides' : amount !== null && 'direction' in amount ? 'direction' : 'column',
    debit: amount !== null && 'debit' in amount ? amount.debit : '',
    credit: amount !== null && 'credit' in amount ? amount.credit : '',
    directed: amount !== null && 'amount' in amount ? amount.amount : '',
    direction: amount !== null && 'direction' in amount ? amount.direction : '',
    dateOrder: mapping?.date_order ?? '',
    decimalSign: mapping?.decimal_sign ?? '',
    currency: mapping?.currency ?? '',
    isReversed: mapping?.sign === 'reversed',
    account: account ?? '',
  }
}

/** All of it, as the server takes it; a column that is in the file no more is taken away by null. */
export function mappingOf(draft: MappingDraft, fields: readonly string[]): Mapping {
  const columns = fields.map((field): [string, ColumnSource | null] => {
    if (field === 'amount') return [field, amountOf(draft)]
    const column = draft.columns[field] ?? ''
    return [field, column === '' ? null : { column }]
  })
  return {
    columns: Object.fromEntries(columns),
    ...(draft.dateOrder === '' ? {} : { date_order: draft.dateOrder as Mapping['date_order'] }),
    ...(draft.decimalSign === '' ? {} : { decimal_sign: draft.decimalSign as Mapping['decimal_sign'] }),
    ...(draft.currency.trim() === '' ? {} : { currency: draft.currency.trim().toUpperCase() }),
    sign: draft.isReversed ? 'reversed' : 'as_written',
  }
}

function amountOf({ amountMode, columns, debit, credit, directed, direction }: MappingDraft): ColumnSource | null {
  if (amountMode === 'sides') return debit === '' || credit === '' ? null : { debit, credit }
  if (amountMode === 'direction') return directed === '' || direction === '' ? null : { amount: directed, direction }
  const column = columns.amount ?? ''
  return column === '' ? null : { column }
}

/** Whether a question is answered in the draft. */
export function isAnswered({ about, field }: ImportQuestion, draft: MappingDraft): boolean {
  switch (about) {
    case 'account':
      return draft.account !== ''
    case 'date_order':
      return draft.dateOrder !== ''
    case 'decimal_sign':
      return draft.decimalSign !== ''
    case 'currency':
      return draft.currency.trim() !== ''
    case 'column':
      return field === undefined || field === null || (field === 'amount' ? amountOf(draft) !== null : (draft.columns[field] ?? '') !== '')
    default:
      return true
  }
}
