import { ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { AIAgent } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { Button, buttonClass } from '@/components/ui/button'
import { SearchBox } from '@/components/ui/search-box'
import { useCatalog } from '@/hooks/use-administration'
import { useDebouncedValue } from '@/hooks/use-browser'
import { words } from '@/words/en/administration'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { entryPath } from './entry-actions'
import { EntryBadge, EntryEditor } from './entry-editor'
import { NewEntry } from './new-entry'

/** The agents that workspaces can hire. The address says which one is open. */
export function CatalogPanel() {
  const [search] = useSearchParams()
  const id = search.get('agent')
  if (id === null) return <CatalogList />
  return id === 'new' ? <NewEntry /> : <EntryEditor key={id} id={id} />
}

function CatalogList() {
  const [text, setText] = useState('')
  const search = useDebouncedValue(text.trim())
  const catalog = useCatalog(search)
  return (
    <SettingsSection
      title={words.catalog}
      description={words.catalogDescription}
      actions={
        <Link to={entryPath('new')} className={buttonClass()}>
          <Plus aria-hidden className="size-4" />
          {words.newAgent}
        </Link>
      }
    >
      <SearchBox label={words.searchTheCatalog} value={text} onChange={setText} className="mb-3 max-w-sm" />
      <SectionList
        query={catalog}
        what="catalog"
        isEmpty={catalog.entries.length === 0}
        empty={search === '' ? words.theCatalogIsEmpty : say(words.nothingMatchesSearch, { search })}
      >
        {catalog.entries.map((entry) => (
          <CatalogRow key={entry.id} entry={entry} />
        ))}
      </SectionList>
      {catalog.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" pending={catalog.isFetchingNextPage} onClick={() => void catalog.fetchNextPage()}>
            {common.showMore}
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}

function CatalogRow({ entry }: { entry: AIAgent }) {
  return (
    <li>
      <Link to={entryPath(entry.id)} className="group -mx-2 flex items-center gap-3 rounded-lg p-2 py-3 text-sm hover:bg-subtle">
        <AgentAvatar agent={entry} size="sm" />
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span dir="auto" className="max-w-full truncate font-medium">{entry.name}</span>
            <EntryBadge entry={entry} />
          </span>
          {entry.description !== null && <span dir="auto" className="line-clamp-1 text-muted">{entry.description}</span>}
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5" />
      </Link>
    </li>
  )
}
