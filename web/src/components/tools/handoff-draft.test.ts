import { expect, test } from 'vitest'
import { tool } from '@/testing/build-samples'
import { checkTool, draftOfTool, nameProblem, newVariable, toolOf, type VariableDraft } from './handoff-draft'

const variable = (changes: Partial<VariableDraft>): VariableDraft => ({ ...newVariable(), ...changes })

test.each<[string, Partial<VariableDraft>[], object[]]>([
  ['no variables', [], []],
  [
    'required and optional, with words',
    [
      { name: 'lead_id', description: 'The lead' },
      { name: 'score', type: 'number', required: false, description: ' ' },
    ],
    [
      { name: 'lead_id', type: 'string', required: true, description: 'The lead' },
      { name: 'score', type: 'number', required: false, description: null },
    ],
  ],
  [
    'certain values, as their type',
    [
      { name: 'priority', choices: 'low\n\n high ' },
      { name: 'size', type: 'integer', choices: '1\n2.5\n3' },
      { name: 'urgent', type: 'boolean', choices: 'true' },
    ],
    [
      { name: 'priority', type: 'string', required: true, description: null, enum: ['low', 'high'] },
      { name: 'size', type: 'integer', required: true, description: null, enum: [1, 3] },
      { name: 'urgent', type: 'boolean', required: true, description: null, enum: [true] },
    ],
  ],
])('what the server is sent: %s', (_, variables, sent) => {
  const draft = { ...draftOfTool(tool()), variables: variables.map(variable) }
  expect(toolOf(draft).config.context_variables).toEqual(sent)
})

test.each([
  ['handoff_to_sdr', undefined],
  ['Handoff-2', undefined],
  ['', 'Name is missing.'],
  ['two words', 'Use 1 to 64 of a-z, A-Z, 0-9, _ and -.'],
  ['x'.repeat(65), 'Use 1 to 64 of a-z, A-Z, 0-9, _ and -.'],
  ['switch_agent', 'This is the name of a tool that Baton brings along.'],
  ['ask_sdr', 'This is the name of a tool that Baton brings along.'],
  ['_own', 'This is the name of a tool that Baton brings along.'],
  ['taken', 'Another tool has this name.'],
])('the name %s', (name, problem) => {
  expect(nameProblem(name, ['taken'])).toBe(problem)
})

test('variables are refused where they are wrong', () => {
  const variables = [{ name: 'a' }, { name: 'a' }, { name: '_b' }, { name: 'c', type: 'integer' as const, choices: 'x' }]
  const draft = { ...draftOfTool(tool()), variables: variables.map(variable) }
  expect(Object.keys(checkTool(draft, []))).toEqual([
    'config.context_variables[1].name',
    'config.context_variables[2].name',
    'config.context_variables[3].enum',
  ])
})

test('a tool that is opened and saved stays as it was', () => {
  const before = tool()
  before.config.context_variables = [
    { name: 'lead_id', type: 'string', required: true, description: null, enum: ['a', 'b'] },
    { name: 'sum', type: 'number', required: false, description: 'How much', enum: [1.5] },
  ]
  const { config } = toolOf(draftOfTool(before))
  expect(config.context_variables).toEqual(before.config.context_variables)
})
