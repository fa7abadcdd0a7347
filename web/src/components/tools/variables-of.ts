// Where variables are built: what a handoff passes along, and what a tool over somebody's API is given.
import { MAX_VARIABLES } from './handoff-draft'

export const VARIABLES_OF = {
  handoff: { place: 'config.context_variables', max: MAX_VARIABLES },
  parameters: { place: 'config.parameters', max: 50 },
} as const

export type VariablesOf = keyof typeof VARIABLES_OF
