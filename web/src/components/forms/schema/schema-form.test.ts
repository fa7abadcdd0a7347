import { expect, test } from 'vitest'
import { draftOf, fits, readDraft } from './schema-draft'
import { fieldsOf, type Schema } from './schema-fields'

const search: Schema = {
  type: 'object',
  required: ['query', 'limit'],
  properties: {
    sort: { enum: ['new', 'old'] },
    query: { type: 'string' },
    limit: { type: 'integer' },
    exact: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    scores: { type: 'array', items: { type: 'number' } },
    filter: { type: 'object', properties: { owner: { type: 'string' }, since: { anyOf: [{ $ref: '#/$defs/year' }, { type: 'null' }] } }, required: ['owner'] },
    anything: {},
  },
  $defs: { year: { type: 'integer', title: 'Year' } },
}
const fields = fieldsOf(search)

test('what is required comes first, and each schema has its kind of field', () => {
  expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['query', 'text'],
    ['limit', 'number'],
    ['sort', 'choice'],
    ['exact', 'choice'],
    ['tags', 'lines'],
    ['scores', 'lines'],
    ['filter', 'group'],
    ['anything', 'json'],
  ])
})

test.each<[what: string, typed: object, args: object, problems?: object]>([
  ['texts, numbers and choices', { query: 'tea', limit: '5', sort: '"new"', exact: 'false' }, { query: 'tea', limit: 5, sort: 'new', exact: false }],
  ['lists by lines', { query: 'a', limit: '1', tags: ' x \n\ny', scores: '1\n2.5' }, { query: 'a', limit: 1, tags: ['x', 'y'], scores: [1, 2.5] }],
  ['a group', { query: 'a', limit: '1', filter: { owner: 'me', since: '2020' } }, { query: 'a', limit: 1, filter: { owner: 'me', since: 2020 } }],
  ['anything as JSON', { query: 'a', limit: '1', anything: '[1, {"b": null}]' }, { query: 'a', limit: 1, anything: [1, { b: null }] }],
  ['what is missing', {}, {}, { query: 'query is missing.', limit: 'limit is missing.' }],
  ['what is none', { query: 'a', limit: '1.5', scores: 'x', anything: '{' }, { query: 'a' }, {
    limit: 'Enter a whole number.',
    scores: 'Enter numbers, one per line.',
    anything: 'Enter JSON: text stands in double quotes.',
  }],
  ['what is missing in a group that is begun', { query: 'a', limit: '1', filter: { owner: '', since: '7' } }, { query: 'a', limit: 1, filter: { since: 7 } }, {
    'filter.owner': 'owner is missing.',
  }],
])('%s', (_, typed, args, problems = {}) => {
  expect(readDraft(fields, typed as Record<string, string>)).toEqual({ args, problems })
})

test('arguments come back as they were, and what the form can’t hold is known', () => {
  const args = { query: '', limit: 0, sort: 'old', exact: true, tags: ['a b'], filter: { owner: 'x' }, anything: { deep: [null] } }
  expect(fits(fields, { ...args, query: 'true' })).toBe(true)
  expect(readDraft(fields, draftOf(fields, { ...args, query: 'true' })).args).toEqual({ ...args, query: 'true' })
  // An empty text can't be told from nothing, and these aren't in the schema at all.
  expect(fits(fields, args)).toBe(false)
  expect(fits(fields, { query: 'a', other: 1 })).toBe(false)
  expect(fits(fields, { query: ['a'] })).toBe(false)
  expect(fits(fields, { tags: ['two\nlines'] })).toBe(false)
})

test('a part may be given where the model fills in the rest', () => {
  expect(readDraft(fields, { sort: '"new"' }, { isPartial: true })).toEqual({ args: { sort: 'new' }, problems: {} })
})

test('a schema that refers to itself ends', () => {
  const tree: Schema = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' }, loop: { $ref: '#/$defs/loop' } },
    $defs: { node: { type: 'object', properties: { left: { $ref: '#/$defs/node' } } }, loop: { $ref: '#/$defs/loop' } },
  }
  expect(fieldsOf(tree).map(({ kind }) => kind)).toEqual(['group', 'json'])
})

test('a schema of nothing, or of nonsense, has no fields', () => {
  expect(fieldsOf({})).toEqual([])
  expect(fieldsOf({ properties: 'x', required: 7 })).toEqual([])
  expect(fieldsOf({ properties: { a: true, b: null } }).map(({ kind }) => kind)).toEqual(['json', 'json'])
})
