import { Eye, EyeOff, Pencil, Trash2 } from 'lucide-react'
import type { Rule } from '@/api/types'
import { RowMenu } from '@/components/forms/row-menu'
import { Badge } from '@/components/ui/badge'
import { Switch } from '@/components/ui/switch'
import { useChangeRule } from '@/hooks/use-rules'

interface RuleRowProps {
  rule: Rule
  agentId: string
  isAdmin: boolean
  onEdit: () => void
  onDelete: (opener: HTMLElement | null) => void
}

export function RuleRow({ rule, agentId, isAdmin, onEdit, onDelete }: RuleRowProps) {
  const change = useChangeRule()
  const isCatalog = rule.workspace_id === null
  const follows = isCatalog || rule.agent_ids.includes(agentId)
  const mayChange = isAdmin && !isCatalog
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          <span className="wrap-anywhere">{rule.name}</span>
          {isCatalog && <Badge>From the catalog</Badge>}
          {!rule.active && <Badge tone="dashed">Off for everyone</Badge>}
        </p>
        <p className="mt-0.5 line-clamp-3 text-sm whitespace-pre-line text-muted wrap-anywhere">{rule.content}</p>
      </div>
      {mayChange && (
        <div className="flex shrink-0 items-center gap-1">
          <Switch
            aria-label={`Follows “${rule.name}”`}
            checked={follows}
            disabled={change.isPending}
            onChange={(event) => {
              const others = rule.agent_ids.filter((id) => id !== agentId)
              change.mutate({ id: rule.id, changes: { agent_ids: event.target.checked ? [...others, agentId] : others } })
            }}
          />
          <RowMenu
            name={rule.name}
            actions={[
              { label: 'Edit', icon: Pencil, onSelect: onEdit },
              {
                label: rule.active ? 'Turn off for everyone' : 'Turn on',
                icon: rule.active ? EyeOff : Eye,
                onSelect: () => {
                  change.mutate({ id: rule.id, changes: { active: !rule.active } })
                },
              },
              { label: 'Delete…', icon: Trash2, onSelect: onDelete },
            ]}
          />
        </div>
      )}
    </div>
  )
}
