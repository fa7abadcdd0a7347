// What is typed into a form that was made from a schema, and the arguments it stands for.
import { words } from '@/words/en/schema-form'
import { say } from '@/words/say'
import type { Field } from './schema-fields'
import { type Args, isObject, isSameValue, parsed } from './values'

/** Text by field; a group has a draft of its own. Nothing typed is nothing given. */
export interface SchemaDraft {
  readonly [name: string]: string | SchemaDraft
}

export interface ReadDraft {
  args: Args
  /** What is wrong, by the path of the field: `filter.limit`. */
  problems: Record<string, string>
}

export function draftOf(fields: readonly Field[], args: Args): SchemaDraft {
  return Object.fromEntries(fields.map((field) => [field.name, typed(field, args[field.name])]))
}

function typed(field: Field, value: unknown): string | SchemaDraft {
  if (field.kind === 'group') return draftOf(field.fields, isObject(value) ? value : {})
  if (value === undefined) return ''
  if (field.kind === 'text' && typeof value === 'string') return value
  if (field.kind === 'lines' && Array.isArray(value)) return value.map(String).join('\n')
  return JSON.stringify(value, null, field.kind === 'json' ? 2 : undefined)
}

/** `isPartial`: what is required may be left out, as where a model fills in the rest. */
export function readDraft(fields: readonly Field[], draft: SchemaDraft, { isPartial = false } = {}): ReadDraft {
  const args: Args = {}
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const given = draft[field.name] ?? ''
    if (field.kind === 'group') {
      const isWanted = field.required && !isPartial
      const group = readDraft(field.fields, typeof given === 'string' ? {} : given, { isPartial })
      const isGiven = Object.keys(group.args).length > 0
      if (isGiven || isWanted) args[field.name] = group.args
      // In a group that is left out, nothing is missing.
      if (isGiven || isWanted || hasText(given)) {
        for (const [path, problem] of Object.entries(group.problems)) problems[`${field.name}.${path}`] = problem
      }
      continue
    }
    const text = typeof given === 'string' ? given : ''
    if (text.trim() === '' && !(field.kind === 'text' && text !== '')) {
      if (field.required && !isPartial) problems[field.name] = say(words.nameIsMissing, { name: labelOf(field) })
      continue
    }
    const read = valueOf(field, text)
    if (read === undefined) problems[field.name] = wrongWords(field)
    else args[field.name] = read.value
  }
  return { args, problems }
}

export function labelOf({ title, name }: Pick<Field, 'title' | 'name'>): string {
  return title === '' ? name : title
}

/** Whether the form can hold all of it: what it can't is changed as JSON. */
export function fits(fields: readonly Field[], args: Args): boolean {
  return isSameValue(readDraft(fields, draftOf(fields, args), { isPartial: true }).args, args)
}

function hasText(draft: string | SchemaDraft): boolean {
  return typeof draft === 'string' ? draft.trim() !== '' : Object.values(draft).some(hasText)
}

function valueOf(field: Exclude<Field, { kind: 'group' }>, text: string): { value: unknown } | undefined {
  if (field.kind === 'text') return { value: text }
  if (field.kind === 'number') return numberOf(text, field.isWhole)
  if (field.kind === 'choice') {
    const value = field.choices.find((choice) => JSON.stringify(choice) === text)
    return value === undefined ? undefined : { value }
  }
  if (field.kind === 'json') return parsed(text)
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  if (field.of === 'text') return { value: lines }
  const numbers = lines.map((line) => numberOf(line, false))
  return numbers.includes(undefined) ? undefined : { value: numbers.map((number) => number?.value) }
}

function numberOf(text: string, isWhole: boolean): { value: number } | undefined {
  const value = Number(text.trim())
  return Number.isFinite(value) && (!isWhole || Number.isInteger(value)) ? { value } : undefined
}

function wrongWords(field: Field): string {
  if (field.kind === 'number') return field.isWhole ? words.enterAWholeNumber : words.enterANumber
  if (field.kind === 'lines') return words.enterNumbers
  if (field.kind === 'choice') return words.chooseOne
  return words.enterJson
}
