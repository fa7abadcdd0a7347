import { Plus } from 'lucide-react'
import { useState } from 'react'
import { deleteRule } from '@/api/rules'
import type { Rule } from '@/api/types'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useRefreshRules, useRules } from '@/hooks/use-rules'
import { notify } from '@/lib/toasts'
import { RuleEditor } from './rule-editor'
import { RuleRow } from './rule-row'

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
  const [editing, setEditing] = useState<Rule | 'new' | null>(null)
  const [deleting, setDeleting] = useState<{ rule: Rule; opener: HTMLElement | null } | null>(null)
  const all = [...catalogRules, ...(rules.data ?? [])]
  const shown = isAdmin ? all : all.filter((rule) => rule.workspace_id === null || rule.agent_ids.includes(agentId))
  const editedId = editing === 'new' ? 'new' : editing?.id
  const close = () => {
    setEditing(null)
  }
  return (
    <SettingsSection
      id="rules"
      title="Rules"
      description="Short instructions that several agents can share. They stand after the system prompt."
      actions={
        isAdmin && editing === null ? (
          <Button
            variant="secondary"
            onClick={() => {
              setEditing('new')
            }}
          >
            <Plus aria-hidden className="size-4" />
            New rule
          </Button>
        ) : undefined
      }
    >
      {editing !== null && (
        <RuleEditor key={editedId} agentId={agentId} rule={editing === 'new' ? undefined : editing} onClose={close} />
      )}
      <SectionList query={rules} what="rules" isEmpty={shown.length === 0 && editing === null} empty="No rules yet.">
        {shown.filter(({ id }) => id !== editedId).map((rule) => (
          <li key={rule.id} className="py-3 first:pt-0 last:pb-0">
            <RuleRow
              rule={rule}
              agentId={agentId}
              isAdmin={isAdmin}
              onEdit={() => {
                setEditing(rule)
              }}
              onDelete={(opener) => {
                setDeleting({ rule, opener })
              }}
            />
          </li>
        ))}
      </SectionList>
      {deleting && (
        <ConfirmDialog
          title={`Delete “${deleting.rule.name}”?`}
          description="No agent follows it any longer."
          opener={deleting.opener}
          onClose={() => {
            setDeleting(null)
          }}
          onConfirm={async () => {
            await deleteRule(deleting.rule.id)
            await refresh()
            notify('The rule is deleted.')
          }}
        />
      )}
    </SettingsSection>
  )
}
