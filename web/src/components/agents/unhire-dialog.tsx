import { messageOf } from '@/api/errors'
import type { Agent } from '@/api/types'
import { useUnhireAgent } from '@/hooks/use-unhire-agent'
import { useWorkspace } from '@/hooks/use-workspace'
import { Alert } from '../ui/alert'
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
  const unhire = useUnhireAgent()
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
            pending={unhire.isPending}
            onClick={() => {
              unhire.mutate(agent, { onSuccess: onClose })
            }}
          >
            Unhire
          </Button>
        </>
      }
    >
      {unhire.isError && <Alert>{messageOf(unhire.error)}</Alert>}
    </Dialog>
  )
}
