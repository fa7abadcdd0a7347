import { expect, test } from 'vitest'
import { tool } from '@/testing/build-samples'
import { checkTool, descriptionOf, draftOfTool, nameProblem, newVariable, parametersOf, promptOf, toolOf, type VariableDraft } from './handoff-draft'

const variable = (changes: Partial<VariableDraft>): VariableDraft => ({ ...newVariable(), ...changes })

test.each<[string, Partial<VariableDraft>[], object, string[]]>([
  ['no variables', [], {}, []],
  ['one without a name yet', [{}], {}, []],
  [
    'required and optional, with words',
    [
      { name: 'lead_id', description: 'The lead ' },
      { name: 'score', type: 'number', required: false },
    ],
    { lead_id: { type: 'string', description: 'The lead' }, score: { type: 'number' } },
    ['lead_id'],
  ],
  [
    'certain values, as their type',
    [
      { name: 'priority', choices: 'low\n\n high ' },
      { name: 'size', type: 'integer', choices: '1\n2.5\n3' },
      { name: 'urgent', type: 'boolean', choices: 'true' },
    ],
    {
      priority: { type: 'string', enum: ['low', 'high'] },
      size: { type: 'integer', enum: [1, 3] },
      urgent: { type: 'boolean', enum: [true] },
    },
    ['priority', 'size', 'urgent'],
  ],
])('what the model sees: %s', (_, variables, properties, required) => {
  expect(parametersOf(variables.map(variable))).toEqual({ type: 'object', properties, required, additionalProperties: false })
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

test('the calling model reads what the target will be told', () => {
  expect(descriptionOf(draftOfTool(tool()))).toMatch(/\n\nThe next agent is told: Follow up\.$/)
  expect(descriptionOf({ ...draftOfTool(tool()), instructions: ' ' })).not.toContain('is told')
})

test('the target gets the instructions first, then the names of what is passed', () => {
  const prompt = promptOf(draftOfTool(tool()))
  expect(prompt).toMatch(/^# Instructions for this handoff\nFollow up\.\n\n# Context that was passed to you/)
  expect(prompt).toContain('"lead_id"')
  expect(promptOf({ ...draftOfTool(tool()), instructions: ' ' })).not.toContain('# Instructions')
})
