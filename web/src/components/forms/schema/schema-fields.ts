// Reads a JSON Schema of an object as the fields of a form. Other people write these schemas: whatever one holds that has no
// field of its own is typed as JSON, and whoever is called checks the rest.
import { isObject } from './values'

export type Schema = Readonly<Record<string, unknown>>

interface FieldBasics {
  name: string
  /** What people call it, where the schema says so. */
  title: string
  description: string
  required: boolean
  /** What holds if nothing is given, as it would be typed. */
  byDefault: string
}

export type Field = FieldBasics &
  (
    | { kind: 'text'; isLong: boolean }
    | { kind: 'number'; isWhole: boolean }
    | { kind: 'choice'; choices: readonly unknown[] }
    | { kind: 'lines'; of: 'text' | 'number' }
    | { kind: 'group'; fields: readonly Field[] }
    | { kind: 'json' }
  )

/** What lies deeper is typed as JSON. */
const MAX_DEPTH = 3
/** Longer than that, a text gets several lines. */
const LONG = 200
const LONG_NAMES = /^(?:body|content|text|message|description|markdown|notes?|query|prompt|code)$/i

export function fieldsOf(schema: Schema): readonly Field[] {
  return groupFields(resolved(schema, schema), schema, MAX_DEPTH)
}

function groupFields(group: Schema, root: Schema, depth: number): readonly Field[] {
  const required = Array.isArray(group.required) ? group.required : []
  const properties = isObject(group.properties) ? Object.entries(group.properties) : []
  const fields = properties.map(([name, property]) => fieldOf(name, property, { isRequired: required.includes(name), root, depth }))
  // What must be filled in comes first; otherwise they stay in their own order.
  return [...fields.filter(({ required: must }) => must), ...fields.filter(({ required: must }) => !must)]
}

interface Place {
  isRequired: boolean
  root: Schema
  depth: number
}

function fieldOf(name: string, property: unknown, { isRequired, root, depth }: Place): Field {
  const schema = resolved(isObject(property) ? property : {}, root)
  const basics: FieldBasics = {
    name,
    title: typeof schema.title === 'string' ? schema.title : '',
    description: typeof schema.description === 'string' ? schema.description : '',
    required: isRequired,
    byDefault: schema.default === undefined ? '' : typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default),
  }
  const type = typeOf(schema)
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== null) : undefined
  if (schema.const !== undefined) return { ...basics, kind: 'choice', choices: [schema.const] }
  if (choices !== undefined) return { ...basics, kind: 'choice', choices }
  if (type === 'boolean') return { ...basics, kind: 'choice', choices: [true, false] }
  if (type === 'string') return { ...basics, kind: 'text', isLong: isLong(name, schema) }
  if (type === 'integer' || type === 'number') return { ...basics, kind: 'number', isWhole: type === 'integer' }
  if (type === 'array') {
    const items = resolved(isObject(schema.items) ? schema.items : {}, root)
    const of = typeOf(items)
    if (of === 'string') return { ...basics, kind: 'lines', of: 'text' }
    if (of === 'integer' || of === 'number') return { ...basics, kind: 'lines', of: 'number' }
  }
  if (type === 'object' && depth > 1 && isObject(schema.properties) && !isOpen(schema)) {
    const fields = groupFields(schema, root, depth - 1)
    if (fields.length > 0) return { ...basics, kind: 'group', fields }
  }
  return { ...basics, kind: 'json' }
}

function isLong(name: string, { maxLength, enum: choices }: Schema): boolean {
  if (choices !== undefined) return false
  return typeof maxLength === 'number' ? maxLength > LONG : LONG_NAMES.test(name)
}

/** It takes more than it names. */
function isOpen({ additionalProperties }: Schema): boolean {
  return additionalProperties === true || isObject(additionalProperties)
}

function typeOf({ type }: Schema): unknown {
  if (!Array.isArray(type)) return type
  const others = type.filter((one) => one !== 'null')
  return others.length === 1 ? (others[0] as unknown) : undefined
}

/** Follows references within the document, and takes what is left of "this or nothing". A circle ends in a schema of anything. */
function resolved(schema: Schema, root: Schema, steps = 8): Schema {
  if (steps === 0) return {}
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema
    const found = at(root, $ref)
    return isObject(found) ? { ...resolved(found, root, steps - 1), ...beside } : beside
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const { [keyword]: all, ...beside } = schema
    if (!Array.isArray(all)) continue
    const others = all.filter((one) => !(isObject(one) && one.type === 'null'))
    if (others.length === 1 && isObject(others[0])) return { ...resolved(others[0], root, steps - 1), ...beside }
  }
  return schema
}

function at(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#/')) return reference === '#' ? root : undefined
  const steps = reference.slice(2).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.reduce<unknown>((here, step) => (isObject(here) ? here[step] : undefined), root)
}
