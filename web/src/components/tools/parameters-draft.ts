// The parameters of a tool: a list that people build, or the JSON Schema itself where a list can't hold it.
import { type Schema } from '@/components/forms/schema/schema-fields'
import { isObject, isSameValue, parsed } from '@/components/forms/schema/values'
import { itemKey } from '@/components/forms/reorder'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tool-forms'
import { choicesOf, choicesProblem, VARIABLE_TYPES, type VariableDraft, type VariableType, written } from './handoff-draft'

export interface ParametersDraft {
  variables: readonly VariableDraft[]
  /** The schema as JSON, while it is typed as that. */
  json: string | null
}

const PLACE = 'config.parameters'

export function parametersDraft(schema: Schema = {}): ParametersDraft {
  const variables = variablesOf(schema)
  return variables === undefined ? { variables: [], json: JSON.stringify(schema, null, 2) } : { variables, json: null }
}

/** Nothing, if it is no JSON. */
export function schemaOf({ variables, json }: ParametersDraft): Schema | undefined {
  if (json === null) return schemaOfList(variables)
  const found = parsed(json)
  return found !== undefined && isObject(found.value) ? found.value : undefined
}

function schemaOfList(variables: readonly VariableDraft[]): Schema {
  const required = variables.filter((variable) => variable.required).map(({ name }) => name)
  const properties = variables.map((variable) => {
    const choices = choicesOf(variable)
    const description = variable.description.trim()
    return [variable.name, { type: variable.type, ...(description !== '' && { description }), ...(choices.length > 0 && { enum: choices }) }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) as object, ...(required.length > 0 && { required }) }
}

/** As a list, if that holds all of it. */
function variablesOf(schema: Schema): VariableDraft[] | undefined {
  const { properties = {}, required = [], ...others } = schema
  if (!isObject(properties) || !Array.isArray(required)) return undefined
  const variables = Object.entries(properties).map(([name, property]) => variableOf(name, property, required.includes(name)))
  if (!variables.every((variable) => variable !== undefined)) return undefined
  const again = schemaOfList(variables)
  const plain = { type: 'object', ...others, properties, ...(required.length > 0 && { required: again.required }) }
  const isSameRequired = Array.isArray(again.required) ? isSameValue(sorted(again.required), sorted(required)) : required.length === 0
  return isSameRequired && isSameValue(again, plain) ? variables : undefined
}

const sorted = (names: readonly unknown[]) => names.map(String).sort()

function variableOf(name: string, property: unknown, required: boolean): VariableDraft | undefined {
  if (!isObject(property) || typeof property.type !== 'string' || !(property.type in VARIABLE_TYPES)) return undefined
  const type = property.type as VariableType
  const { description = '', enum: choices = [] } = property
  if (typeof description !== 'string' || !Array.isArray(choices)) return undefined
  return { key: itemKey(), name, type, required, description, choices: choices.map((choice) => written(choice, type)).join('\n') }
}

export function canBeAList(draft: ParametersDraft): boolean {
  const schema = schemaOf(draft)
  return schema !== undefined && variablesOf(schema) !== undefined
}

export function parameterProblems(draft: ParametersDraft): Record<string, string> {
  if (draft.json !== null) return schemaOf(draft) === undefined ? { [PLACE]: words.enterASchema } : {}
  const problems: Record<string, string> = {}
  draft.variables.forEach((variable, index) => {
    const name = nameProblem(variable, draft.variables.slice(0, index))
    if (name !== undefined) problems[`${PLACE}[${index}].name`] = name
    const choices = choicesProblem(variable)
    if (choices !== undefined) problems[`${PLACE}[${index}].enum`] = choices
  })
  return problems
}

function nameProblem({ name }: VariableDraft, before: readonly VariableDraft[]): string | undefined {
  if (name === '') return common.nameIsMissing
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) return words.useLettersDigits
  return before.some((other) => other.name === name) ? words.thereTwice : undefined
}

/** The names of all parameters. */
export function parameterNames(draft: ParametersDraft): string[] {
  const properties = schemaOf(draft)?.properties
  return isObject(properties) ? Object.keys(properties) : []
}

/** The names in braces of an address, in its path and in its query. */
export function placesOf(url: string): { inPath: string[]; inQuery: string[] } {
  const [path = '', query = ''] = url.split('?')
  const names = (text: string) => [...new Set([...text.matchAll(/\{([A-Za-z0-9_.-]{1,64})\}/g)].map(([, name = '']) => name))]
  return { inPath: names(path), inQuery: names(query) }
}

/** With parameters for the places of an address that have none yet. What is part of the path is needed. */
export function withPlaces(draft: ParametersDraft, url: string): ParametersDraft {
  const { inPath, inQuery } = placesOf(url)
  const known = parameterNames(draft)
  const missing = [...new Set([...inPath, ...inQuery])].filter((name) => !known.includes(name))
  const added = missing.map((name): VariableDraft => ({ key: itemKey(), name, type: 'string', required: inPath.includes(name), description: '', choices: '' }))
  if (draft.json === null) return { ...draft, variables: [...draft.variables, ...added] }
  const schema = schemaOf(draft)
  if (schema === undefined) return draft
  const properties = { ...(isObject(schema.properties) ? schema.properties : {}), ...Object.fromEntries(missing.map((name) => [name, { type: 'string' }])) }
  const required = [...(Array.isArray(schema.required) ? (schema.required as unknown[]) : []), ...missing.filter((name) => inPath.includes(name))]
  return { ...draft, json: JSON.stringify({ ...schema, properties, required }, null, 2) }
}
