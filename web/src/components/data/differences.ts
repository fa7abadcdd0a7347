// What changes did, in words.
import type { DataChange, Field, Kind } from '@/api/data'
import type { Choices } from './row-form'
import { valueWords } from './values'

/** In words, or a row of which there are too many to know all their names. */
export type ToldValue = string | { kind: string; id: string }

interface Difference {
  label: string
  old: ToldValue
  next: ToldValue
}

/** The fields that a change set, as they were and as they are, in the order of the kind's description. */
export function differences(kind: Kind, { before, after, action }: Pick<DataChange, 'before' | 'after' | 'action'>, choices: Choices): Difference[] {
  // A row that is gone or new is told by its name; what it held is in its form, or was.
  if (action !== 'changed') return []
  const was = withTitles(kind, before ?? {}, choices)
  const is = withTitles(kind, after ?? {}, choices)
  return kind.fields
    .filter(({ name, type }) => type !== 'id' && (name in was.fields || name in is.fields))
    .map((field) => ({ label: field.label, old: toldOf(field, was, choices), next: toldOf(field, is, choices) }))
    .filter(({ old, next }) => typeof old !== 'string' || typeof next !== 'string' || old !== next)
}

function toldOf(field: Field, row: ReturnType<typeof withTitles>, choices: Choices): ToldValue {
  const id = row.fields[field.name]
  const isSearched = field.type === 'reference' && field.refers !== null && choices[field.refers] === undefined
  return isSearched && typeof id === 'string' ? { kind: field.refers ?? '', id } : valueWords(field, row)
}

function withTitles(kind: Kind, fields: Record<string, unknown>, choices: Choices) {
  const titles = kind.fields.flatMap(({ name, refers }) => {
    const chosen = choices[refers ?? '']?.find(({ id }) => id === fields[name])
    return chosen === undefined ? [] : [[name, chosen.name] as const]
  })
  return { fields, titles: Object.fromEntries(titles) }
}

/** What the rows of changes are called, as far as the changes themselves tell it: the latest name counts. */
export function titlesIn(kinds: readonly Kind[], changes: readonly DataChange[]): Map<string, string> {
  const titles = new Map<string, string>()
  for (const { kind, row_id, before, after } of changes) {
    const field = kinds.find(({ name }) => name === kind)?.title
    const title = field === undefined ? undefined : (after?.[field] ?? before?.[field])
    if (typeof title === 'string' && !titles.has(row_id)) titles.set(row_id, title)
  }
  return titles
}
