import { Eye, EyeOff, Pencil, Trash2 } from 'lucide-react'
import type { Skill } from '@/api/types'
import { RowMenu } from '@/components/forms/row-menu'
import { Badge } from '@/components/ui/badge'
import { Switch } from '@/components/ui/switch'
import { useChangeSkill } from '@/hooks/use-skills'

interface SkillRowProps {
  skill: Skill
  agentId: string
  isAdmin: boolean
  onEdit: () => void
  onDelete: (opener: HTMLElement | null) => void
}

export function SkillRow({ skill, agentId, isAdmin, onEdit, onDelete }: SkillRowProps) {
  const change = useChangeSkill()
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          <span className="wrap-anywhere">{skill.display_name}</span>
          <span className="font-mono text-xs font-normal text-muted wrap-anywhere">{skill.name}</span>
          {skill.is_system && <Badge>From a pack</Badge>}
          {!skill.is_active && <Badge tone="dashed">Inactive</Badge>}
        </p>
        <p className="mt-0.5 line-clamp-2 text-sm text-muted wrap-anywhere">{skill.description}</p>
        <details className="mt-1 text-sm">
          <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">Read it</summary>
          <pre
            tabIndex={0}
            aria-label={`The text of ${skill.display_name}`}
            className="mt-1 max-h-72 overflow-auto rounded-lg bg-subtle p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
          >
            {skill.content}
          </pre>
        </details>
      </div>
      {isAdmin && (
        <div className="flex shrink-0 items-center gap-1">
          <Switch
            aria-label={`Has “${skill.display_name}”`}
            checked={skill.agent_ids.includes(agentId)}
            disabled={change.isPending}
            onChange={(event) => {
              const others = skill.agent_ids.filter((id) => id !== agentId)
              change.mutate({ id: skill.id, changes: { agent_ids: event.target.checked ? [...others, agentId] : others } })
            }}
          />
          <RowMenu
            name={skill.display_name}
            actions={[
              { label: 'Edit', icon: Pencil, onSelect: onEdit },
              {
                label: skill.is_active ? 'Deactivate' : 'Activate',
                icon: skill.is_active ? EyeOff : Eye,
                onSelect: () => {
                  change.mutate({ id: skill.id, changes: { is_active: !skill.is_active } })
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
