import { expect, test } from 'vitest'
import { fieldsOf, schemaProblem, startingSchema, withField, withoutField } from './output-schema'

test.each<[string, unknown, boolean]>([
  ['what a stage begins with', JSON.parse(startingSchema()), true],
  ['no fields', { type: 'object' }, true],
  ['a list of texts', { type: 'object', properties: { who: { type: 'array', items: { type: 'string' } } } }, true],
  ['several types', { type: 'object', properties: { sum: { type: ['integer', 'null'] } } }, true],
  ['no schema', null, false],
  ['no type', {}, false],
  ['not an object', { type: 'string' }, false],
  ['properties as a list', { type: 'object', properties: [] }, false],
  ['an unknown type', { type: 'object', properties: { a: { type: 'text' } } }, false],
  ['a required field that is none', { type: 'object', required: ['a'] }, false],
  ['required as a word', { type: 'object', required: 'a', properties: { a: {} } }, false],
  ['no choice', { type: 'object', properties: { a: { enum: [] } } }, false],
  ['items that are no schema', { type: 'object', properties: { a: { type: 'array', items: 5 } } }, false],
])('%s', (_, schema, isGood) => {
  expect(schemaProblem(JSON.stringify(schema)) === undefined).toBe(isGood)
})

test('text that is no JSON is no schema', () => {
  expect(schemaProblem('{"type":')).toBe('This is not JSON.')
})

test('fields come and go, and the rest of the schema stays', () => {
  const before = JSON.stringify({ type: 'object', additionalProperties: false, properties: { a: { type: 'string' } }, required: ['a'] })
  const added = withField(before, { name: 'b', type: 'integer', description: ' How many ', required: true })
  expect(fieldsOf(added)).toEqual([
    { name: 'a', type: 'string', description: '', required: true },
    { name: 'b', type: 'integer', description: 'How many', required: true },
  ])
  expect(JSON.parse(withoutField(added, 'a'))).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: { b: { type: 'integer', description: 'How many' } },
    required: ['b'],
  })
})
