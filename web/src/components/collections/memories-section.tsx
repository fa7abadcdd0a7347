import { Plus } from 'lucide-react'
import { useState } from 'react'
import { deleteMemory } from '@/api/memories'
import type { Memory, MemoryScope } from '@/api/types'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { SearchBox } from '@/components/ui/search-box'
import { Select } from '@/components/ui/select'
import { useDebouncedValue } from '@/hooks/use-debounced-value'
import { useMemories, useRefreshMemories } from '@/hooks/use-memories'
import { counted } from '@/lib/text'
import { notify } from '@/lib/toasts'
import { MemoryEditor } from './memory-editor'
import { MemoryRow } from './memory-row'

interface MemoriesSectionProps {
  agentId: string
  agentName: string
  mayChangeAgent: boolean
}

/** What the agent has noted between conversations. */
export function MemoriesSection({ agentId, agentName, mayChangeAgent }: MemoriesSectionProps) {
  const [text, setText] = useState('')
  const [scope, setScope] = useState<MemoryScope | ''>('')
  const search = useDebouncedValue(text.trim())
  const list = useMemories(agentId, { search, scope })
  const refresh = useRefreshMemories(agentId)
  const [editing, setEditing] = useState<Memory | 'new' | null>(null)
  const [deleting, setDeleting] = useState<{ memory: Memory; opener: HTMLElement | null } | null>(null)
  const editedId = editing === 'new' ? 'new' : editing?.id
  const close = () => {
    setEditing(null)
  }
  const isFiltered = search !== '' || scope !== ''
  return (
    <SettingsSection
      id="memory"
      title="Memory"
      description="What it noted between conversations: for everyone, and about you. Nobody else sees what is about you."
      actions={
        editing === null ? (
          <Button
            variant="secondary"
            onClick={() => {
              setEditing('new')
            }}
          >
            <Plus aria-hidden className="size-4" />
            Add memory
          </Button>
        ) : undefined
      }
    >
      <div className="mb-4 flex flex-wrap gap-2">
        <SearchBox label="Search memory" value={text} onChange={setText} className="grow basis-52" />
        <Select
          aria-label="Whose"
          value={scope}
          className="grow basis-36 sm:grow-0"
          onChange={(event) => {
            setScope(event.target.value as MemoryScope | '')
          }}
        >
          <option value="">All</option>
          <option value="own">About you</option>
          <option value="agent">For everyone</option>
        </Select>
      </div>
      {editing !== null && (
        <MemoryEditor
          key={editedId}
          {...{ agentId, mayChangeAgent }}
          memory={editing === 'new' ? undefined : editing}
          onClose={close}
        />
      )}
      <p role="status" className="sr-only">
        {list.isPending ? '' : counted(list.total, 'memory', 'memories')}
      </p>
      <SectionList
        query={list}
        what="memories"
        isEmpty={list.memories.length === 0 && editing === null}
        empty={isFiltered ? 'Nothing fits. Try another word.' : `${agentName} has noted nothing yet.`}
      >
        {list.memories.filter(({ id }) => id !== editedId).map((memory) => (
          <li key={memory.id} className="py-3 first:pt-0 last:pb-0">
            <MemoryRow
              memory={memory}
              mayChange={memory.scope === 'own' || mayChangeAgent}
              onEdit={() => {
                setEditing(memory)
              }}
              onDelete={(opener) => {
                setDeleting({ memory, opener })
              }}
            />
          </li>
        ))}
      </SectionList>
      {list.hasNextPage && (
        <Button variant="secondary" className="mt-4" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      {deleting && (
        <ConfirmDialog
          title={`Forget ${deleting.memory.path}?`}
          description={`${agentName} will not remember it any longer.`}
          action="Forget"
          opener={deleting.opener}
          onClose={() => {
            setDeleting(null)
          }}
          onConfirm={async () => {
            await deleteMemory(agentId, deleting.memory.id)
            await refresh()
            notify('It is forgotten.')
          }}
        />
      )}
    </SettingsSection>
  )
}
