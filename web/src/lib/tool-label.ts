import type { AgentTool } from '@/api/types'
import { sentenceCase } from './text'

/** A tool's name for people. Handoffs are named for models by whoever makes them: `handoff_to_sdr`. */
export function toolLabel({ name, toolName, server }: Pick<AgentTool, 'name' | 'toolName' | 'server'>): string {
  const isHandoff = server === 'handoff-tools' || (toolName === null && name.startsWith('handoff_'))
  return isHandoff ? sentenceCase(name) : name
}
