import { SettingsSection } from '@/components/forms/settings-section'
import { useKnownTools } from '@/components/tools/use-known-tools'
import { SwitchField } from '@/components/ui/switch-field'
import { useHiredAgents } from '@/hooks/use-hired-agents'
import type { AgentDraft, AgentFormProps } from './agent-draft'
import { defaultAgentHint } from './default-agent-hint'
import { publicTools } from './public-tools'
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
export function AccessSection({ draft, change, problemWith, readOnly, agentId, isAdmin }: AccessSectionProps) {
  const known = useKnownTools()
  const { data: agents = [] } = useHiredAgents()
  const flags: Flag[] = [
    { field: 'is_restricted', label: 'Premium only', hint: 'People with a free profile, guests and visitors can’t use it.', admin: true },
    { field: 'is_default', label: 'Default agent', hint: defaultAgentHint(draft, agentId, agents), admin: true },
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
            name={field}
            label={label}
            hint={hint}
            checked={draft[field]}
            disabled={readOnly || (admin && !isAdmin)}
            problem={problemWith(field)}
            onChange={(checked) => {
              const changes: Partial<AgentDraft> = { [field]: checked }
              change(changes)
            }}
          />
        ))}
        <div className="border-t border-border pt-4">
          <h3 className="text-sm font-medium">Public tools</h3>
          <p className="mt-0.5 mb-2 text-sm text-muted">
            What it has at the workspace’s public address. Memory, knowledge and messages are never open there.
          </p>
          <ToolPicker
            name="public_tools"
            label="Public tools"
            options={publicTools(known.tools, agentId)}
            value={draft.public_tools}
            readOnly={readOnly || !isAdmin}
            problem={problemWith('public_tools')}
            onChange={(public_tools) => {
              change({ public_tools })
            }}
          />
        </div>
      </div>
    </SettingsSection>
  )
}
