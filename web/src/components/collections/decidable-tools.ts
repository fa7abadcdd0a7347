import type { ServerToolList, Tool, ToolPermission, ToolType } from '@/api/types'
import type { DecidedTool } from '@/hooks/use-tool-permissions'

/** A tool about which it can be decided whether an agent may use it without asking. */
export interface Decidable extends DecidedTool {
  name: string
  /** The row it is of: itself, or its server. */
  of: string
  /** Nothing, if that is gone. */
  type: ToolType | undefined
  /** Whether the agent has it. */
  isHad: boolean
}

interface Known {
  /** All that people here defined. */
  tools: readonly Tool[]
  /** Those that the agent has. */
  had: readonly Tool[]
  /** Of servers, by their ids: only admins are told. */
  lists: ReadonlyMap<string, ServerToolList>
  decided: readonly ToolPermission[]
}

/** What the agent has, each allowed tool of a server by itself; then what was decided of others, so that it can be taken back. */
export function decidableTools({ tools, had, lists, decided }: Known): Decidable[] {
  const rows = had.flatMap((tool) => rowsOf(tool, lists.get(tool.id)))
  const isThere = (one: DecidedTool) => rows.some(({ tool_id, raw_name }) => tool_id === one.tool_id && raw_name === one.raw_name)
  const others = decided.filter((one) => !isThere(one)).map(({ tool_id, raw_name }): Decidable => {
    const tool = tools.find(({ id }) => id === tool_id)
    const of = tool?.name ?? tool_id
    // Of a server that isn't read yet, or not for this person, it may well be had.
    const isHad = raw_name !== null && had.some(({ id }) => id === tool_id) && !lists.has(tool_id)
    return { tool_id, raw_name, name: raw_name ?? of, of, type: tool?.type, isHad }
  })
  return [...rows, ...others]
}

function rowsOf(tool: Tool, list: ServerToolList | undefined): Decidable[] {
  // A handoff is never asked about.
  if (tool.type === 'handoff') return []
  if (tool.type !== 'mcp_server') return [{ tool_id: tool.id, raw_name: null, name: tool.name, of: tool.name, type: tool.type, isHad: true }]
  const allowed = (list?.tools ?? []).filter(({ state }) => state === 'allowed')
  return allowed.map(({ raw_name, title }) => ({ tool_id: tool.id, raw_name, name: title ?? raw_name, of: tool.name, type: tool.type, isHad: true }))
}
