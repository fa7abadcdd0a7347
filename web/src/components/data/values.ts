// Values of rows as people read and type them, by the description of their field.
import type { DataRow, Field } from '@/api/data'
import { fullDay } from '@/lib/days'
import { decimalOf, formatMoney, parseMoney } from '@/lib/money'
import { words } from '@/words/en/data'
import { say } from '@/words/say'

/** The currency that an amount of a row is in. */
export function currencyOf(field: Field, values: Record<string, unknown>): string {
  const named = field.currency === null ? undefined : values[field.currency]
  return typeof named === 'string' ? named : ''
}

/** What a value of a row is called: an amount with its currency, a day, the name of the row that it refers to. */
export function valueWords(field: Field, row: Pick<DataRow, 'fields' | 'titles'>): string {
  const value = row.fields[field.name]
  if (value === null || value === undefined || value === '') return ''
  switch (field.type) {
    case 'money':
      return formatMoney(Number(value), currencyOf(field, row.fields))
    case 'day':
      return fullDay(textOf(value))
    case 'flag':
      return value === true ? words.yes : words.no
    case 'choice':
      return choiceWords(textOf(value))
    case 'reference':
    case 'member':
      return row.titles[field.name] ?? words.gone
    default:
      return textOf(value)
  }
}

/** A value as it is; nothing is the empty text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** `credit_card` is "Credit card", in words of the catalog where it has them. */
export function choiceWords(choice: string): string {
  const known: Record<string, string> = words.choices
  return known[choice] ?? choice.replaceAll('_', ' ').replace(/^./, (first) => first.toLocaleUpperCase())
}

/** What stands in the control of a form. */
export function draftOf(field: Field, values: Record<string, unknown>): string | boolean {
  const value = values[field.name]
  if (field.type === 'flag') return value === true
  if (value === null || value === undefined) return ''
  if (field.type === 'money') return decimalOf(Number(value), currencyOf(field, values))
  return textOf(value)
}

export type Draft = Record<string, string | boolean>

/** What a control says, as the server takes it; a problem in words if it can't be that. */
export function readDraft(field: Field, draft: Draft): { value: unknown } | { problem: string } {
  const typed = draft[field.name]
  if (field.type === 'flag') return { value: typed === true }
  const text = typeof typed === 'string' ? typed.trim() : ''
  if (text === '') {
    return field.presence === 'required' || field.presence === 'fixed'
      ? { problem: say(words.labelIsMissing, { label: field.label }) }
      : { value: field.presence === 'default' ? (field.default ?? null) : null }
  }
  if (field.type === 'money') {
    const currency = field.currency === null ? '' : String(draft[field.currency] ?? '').trim().toUpperCase()
    const amount = parseMoney(text, currency)
    return amount === undefined ? { problem: words.enterAnAmount } : { value: amount }
  }
  if (field.type === 'number') {
    const number = Number(text)
    return Number.isInteger(number) ? { value: number } : { problem: words.enterAWholeNumber }
  }
  if (field.type === 'decimal') return { value: text.replace(',', '.') }
  if (field.type === 'currency') return { value: text.toUpperCase() }
  return { value: typeof typed === 'string' && field.type === 'prose' ? typed : text }
}
