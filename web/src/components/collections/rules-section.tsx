import { Eye, EyeOff } from 'lucide-react'
import type { Rule } from '@/api/types'
import { changes } from '@/components/forms/checks'
import { InlineEditor } from '@/components/forms/inline-editor'
import { useDraft } from '@/components/forms/use-form'
import { Badge } from '@/components/ui/badge'
import { TextareaField, TextField } from '@/components/ui/fields'
import { changeRule, createRule, deleteRule, useChangeRule, useRefreshRules, useRules } from '@/hooks/use-rules'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { CollectionRow, CollectionSection, sharedWith } from './collection-section'

interface RulesSectionProps {
  agentId: string
  /** Those that come with the catalog's agent: they are changed there. */
  catalogRules: readonly Rule[]
  isAdmin: boolean
}

/** The rules of the workspace, and which of them the agent follows. */
export function RulesSection({ agentId, catalogRules, isAdmin }: RulesSectionProps) {
  const rules = useRules()
  const refresh = useRefreshRules()
  const change = useChangeRule()
  const all = [...catalogRules, ...(rules.data ?? [])]
  const isCatalog = (rule: Rule) => rule.workspace_id === null
  return (
    <CollectionSection
      id="rules"
      title="Rules"
      description="Short instructions that several agents can share. They stand after the system prompt."
      what="rules"
      query={rules}
      items={isAdmin ? all : all.filter((rule) => isCatalog(rule) || rule.agent_ids.includes(agentId))}
      empty="No rules yet."
      add={isAdmin ? 'New rule' : undefined}
      editor={(rule, onClose) => <RuleEditor {...{ agentId, rule, onClose }} />}
      row={(rule, actions) => (
        <CollectionRow
          {...actions}
          name={rule.name}
          title={
            <>
              <span dir="auto" className="wrap-anywhere">{rule.name}</span>
              {isCatalog(rule) && <Badge>From the catalog</Badge>}
              {!rule.active && <Badge tone="dashed">Off for everyone</Badge>}
            </>
          }
          mayChange={isAdmin && !isCatalog(rule)}
          toggle={{
            label: `Follows “${rule.name}”`,
            checked: isCatalog(rule) || rule.agent_ids.includes(agentId),
            disabled: change.isPending,
            onChange: (has) => {
              change.mutate({ id: rule.id, changes: { agent_ids: sharedWith(rule.agent_ids, agentId, has) } })
            },
          }}
          action={{
            label: rule.active ? 'Turn off for everyone' : 'Turn on',
            icon: rule.active ? EyeOff : Eye,
            onSelect: () => {
              change.mutate({ id: rule.id, changes: { active: !rule.active } })
            },
          }}
        >
          <p dir="auto" className="mt-0.5 line-clamp-3 text-sm whitespace-pre-line text-muted wrap-anywhere">{rule.content}</p>
        </CollectionRow>
      )}
      deletion={{
        title: ({ name }) => `Delete “${name}”?`,
        description: 'No agent follows it any longer.',
        run: ({ id }) => deleteRule(id).then(refresh),
        done: 'The rule is deleted.',
      }}
    />
  )
}

interface RuleEditorProps {
  agentId: string
  /** Nothing for a new one, which this agent then follows. */
  rule: Rule | undefined
  onClose: () => void
}

function RuleEditor({ agentId, rule, onClose }: RuleEditorProps) {
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
        {...form.field('name')}
        autoFocus
        maxLength={100}
      />
      <TextareaField
        label="Rule"
        {...form.field('content')}
        rows={3}
        maxLength={8_000}
      />
    </InlineEditor>
  )
}
