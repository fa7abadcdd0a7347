import { messageOf } from '@/api/errors'
import type { Agent } from '@/api/types'
import { useHireAgent } from '@/hooks/use-hire-agent'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { AgentAvatar } from './agent-avatar'

interface HireDialogProps {
  agent: Agent
  opener: HTMLElement | null
  onClose: () => void
}

export function HireDialog({ agent, opener, onClose }: HireDialogProps) {
  const hire = useHireAgent()
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      icon={<AgentAvatar agent={agent} size="md" />}
      title={`Hire ${agent.name}?`}
      description={agent.description ?? 'It joins this workspace, for everyone in it.'}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            pending={hire.isPending}
            onClick={() => {
              hire.mutate(agent, { onSuccess: onClose })
            }}
          >
            Hire Agent
          </Button>
        </>
      }
    >
      {agent.system_prompt !== '' && (
        <div className="rounded-lg bg-subtle p-4 text-sm">
          <p className="font-medium">This agent can help with:</p>
          <p className="mt-1.5 line-clamp-6 whitespace-pre-line text-muted wrap-anywhere">{agent.system_prompt}</p>
        </div>
      )}
      {hire.isError && <Alert>{messageOf(hire.error)}</Alert>}
    </Dialog>
  )
}
