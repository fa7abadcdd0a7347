// What the handoff builder holds, what is wrong with it, and what the server is sent of it.
import type { ContextVariable, HandoffTool, NewHandoffTool } from '@/api/types'
import { itemKey } from '@/components/forms/reorder'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'

export type VariableType = ContextVariable['type']

export const VARIABLE_TYPES: Record<VariableType, string> = words.variableTypes

export interface VariableDraft {
  key: number
  name: string
  type: VariableType
  required: boolean
  description: string
  /** The only values it can have, one per line. */
  choices: string
}

export interface ToolDraft {
  name: string
  description: string
  target: string
  instructions: string
  variables: readonly VariableDraft[]
}

export const MAX_VARIABLES = 20

/** Names that Baton's own tools have, besides those that agents list. */
const RESERVED = ['switch_agent', 'complete_task', 'complete_stage', 'update_context', 'read_context', 'load_skill', 'route', 'search_tools', 'call_tool', 'getCurrentTime']
const RESERVED_START = /^(ask_|_)/

export function draftOfTool(tool: HandoffTool | undefined): ToolDraft {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    target: tool?.config.target_agent_id ?? '',
    instructions: tool?.config.handoff_instructions ?? '',
    variables: (tool?.config.context_variables ?? []).map((variable) => ({
      key: itemKey(),
      name: variable.name,
      type: variable.type,
      required: variable.required ?? false,
      description: variable.description ?? '',
      choices: (variable.enum ?? []).map((choice) => written(choice, variable.type)).join('\n'),
    })),
  }
}

export function newVariable(): VariableDraft {
  return { key: itemKey(), name: '', type: 'string', required: true, description: '', choices: '' }
}

export function toolOf(draft: ToolDraft): NewHandoffTool {
  return {
    name: draft.name,
    type: 'handoff',
    description: draft.description,
    config: {
      target_agent_id: draft.target,
      handoff_instructions: draft.instructions.trim() === '' ? null : draft.instructions,
      context_variables: draft.variables.map((variable) => {
        const choices = choicesOf(variable)
        return {
          name: variable.name,
          type: variable.type,
          required: variable.required,
          description: variable.description.trim() === '' ? null : variable.description,
          ...(choices.length > 0 && { enum: choices }),
        }
      }),
    },
  }
}

/** The rules of the server for names, said before it is asked. `taken`: what other tools here are called. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return common.nameIsMissing
  if (name.length > 64 || !/^[A-Za-z0-9_-]+$/.test(name)) return words.use1To64Of
  if (RESERVED.includes(name) || RESERVED_START.test(name)) return words.thisIsTheNameOf
  if (taken.includes(name)) return words.anotherToolHasThisName
  return undefined
}

export function checkTool(draft: ToolDraft, taken: readonly string[]): Record<string, string> {
  const problems: Record<string, string> = {}
  // In the order of the page: the first one gets the focus.
  if (draft.target === '') problems['config.target_agent_id'] = words.chooseTheAgentItLeads
  const name = nameProblem(draft.name, taken)
  if (name !== undefined) problems.name = name
  if (draft.description.trim() === '') problems.description = words.descriptionIsMissing
  draft.variables.forEach((variable, index) => {
    const place = `config.context_variables[${index}]`
    const problem = variableNameProblem(variable, draft.variables.slice(0, index))
    if (problem !== undefined) problems[`${place}.name`] = problem
    const choices = choicesProblem(variable)
    if (choices !== undefined) problems[`${place}.enum`] = choices
  })
  return problems
}

function variableNameProblem({ name }: VariableDraft, before: readonly VariableDraft[]): string | undefined {
  if (name === '') return common.nameIsMissing
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name)) return words.beginWithALetterLetters
  if (before.some((other) => other.name === name)) return words.anotherVariableHasThisName
  return undefined
}

export function choicesProblem(variable: VariableDraft): string | undefined {
  const lines = linesOf(variable.choices)
  if (lines.length > 50) return words.useAtMost50Values
  const wrong = lines.find((line) => valueOf(line, variable.type) === undefined)
  return wrong === undefined ? undefined : say(words.wrongIsNotOfThe, { wrong, value: VARIABLE_TYPES[variable.type].toLowerCase() })
}

export function choicesOf(variable: VariableDraft): unknown[] {
  return linesOf(variable.choices)
    .map((line) => valueOf(line, variable.type))
    .filter((value) => value !== undefined)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function written(choice: unknown, type: VariableType): string {
  return type === 'string' && typeof choice === 'string' ? choice : JSON.stringify(choice)
}

/** A line as a value of the type, or nothing if it is none. */
function valueOf(line: string, type: VariableType): unknown {
  if (type === 'string') return line
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  const fits: Record<Exclude<VariableType, 'string'>, boolean> = {
    number: typeof value === 'number',
    integer: Number.isInteger(value),
    boolean: typeof value === 'boolean',
    array: Array.isArray(value),
    object: typeof value === 'object' && value !== null && !Array.isArray(value),
  }
  return fits[type] ? value : undefined
}
