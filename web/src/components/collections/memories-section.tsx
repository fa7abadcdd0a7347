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
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/collections'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
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
      title={words.memory}
      description={words.memoryDescription}
      what="memories"
      query={list}
      items={list.memories}
      empty={isFiltered ? words.nothingFitsTryAnotherWord : say(words.agentNameHasNotedNothingYet, { agentName })}
      add={words.addMemory}
      filters={
        <>
          <div className="mb-4 flex flex-wrap gap-2">
            <SearchBox label={words.searchMemory} value={text} onChange={setText} className="grow basis-52" />
            <Select
              aria-label={words.whose}
              value={scope}
              className="grow basis-36 sm:grow-0"
              onChange={(event) => {
                setScope(event.target.value as MemoryScope | '')
              }}
            >
              <option value="">{words.all}</option>
              <option value="own">{words.aboutYou}</option>
              <option value="agent">{words.forEveryone}</option>
            </Select>
          </div>
          <p role="status" className="sr-only">
            {list.isPending ? '' : say(words.countMemories, { count: list.total })}
          </p>
        </>
      }
      more={
        list.hasNextPage && (
          <Button variant="secondary" className="mt-4" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {common.showMore}
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
              <Badge tone={memory.scope === 'own' ? 'brand' : 'neutral'}>{memory.scope === 'own' ? words.aboutYou : words.forEveryone}</Badge>
            </>
          }
          mayChange={memory.scope === 'own' || mayChangeAgent}
          deleteLabel={words.forget}
        >
          <MemoryText content={memory.content} />
        </CollectionRow>
      )}
      deletion={{
        title: ({ path }) => say(words.forgetPath, { path }),
        description: say(words.agentNameWillNotRememberIt, { agentName }),
        action: words.forgetButton,
        run: ({ id }) => deleteMemory(agentId, id).then(refresh),
        done: words.itIsForgotten,
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
      ...(path.trim() === '' && { path: common.nameIsMissing }),
      ...(content.trim() === '' && { content: words.thereIsNothingToRemember }),
    }),
    save: async ({ path, content, scope: chosen }) => {
      await (memory
        ? changeMemory(agentId, memory.id, { path, content })
        : createMemory(agentId, { path, content, scope: chosen }))
      await refresh()
      notify(words.itIsRemembered)
      onClose()
    },
  })
  return (
    <InlineEditor
      label={memory ? say(words.editPath, { path: memory.path }) : words.newMemory}
      problem={form.problem}
      pending={form.pending}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <TextField
          label={common.name}
          {...form.field('path')}
          autoFocus
          spellCheck={false}
          maxLength={150}
          placeholder={words.namePlaceholder}
          controlClass="font-mono"
          hint={words.nameHint}
        />
        <SelectField
          label={words.whose}
          {...form.field('scope')}
          disabled={memory !== undefined || !mayChangeAgent}
        >
          <option value="own">{words.aboutYou}</option>
          <option value="agent">{words.forEveryone}</option>
        </SelectField>
      </div>
      <TextareaField
        label={words.whatToRemember}
        {...form.field('content')}
        rows={3}
        maxLength={20_000}
      />
    </InlineEditor>
  )
}
