import type { AgentTool } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { toolWords } from '@/lib/text'
import { words as texts } from '@/words/en/agents'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'

interface AgentToolsProps {
  tools: readonly AgentTool[]
  /** How many are named; the others are counted. */
  most?: number
}

/** What an agent can use, by the names people know. What this server cannot run has a dashed edge, and says so. */
export function AgentTools({ tools, most = 3 }: AgentToolsProps) {
  const names = byName(tools)
  if (names.length === 0) return null
  const hidden = names.slice(most).map(({ name }) => name)
  return (
    <ul aria-label={common.tools} className="flex flex-wrap gap-1">
      {names.slice(0, most).map(({ name, available }) => (
        <li key={name} className="flex max-w-full">
          {available ? (
            <Badge title={name}>{name}</Badge>
          ) : (
            <Badge tone="dashed" title={say(texts.nameNotAvailableOnThis, { name })}>
              {name}
              <span className="sr-only"> {texts.notAvailable}</span>
            </Badge>
          )}
        </li>
      ))}
      {hidden.length > 0 && (
        <li className="flex">
          <Badge title={hidden.join(', ')}>
            +{hidden.length}
            <span className="sr-only"> {say(texts.moreHidden, { hidden: hidden.join(', ') })}</span>
          </Badge>
        </li>
      )}
    </ul>
  )
}

/** Several tools share a name, such as reading and writing the same thing. One that works speaks for all. */
function byName(tools: readonly AgentTool[]): { name: string; available: boolean }[] {
  const names = new Map<string, boolean>()
  for (const { name, available } of tools) {
    const words = toolWords(name)
    names.set(words, available || names.get(words) === true)
  }
  return Array.from(names, ([name, available]) => ({ name, available }))
}
