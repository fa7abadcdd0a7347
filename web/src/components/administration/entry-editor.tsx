import type { AIAgent } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { SectionQuery } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { BackLink } from '@/components/ui/text-link'
import { useEntry } from '@/hooks/use-administration'
import { words } from '@/words/en/administration'
import { say } from '@/words/say'
import { CATALOG_PATH, entryState, useEntryActions } from './entry-actions'
import { EntryForm } from './entry-form'
import { VersionsSection } from './versions-section'

/** One agent of the catalog. */
export function EntryEditor({ id }: { id: string }) {
  const query = useEntry(id)
  return (
    <>
      <div className="text-sm text-muted">
        <BackLink to={CATALOG_PATH}>{words.catalog}</BackLink>
      </div>
      <SectionQuery query={query} what="agent">
        {(entry) => (
          <>
            <EntryHead entry={entry} />
            <EntryForm entry={entry} />
            <VersionsSection entry={entry} />
          </>
        )}
      </SectionQuery>
    </>
  )
}

/** Which agent this is, how it stands, and what is done with it as a whole. */
function EntryHead({ entry }: { entry: AIAgent }) {
  const { publish, enable } = useEntryActions(entry.id)
  const isBehind = entry.published_version !== entry.current_version
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:p-6">
      <AgentAvatar agent={entry} size="md" />
      <div className="min-w-0 grow basis-48">
        <h2 dir="auto" className="truncate text-lg font-semibold tracking-tight">{entry.name}</h2>
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <EntryBadge entry={entry} />
          <span className="text-xs text-muted">{entry.slug}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {entry.published_version !== null && (
          <Button
            variant="secondary"
            pending={enable.isPending}
            onClick={() => {
              enable.mutate(!entry.is_enabled)
            }}
          >
            {entry.is_enabled ? words.disable : words.enable}
          </Button>
        )}
        {isBehind && (
          <Button
            pending={publish.isPending}
            onClick={() => {
              publish.mutate(entry.current_version)
            }}
          >
            {say(words.publishVersion, { version: entry.current_version })}
          </Button>
        )}
      </div>
    </Card>
  )
}

/** How an entry of the catalog stands. */
export function EntryBadge({ entry }: { entry: AIAgent }) {
  switch (entryState(entry)) {
    case 'draft':
      return <Badge tone="dashed">{words.draft}</Badge>
    case 'disabled':
      return <Badge tone="dashed">{words.disabled}</Badge>
    case 'changed':
      return (
        <>
          <Badge tone="brand">{say(words.publishedVersion, { version: entry.published_version ?? 0 })}</Badge>
          <Badge>{say(words.draftVersion, { version: entry.current_version })}</Badge>
        </>
      )
    case 'published':
      return <Badge tone="brand">{say(words.publishedVersion, { version: entry.published_version ?? 0 })}</Badge>
  }
}
