import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import type { AIAgent } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { EntryBadge } from './entry-badge'
import { entryPath } from './paths'

export function CatalogRow({ entry }: { entry: AIAgent }) {
  return (
    <li>
      <Link to={entryPath(entry.id)} className="group -mx-2 flex items-center gap-3 rounded-lg p-2 py-3 text-sm hover:bg-subtle">
        <AgentAvatar agent={entry} size="sm" />
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="max-w-full truncate font-medium">{entry.name}</span>
            <EntryBadge entry={entry} />
          </span>
          {entry.description !== null && <span className="line-clamp-1 text-muted">{entry.description}</span>}
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5" />
      </Link>
    </li>
  )
}
