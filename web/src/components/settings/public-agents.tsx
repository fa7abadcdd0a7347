import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { useHiredAgents } from '@/hooks/use-hired-agents'
import { publicAccess } from './public-access'
import { PublicAgentRow } from './public-agent-row'

/** Whom people at the public address can talk to, and what those can do there. */
export function PublicAgents() {
  const agents = useHiredAgents()
  const order = ['visitors', 'guests', 'premium']
  const sorted = [...(agents.data ?? [])].sort((a, b) => order.indexOf(publicAccess(a)) - order.indexOf(publicAccess(b)))
  return (
    <SettingsSection
      title="Who answers there"
      description="Visitors reach the default agent and those whose role is “support”. People who sign in reach all but premium-only agents. An agent has only its public tools there, never memory, knowledge or messages; which they are is said under Access."
    >
      <SectionList query={agents} what="agents" isEmpty={sorted.length === 0} empty="No agents are hired yet.">
        {sorted.map((agent) => (
          <PublicAgentRow key={agent.id} agent={agent} />
        ))}
      </SectionList>
    </SettingsSection>
  )
}
