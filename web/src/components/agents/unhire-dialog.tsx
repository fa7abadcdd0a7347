import type { Agent } from '@/api/types'
import { useWorkspace } from '@/hooks/use-workspace'
import { useAgents } from '@/providers/agents-provider'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { AgentAvatar } from './agent-avatar'

interface UnhireDialogProps {
  agent: Agent
  opener: HTMLElement | null
  onClose: () => void
}

export function UnhireDialog({ agent, opener, onClose }: UnhireDialogProps) {
  const workspace = useWorkspace()
  const { unhireAgent } = useAgents()
  return (
    <Dialog
      role="alertdialog"
      opener={opener}
      onClose={onClose}
      icon={<AgentAvatar agent={agent} size="md" />}
      title={`Unhire ${agent.name}?`}
      description={`It leaves ${workspace.name} for everyone. Hiring it again brings it back as it was.`}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              onClose()
              if (agent.localAgentId !== null) void unhireAgent(agent.localAgentId)
            }}
          >
            Unhire
          </Button>
        </>
      }
    />
  )
}
