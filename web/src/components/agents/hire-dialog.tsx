import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { AIAgent } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useAgents } from '@/providers/agents-provider'
import { AgentAvatar } from './agent-avatar'
import { hireButtonId } from './hire-button-id'
import { HireFacts } from './hire-facts'

/** Asks whether to hire the selected agent, and then goes straight to the chat with it. */
export function HireDialog() {
  const { showHireAgent, selectedAgentForHire } = useAgents()
  if (!showHireAgent || selectedAgentForHire === null) return null
  return <HireQuestion agent={selectedAgentForHire} />
}

function HireQuestion({ agent }: { agent: AIAgent }) {
  const { hireAgent, setShowHireAgent } = useAgents()
  const [hiring, setHiring] = useState(false)
  const isOpen = useIsMounted()
  const [, navigate] = useLocation()

  const hire = async () => {
    setHiring(true)
    const hired = await hireAgent(agent.id)
    // Whoever closed the dialog in the meantime has moved on to something else.
    if (!isOpen()) return
    setShowHireAgent(false)
    if (hired !== null) navigate(`/agents/${hired.id}`)
  }
  const close = () => {
    setShowHireAgent(false)
  }
  return (
    <Dialog
      opener={document.getElementById(hireButtonId(agent.id))}
      onClose={close}
      icon={<AgentAvatar agent={agent} size="md" />}
      title={`Hire ${agent.name}?`}
      description={agent.description ?? 'It joins this workspace, for everyone in it.'}
      actions={
        <>
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button pending={hiring} onClick={() => void hire()}>
            Hire Agent
          </Button>
        </>
      }
    >
      <HireFacts agent={agent} />
    </Dialog>
  )
}

function useIsMounted(): () => boolean {
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return () => mounted.current
}
