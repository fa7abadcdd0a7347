import type { Agent } from '@/api/types'
import { SettingsSection } from '@/components/forms/section'
import { type KnownTool, useKnownTools } from '@/components/tools/known-tools'
import { SwitchField } from '@/components/ui/fields'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { useTiers } from '@/hooks/use-tiers'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
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
  const hasTiers = useTiers() || form.draft.is_restricted
  const flags: Flag[] = [
    ...(hasTiers ? [{ field: 'is_restricted', label: common.premiumOnly, hint: words.premiumOnlyHint, admin: true } as const] : []),
    { field: 'is_default', label: common.defaultAgent, hint: defaultAgentHint(form.draft, agentId, agents), admin: true },
    { field: 'is_free', label: words.shownAsFree, hint: words.shownAsFreeHint, admin: false },
  ]
  return (
    <SettingsSection
      id="access"
      title={common.access}
      description={isAdmin || readOnly ? words.whoCanUseItAnd : words.onlyAdminsAndOwnersCan}
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
          <h3 className="text-sm font-medium">{words.publicTools}</h3>
          <p className="mt-0.5 mb-2 text-sm text-muted">
            {words.whatItHasAtThe}
          </p>
          <ToolPicker
            {...form.field('public_tools')}
            label={words.publicTools}
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
  if (now === undefined) return meaning(draft)
  const place = now.localAgentId === agentId ? words.turningItOffLeavesThe : say(words.nameIsTheDefaultNow, { name: now.name })
  return `${meaning(draft)} ${place}`
}

function meaning({ is_restricted, role }: Pick<AgentDraft, 'is_restricted' | 'role'>): string {
  if (is_restricted) return words.itAnswersUnlessAnotherIs
  if (role.trim() === 'support') return words.itAnswersUnlessAnotherIsChosen
  return words.itAnswersUnlessAnotherIsChosenAnd
}

const PLAIN = { kind: 'built-in', available: true } as const

/** What Baton lets strangers have besides handoffs. */
const openTools = (): KnownTool[] => [
  { ...PLAIN, id: 'getCurrentTime', ids: ['getCurrentTime'], name: words.clock, icon: null, description: words.tellTheDateAndTime },
  {
    ...PLAIN,
    id: 'update_context',
    ids: ['update_context'],
    name: words.notes,
    icon: null,
    description: words.noteFactsWithinATeams,
  },
  {
    ...PLAIN,
    id: 'switch_agent',
    ids: ['switch_agent'],
    name: words.switchAgent,
    icon: 'ArrowRightLeft',
    description: words.handOffToAnotherAgent,
  },
]

/** The tools that an agent can have at the workspace's public address. */
function publicTools(known: readonly KnownTool[], agentId: string): KnownTool[] {
  return [...openTools(), ...known.filter(({ kind, targetId }) => kind === 'handoff' && targetId !== agentId)]
}
