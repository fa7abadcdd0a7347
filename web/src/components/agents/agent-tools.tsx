import type { AgentTool } from '@/api/types'
import { Badge } from '../ui/badge'

const SHOWN = 3

/** What an agent can use. An unavailable tool is struck out, in words too. */
export function AgentTools({ tools }: { tools: readonly AgentTool[] }) {
  if (tools.length === 0) return null
  const hidden = tools.slice(SHOWN)
  return (
    <ul aria-label="Tools" className="flex flex-wrap gap-1">
      {tools.slice(0, SHOWN).map((tool) => (
        <li key={tool.id} className="flex max-w-full">
          <Badge title={tool.description ?? tool.name}>
            {tool.available ? tool.name : <s>{tool.name}</s>}
            {!tool.available && <span className="sr-only"> (not available)</span>}
          </Badge>
        </li>
      ))}
      {hidden.length > 0 && (
        <li className="flex" title={hidden.map(({ name }) => name).join(', ')}>
          <Badge>
            +{hidden.length}
            <span className="sr-only"> more: {hidden.map(({ name }) => name).join(', ')}</span>
          </Badge>
        </li>
      )}
    </ul>
  )
}
