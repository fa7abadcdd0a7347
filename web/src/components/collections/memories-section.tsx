import { useState } from 'react'
import type { Memory, MemoryScope } from '@/api/types'
import { InlineEditor } from '@/components/forms/inline-editor'
import { useDraft } from '@/components/forms/use-form'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { SearchBox } from '@/components/ui/search-box'
import { Select } from '@/components/ui/select'
import { useDebouncedValue } from '@/hooks/use-browser'
import { changeMemory, createMemory, deleteMemory, useMemories, useRefreshMemories } from '@/hooks/use-memories'
import { counted } from '@/lib/text'
import { notify } from '@/lib/toasts'
import { CollectionRow, CollectionSection } from './collection-section'

interface MemoriesSectionProps {
  agentId: string
  agentName: string
  mayChangeAgent: boolean
}

const LONG = 240

/** What the agent has noted between conversations. */
export function MemoriesSection({ agentId, agentName, mayChangeAgent }: MemoriesSectionProps) {
  const [text, setText] = useState('')
  const [scope, setScope] = useState<MemoryScope | ''>('')
  const search = useDebouncedValue(text.trim())
  const list = useMemories(agentId, { search, scope })
  const refresh = useRefreshMemories(agentId)
  const isFiltered = search !== '' || scope !== ''
  return (
    <CollectionSection
      id="memory"
      title="Memory"
      description="What it noted between conversations: for everyone, and about you. Nobody else sees what is about you."
      what="memories"
      query={list}
      items={list.memories}
      empty={isFiltered ? 'Nothing fits. Try another word.' : `${agentName} has noted nothing yet.`}
      add="Add memory"
      filters={
        <>
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
          <p role="status" className="sr-only">
            {list.isPending ? '' : counted(list.total, 'memory', 'memories')}
          </p>
        </>
      }
      more={
        list.hasNextPage && (
          <Button variant="secondary" className="mt-4" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )
      }
      editor={(memory, onClose) => <MemoryEditor {...{ agentId, mayChangeAgent, memory, onClose }} />}
      row={(memory, actions) => (
        <CollectionRow
          {...actions}
          name={memory.path}
          title={
            <>
              <span className="font-mono text-xs wrap-anywhere">{memory.path}</span>
              <Badge tone={memory.scope === 'own' ? 'brand' : 'neutral'}>{memory.scope === 'own' ? 'About you' : 'For everyone'}</Badge>
            </>
          }
          mayChange={memory.scope === 'own' || mayChangeAgent}
          deleteLabel="Forget…"
        >
          <MemoryText content={memory.content} />
        </CollectionRow>
      )}
      deletion={{
        title: ({ path }) => `Forget ${path}?`,
        description: `${agentName} will not remember it any longer.`,
        action: 'Forget',
        run: ({ id }) => deleteMemory(agentId, id).then(refresh),
        done: 'It is forgotten.',
      }}
    />
  )
}

function MemoryText({ content }: { content: string }) {
  if (content.length <= LONG) return <p dir="auto" className="mt-0.5 text-sm whitespace-pre-line text-muted wrap-anywhere">{content}</p>
  return (
    <details className="mt-0.5 text-sm text-muted">
      <summary dir="auto" className="cursor-pointer rounded-sm wrap-anywhere">{content.slice(0, LONG)}…</summary>
      <p dir="auto" className="mt-2 whitespace-pre-line wrap-anywhere">{content}</p>
    </details>
  )
}

interface MemoryEditorProps {
  agentId: string
  mayChangeAgent: boolean
  /** Nothing for a new one. */
  memory: Memory | undefined
  onClose: () => void
}

function MemoryEditor({ agentId, mayChangeAgent, memory, onClose }: MemoryEditorProps) {
  const refresh = useRefreshMemories(agentId)
  const scope: MemoryScope = memory?.scope ?? 'own'
  const form = useDraft({
    saved: { path: memory?.path ?? '', content: memory?.content ?? '', scope },
    check: ({ path, content }) => ({
      ...(path.trim() === '' && { path: 'Name is missing.' }),
      ...(content.trim() === '' && { content: 'There is nothing to remember yet.' }),
    }),
    save: async ({ path, content, scope: chosen }) => {
      await (memory
        ? changeMemory(agentId, memory.id, { path, content })
        : createMemory(agentId, { path, content, scope: chosen }))
      await refresh()
      notify('It is remembered.')
      onClose()
    },
  })
  return (
    <InlineEditor
      label={memory ? `Edit ${memory.path}` : 'New memory'}
      problem={form.problem}
      pending={form.pending}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <TextField
          label="Name"
          {...form.field('path')}
          autoFocus
          spellCheck={false}
          maxLength={150}
          placeholder="preferences/travel"
          controlClass="font-mono"
          hint="Names between slashes."
        />
        <SelectField
          label="Whose"
          {...form.field('scope')}
          disabled={memory !== undefined || !mayChangeAgent}
        >
          <option value="own">About you</option>
          <option value="agent">For everyone</option>
        </SelectField>
      </div>
      <TextareaField
        label="What to remember"
        {...form.field('content')}
        rows={3}
        maxLength={20_000}
      />
    </InlineEditor>
  )
}
