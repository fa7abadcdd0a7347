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
import { words } from '@/words/en/collections'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
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
      title={words.rules}
      description={words.rulesDescription}
      what="rules"
      query={rules}
      items={isAdmin ? all : all.filter((rule) => isCatalog(rule) || rule.agent_ids.includes(agentId))}
      empty={words.rulesEmpty}
      add={isAdmin ? words.newRule : undefined}
      editor={(rule, onClose) => <RuleEditor {...{ agentId, rule, onClose }} />}
      row={(rule, actions) => (
        <CollectionRow
          {...actions}
          name={rule.name}
          title={
            <>
              <span dir="auto" className="wrap-anywhere">{rule.name}</span>
              {isCatalog(rule) && <Badge>{words.fromTheCatalog}</Badge>}
              {!rule.active && <Badge tone="dashed">{words.offForEveryone}</Badge>}
            </>
          }
          mayChange={isAdmin && !isCatalog(rule)}
          toggle={{
            label: say(words.followsName, { name: rule.name }),
            checked: isCatalog(rule) || rule.agent_ids.includes(agentId),
            disabled: change.isPending,
            onChange: (has) => {
              change.mutate({ id: rule.id, changes: { agent_ids: sharedWith(rule.agent_ids, agentId, has) } })
            },
          }}
          action={{
            label: rule.active ? words.turnOffForEveryone : words.turnOn,
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
        title: ({ name }) => say(words.deleteName, { name }),
        description: words.noAgentFollowsItAny,
        run: ({ id }) => deleteRule(id).then(refresh),
        done: words.theRuleIsDeleted,
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
      ...(name.trim() === '' && { name: common.nameIsMissing }),
      ...(content.trim() === '' && { content: words.theRuleIsMissing }),
    }),
    save: async (draft, base) => {
      await (rule ? changeRule(rule.id, changes(base, draft)) : createRule(workspace.id, { ...draft, agent_ids: [agentId] }))
      await refresh()
      notify(words.theRuleIsSaved)
      onClose()
    },
  })
  return (
    <InlineEditor
      label={rule ? say(words.editName, { name: rule.name }) : words.newRule}
      problem={form.problem}
      pending={form.pending}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <TextField
        label={common.name}
        {...form.field('name')}
        autoFocus
        maxLength={100}
      />
      <TextareaField
        label={words.rule}
        {...form.field('content')}
        rows={3}
        maxLength={8_000}
      />
    </InlineEditor>
  )
}
