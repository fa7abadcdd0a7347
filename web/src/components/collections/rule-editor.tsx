import { changeRule, createRule } from '@/api/rules'
import type { Rule } from '@/api/types'
import { changes } from '@/components/forms/changes'
import { InlineEditor } from '@/components/forms/inline-editor'
import { useDraft } from '@/components/forms/use-draft'
import { TextField } from '@/components/ui/text-field'
import { TextareaField } from '@/components/ui/textarea-field'
import { useRefreshRules } from '@/hooks/use-rules'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'

interface RuleEditorProps {
  agentId: string
  /** Nothing for a new one, which this agent then follows. */
  rule: Rule | undefined
  onClose: () => void
}

export function RuleEditor({ agentId, rule, onClose }: RuleEditorProps) {
  const workspace = useWorkspace()
  const refresh = useRefreshRules()
  const form = useDraft({
    saved: { name: rule?.name ?? '', content: rule?.content ?? '' },
    check: ({ name, content }) => ({
      ...(name.trim() === '' && { name: 'Name is missing.' }),
      ...(content.trim() === '' && { content: 'The rule is missing.' }),
    }),
    save: async (draft, base) => {
      await (rule ? changeRule(rule.id, changes(base, draft)) : createRule(workspace.id, { ...draft, agent_ids: [agentId] }))
      await refresh()
      notify('The rule is saved.')
      onClose()
    },
  })
  return (
    <InlineEditor
      label={rule ? `Edit ${rule.name}` : 'New rule'}
      problem={form.problem}
      pending={form.pending}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        name="name"
        autoFocus
        maxLength={100}
        value={form.draft.name}
        problem={form.problemWith('name')}
        onChange={(name) => {
          form.change({ name })
        }}
      />
      <TextareaField
        label="Rule"
        name="content"
        rows={3}
        maxLength={8_000}
        value={form.draft.content}
        problem={form.problemWith('content')}
        onChange={(content) => {
          form.change({ content })
        }}
      />
    </InlineEditor>
  )
}
