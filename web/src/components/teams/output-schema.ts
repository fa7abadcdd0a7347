// What a stage's result must be: a JSON Schema of an object, written as text, with its fields to add and take away.
import { VARIABLE_TYPES } from '@/components/tools/handoff-draft'
import { words } from '@/words/en/teams'
import { say } from '@/words/say'

/** The types of JSON Schema, in the words of the handoff builder. */
export const FIELD_TYPES: Readonly<Record<string, string>> = VARIABLE_TYPES

export interface SchemaField {
  name: string
  type: string
  description: string
  required: boolean
}

type JsonObject = Record<string, unknown>

const TYPES: readonly string[] = [...Object.keys(FIELD_TYPES), 'null']
const DEEPEST = 16

/** What a new stage begins with. */
export function startingSchema(): string {
  return write({
    type: 'object',
    properties: { summary: { type: 'string', description: words.whatWasFound } },
    required: ['summary'],
  })
}

/** The same things that the server looks at. */
export function schemaProblem(text: string): string | undefined {
  const schema = read(text)
  if (schema === undefined) return words.thisIsNotJSON
  if (!isObject(schema) || schema.type !== 'object') return words.thisMustBeAJSON
  return problemAt(words.it, schema, 0)
}

function problemAt(place: string, schema: unknown, depth: number): string | undefined {
  if (!isObject(schema)) return say(words.placeMustBeAJSON, { place })
  if (depth > DEEPEST) return say(words.placeIsNestedTooDeeply, { place })
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (schema.type !== undefined && (kinds.length === 0 || !kinds.every((kind) => TYPES.includes(String(kind))))) {
    return say(words.placeHasATypeThat, { place, types: TYPES.join(', ') })
  }
  const properties = schema.properties ?? {}
  if (!isObject(properties)) return say(words.placePropertiesMustBeAn, { place })
  for (const [name, property] of Object.entries(properties)) {
    const problem = problemAt(`${place === 'It' ? '' : `${place}.`}${name}`, property, depth + 1)
    if (problem !== undefined) return problem
  }
  if (schema.required !== undefined) {
    const names = schema.required
    if (!isListOfNames(names)) return say(words.placeRequiredMustBeA, { place })
    const unknown = names.find((name) => !(name in properties))
    if (unknown !== undefined) return say(words.placeRequiresUnknownWhichIs, { place, unknown })
  }
  if (schema.enum !== undefined && !(Array.isArray(schema.enum) && schema.enum.length > 0)) {
    return say(words.placeEnumMustBeA, { place })
  }
  return schema.items === undefined ? undefined : problemAt(`${place}[]`, schema.items, depth + 1)
}

/** The fields of the result, if the text is a schema. */
export function fieldsOf(text: string): SchemaField[] {
  const schema = read(text)
  if (!isObject(schema) || !isObject(schema.properties)) return []
  const required = isListOfNames(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    type: isObject(property) && typeof property.type === 'string' ? property.type : 'any',
    description: isObject(property) && typeof property.description === 'string' ? property.description : '',
    required: required.includes(name),
  }))
}

export function withField(text: string, { name, type, description, required }: SchemaField): string {
  const field = { type, ...(description.trim() !== '' && { description: description.trim() }) }
  return changed(text, (properties, names) => ({
    properties: { ...properties, [name]: field },
    required: required ? [...names.filter((other) => other !== name), name] : names,
  }))
}

export function withoutField(text: string, name: string): string {
  return changed(text, (properties, names) => ({
    properties: Object.fromEntries(Object.entries(properties).filter(([other]) => other !== name)),
    required: names.filter((other) => other !== name),
  }))
}

function changed(text: string, change: (properties: JsonObject, required: string[]) => JsonObject): string {
  const before = read(text)
  const schema: JsonObject = isObject(before) ? before : { type: 'object' }
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = isListOfNames(schema.required) ? schema.required : []
  return write({ ...schema, ...change(properties, required) })
}

export function write(schema: unknown): string {
  return JSON.stringify(schema, null, 2)
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOfNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
