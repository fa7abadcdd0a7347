import { expect, test } from 'vitest'
import { canBeAList, parameterNames, parameterProblems, parametersDraft, placesOf, schemaOf, withPlaces } from './parameters-draft'

const schema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'The city', enum: ['Bern', 'Basel'] }, days: { type: 'integer' } },
  required: ['city'],
}

test('a schema that a list can hold is a list, and comes back as it was', () => {
  const draft = parametersDraft(schema)
  expect(draft.json).toBeNull()
  expect(draft.variables.map(({ name, required, choices }) => [name, required, choices])).toEqual([
    ['city', true, 'Bern\nBasel'],
    ['days', false, ''],
  ])
  expect(schemaOf(draft)).toEqual(schema)
  expect(schemaOf(parametersDraft({ type: 'object', properties: {}, required: [] }))).toEqual({ type: 'object', properties: {} })
})

test.each<[what: string, schema: object]>([
  ['a field with more than the list knows', { ...schema, properties: { ...schema.properties, days: { type: 'integer', minimum: 1 } } }],
  ['another type', { ...schema, properties: { city: { type: ['string', 'null'] } } }],
  ['something beside the fields', { ...schema, additionalProperties: false }],
  ['a required field that isn’t there', { ...schema, required: ['city', 'street'] }],
])('%s stays JSON', (_, other) => {
  const draft = parametersDraft(other as Record<string, unknown>)
  expect(JSON.parse(draft.json ?? '')).toEqual(other)
  expect(schemaOf(draft)).toEqual(other)
  expect(canBeAList(draft)).toBe(false)
})

test('the places of an address get parameters, needed in its path', () => {
  const url = 'https://x.example/{desk}/{desk}/tickets?state={state}&fixed=1'
  expect(placesOf(url)).toEqual({ inPath: ['desk'], inQuery: ['state'] })
  expect(schemaOf(withPlaces(parametersDraft(), url))).toEqual({
    type: 'object',
    properties: { desk: { type: 'string' }, state: { type: 'string' } },
    required: ['desk'],
  })
  const typed = withPlaces(parametersDraft({ ...schema, additionalProperties: false }), url)
  expect(schemaOf(typed)).toMatchObject({ additionalProperties: false, required: ['city', 'desk'] })
  expect(parameterNames(typed)).toEqual(['city', 'days', 'desk', 'state'])
})

test('what is wrong is said where it is', () => {
  const { variables } = parametersDraft(schema)
  const [city, days] = variables
  if (!city || !days) throw new Error('no variables')
  expect(parameterProblems({ json: null, variables: [{ ...city, name: '' }, { ...days, name: 'a b', choices: 'x' }] })).toEqual({
    'config.parameters[0].name': 'Name is missing.',
    'config.parameters[1].name': 'Use letters, digits, _, - and . (at most 64).',
    'config.parameters[1].enum': '“x” is not of the type whole number.',
  })
  expect(parameterProblems({ json: null, variables: [city, { ...days, name: 'city' }] })).toEqual({
    'config.parameters[1].name': 'This name is there twice.',
  })
  expect(parameterProblems({ variables: [], json: '[' })).toEqual({ 'config.parameters': 'Enter a JSON Schema of an object, in braces.' })
})
