// Columns of a table, by the description of its kind.
import type { DataRow, Field, Kind } from '@/api/data'
import type { Column } from './grid/data-grid'
import { valueWords } from './values'

const WIDTHS: Record<Field['type'], string> = {
  line: 'minmax(10rem, 2fr)',
  prose: 'minmax(10rem, 2fr)',
  day: '7.5rem',
  currency: '6rem',
  money: '8.5rem',
  number: '6rem',
  decimal: '7rem',
  flag: '6rem',
  choice: '8rem',
  reference: 'minmax(9rem, 1.2fr)',
  member: 'minmax(8rem, 1fr)',
  id: '8rem',
}

/** The fields to show, in this order; those that people set, unless they are named. */
export function fieldsShown(kind: Kind, names?: readonly string[]): Field[] {
  if (names === undefined) return kind.fields.filter(({ presence, type }) => presence !== 'derived' && type !== 'prose')
  return names.flatMap((name) => kind.fields.find((field) => field.name === name) ?? [])
}

export function columnsOf(fields: readonly Field[]): Column<DataRow>[] {
  return fields.map((field) => ({
    name: field.name,
    label: field.label,
    width: WIDTHS[field.type],
    align: field.type === 'money' || field.type === 'number' || field.type === 'decimal' ? 'end' : undefined,
    isSorted: field.isSorted,
    cell: (row) => <span dir={field.type === 'line' ? 'auto' : undefined}>{valueWords(field, row)}</span>,
  }))
}

/** What a row is called. */
export function titleOf(kind: Kind, row: DataRow): string {
  const title = row.fields[kind.title]
  return typeof title === 'string' && title !== '' ? title : kind.one
}
