import type { Agent } from '@/api/types'
import { SettingsSection } from '@/components/forms/section'
import { type KnownTool, useKnownTools } from '@/components/tools/known-tools'
import { SwitchField } from '@/components/ui/fields'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import type { AgentDraft, AgentFormProps } from './agent-draft'
import { ToolPicker } from './tool-picker'

interface Flag {
  field: 'is_restricted' | 'is_free' | 'is_default'
  label: string
  hint: string
  admin: boolean
}

interface AccessSectionProps extends AgentFormProps {
  agentId: string
  isAdmin: boolean
}

/** Who can use the agent, and what it can do for strangers. */
export function AccessSection({ form, readOnly, agentId, isAdmin }: AccessSectionProps) {
  const known = useKnownTools()
  const { data: agents = [] } = useHiredAgents()
  const flags: Flag[] = [
    { field: 'is_restricted', label: 'Premium only', hint: 'People with a free profile, guests and visitors can’t use it.', admin: true },
    { field: 'is_default', label: 'Default agent', hint: defaultAgentHint(form.draft, agentId, agents), admin: true },
    { field: 'is_free', label: 'Shown as free', hint: 'A label in the catalog; it opens and closes nothing.', admin: false },
  ]
  return (
    <SettingsSection
      id="access"
      title="Access"
      description={isAdmin || readOnly ? 'Who can use it, and what it can do for strangers.' : 'Only admins and owners can change most of this.'}
    >
      <div className="grid gap-4">
        {flags.map(({ field, label, hint, admin }) => (
          <SwitchField
            key={field}
            {...form.toggle(field)}
            label={label}
            hint={hint}
            disabled={readOnly || (admin && !isAdmin)}
          />
        ))}
        <div className="border-t border-border pt-4">
          <h3 className="text-sm font-medium">Public tools</h3>
          <p className="mt-0.5 mb-2 text-sm text-muted">
            What it has at the workspace’s public address. Memory, knowledge and messages are never open there.
          </p>
          <ToolPicker
            {...form.field('public_tools')}
            label="Public tools"
            options={publicTools(known.tools, agentId)}
            readOnly={readOnly || !isAdmin}
          />
        </div>
      </div>
    </SettingsSection>
  )
}

/** What being the default agent means, and whose place it takes: a workspace has one at most. */
export function defaultAgentHint(draft: Pick<AgentDraft, 'is_restricted' | 'role'>, agentId: string, agents: readonly Agent[]): string {
  const now = agents.find(({ isHired, is_default }) => isHired && is_default)
  const place =
    now === undefined ? '' : now.localAgentId === agentId ? ' Turning it off leaves the workspace without one.' : ` ${now.name} is the default now; this replaces it.`
  return meaning(draft) + place
}

function meaning({ is_restricted, role }: Pick<AgentDraft, 'is_restricted' | 'role'>): string {
  if (is_restricted) return 'It answers unless another is chosen. Visitors don’t reach it, as it is premium only.'
  if (role.trim() === 'support') return 'It answers unless another is chosen. Visitors reach it anyway, as its role is “support”.'
  return 'It answers unless another is chosen, and visitors reach it at the public address.'
}

const PLAIN = { kind: 'built-in', available: true } as const

/** What Baton lets strangers have besides handoffs. */
const OPEN_TOOLS: KnownTool[] = [
  { ...PLAIN, id: 'getCurrentTime', ids: ['getCurrentTime'], name: 'Clock', icon: null, description: 'Tell the date and time' },
  {
    ...PLAIN,
    id: 'update_context',
    ids: ['update_context'],
    name: 'Notes',
    icon: null,
    description: 'Note facts within a team’s conversation',
  },
  {
    ...PLAIN,
    id: 'switch_agent',
    ids: ['switch_agent'],
    name: 'Switch agent',
    icon: 'ArrowRightLeft',
    description: 'Hand over to another agent that visitors can reach',
  },
]

/** The tools that an agent can have at the workspace's public address. */
function publicTools(known: readonly KnownTool[], agentId: string): KnownTool[] {
  return [...OPEN_TOOLS, ...known.filter(({ kind, targetId }) => kind === 'handoff' && targetId !== agentId)]
}
