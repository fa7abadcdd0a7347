import type { Agent } from '@/api/types'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useWorkspace } from '@/hooks/use-workspace'
import { useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/agents'
import { say } from '@/words/say'
import { AgentAvatar } from './agent-avatar'

interface UnhireDialogProps {
  agent: Pick<Agent, 'name' | 'slug' | 'avatar_url' | 'localAgentId'>
  opener: HTMLElement | null
  onClose: () => void
  onConfirmed?: () => void
}

export function UnhireDialog({ agent, opener, onClose, onConfirmed }: UnhireDialogProps) {
  const workspace = useWorkspace()
  const { unhireAgent } = useAgents()
  return (
    <ConfirmDialog
      opener={opener}
      onClose={onClose}
      icon={<AgentAvatar agent={agent} size="md" />}
      title={say(words.unhireName, { name: agent.name })}
      description={say(words.itLeavesNameForEveryone, { name: workspace.name })}
      action={words.unhireButton}
      onConfirm={() => {
        // Seen at once, and taken back if the server refuses: there is nothing to wait for.
        if (agent.localAgentId !== null) void unhireAgent(agent.localAgentId)
        onConfirmed?.()
      }}
    />
  )
}
