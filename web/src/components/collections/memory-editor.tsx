import { changeMemory, createMemory } from '@/api/memories'
import type { Memory, MemoryScope } from '@/api/types'
import { InlineEditor } from '@/components/forms/inline-editor'
import { useDraft } from '@/components/forms/use-draft'
import { SelectField } from '@/components/ui/select-field'
import { TextField } from '@/components/ui/text-field'
import { TextareaField } from '@/components/ui/textarea-field'
import { useRefreshMemories } from '@/hooks/use-memories'
import { notify } from '@/lib/toasts'

interface MemoryEditorProps {
  agentId: string
  mayChangeAgent: boolean
  /** Nothing for a new one. */
  memory: Memory | undefined
  onClose: () => void
}

export function MemoryEditor({ agentId, mayChangeAgent, memory, onClose }: MemoryEditorProps) {
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
  const { draft, change, problemWith } = form
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
          name="path"
          autoFocus
          spellCheck={false}
          maxLength={150}
          placeholder="preferences/travel"
          controlClass="font-mono"
          hint="Names between slashes."
          value={draft.path}
          problem={problemWith('path')}
          onChange={(path) => {
            change({ path })
          }}
        />
        <SelectField
          label="Whose"
          name="scope"
          value={draft.scope}
          disabled={memory !== undefined || !mayChangeAgent}
          problem={problemWith('scope')}
          onChange={(next) => {
            change({ scope: next as MemoryScope })
          }}
        >
          <option value="own">About you</option>
          <option value="agent">For everyone</option>
        </SelectField>
      </div>
      <TextareaField
        label="What to remember"
        name="content"
        rows={3}
        maxLength={20_000}
        value={draft.content}
        problem={problemWith('content')}
        onChange={(content) => {
          change({ content })
        }}
      />
    </InlineEditor>
  )
}
