import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Agent } from '@/api/types'
import { modelMeaning, modelPrices } from './model-options'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { useAgentDetail } from '@/hooks/use-agent-detail'
import { useModels } from '@/hooks/use-server'
import { sentenceCase } from '@/lib/text'
import { type AgentForHire, useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/agents'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { AgentAvatar } from './agent-avatar'
import { hireButtonId } from './agent-grid'
import { AgentTools } from './agent-tools'

/** Asks whether to hire the selected agent, and then goes straight to the chat with it. */
export function HireDialog() {
  const { showHireAgent, selectedAgentForHire } = useAgents()
  if (!showHireAgent || selectedAgentForHire === null) return null
  return <HireQuestion agent={selectedAgentForHire} />
}

function HireQuestion({ agent }: { agent: AgentForHire }) {
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
      title={say(words.hireName, { name: agent.name })}
      description={agent.description ?? words.itJoinsThisWorkspaceFor}
      actions={
        <>
          <Button variant="secondary" onClick={close}>
            {common.cancel}
          </Button>
          <Button pending={hiring} onClick={() => void hire()}>
            {words.hireAgent}
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

/** What a person wants to know before they hire an agent. */
function HireFacts({ agent }: { agent: AgentForHire }) {
  const { data: models } = useModels()
  const { data: whole, isPending } = useAgentDetail(agent.id)
  const prompt = whole?.agent.system_prompt ?? ''
  const alias = models?.aliases.find((one) => one.alias === agent.model)
  return (
    <div className="grid gap-3 rounded-lg border border-border p-4 text-sm">
      <div>
        <p className="font-medium">{words.thisAgentCanHelpWith}</p>
        {isPending ? (
          <Skeleton className="mt-1 h-5" />
        ) : (
          <p className="mt-1 line-clamp-3 whitespace-pre-line text-muted wrap-anywhere">
            {prompt || (agent.role === null ? words.questionsOfAllKinds : sentenceCase(agent.role))}
          </p>
        )}
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
        {agent.department !== null && <Fact label={words.department}>{agent.department.name}</Fact>}
        <Fact label={common.tools}>
          {agent.toolDetails.length === 0 ? words.noneItOnlyTalks : <AgentTools tools={agent.toolDetails} most={8} />}
        </Fact>
        <Fact label={common.model}>
          {agent.model}
          {alias && ` (${modelMeaning(alias)})`}
        </Fact>
        {alias && (
          <Fact label={common.cost}>
            {(alias.inputPrice ?? 0) > 0 ? say(words.priceForAMillionTokens, { price: modelPrices(alias) }) : modelPrices(alias)}
          </Fact>
        )}
      </dl>
      {prompt !== '' && (
        <details>
          <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">{words.allInstructions}</summary>
          <p
            role="region"
            aria-label={words.allInstructions}
            tabIndex={0}
            className="mt-1 max-h-48 overflow-y-auto rounded-sm whitespace-pre-line text-muted wrap-anywhere"
          >
            {prompt}
          </p>
        </details>
      )}
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

/** How many agents there are, and how many of them can be hired yet, as far as they are loaded. */
export function hireSummary(agents: readonly Agent[], total: number): string {
  if (agents.length < total) return say(words.countAgentsHiredOnesIncluded, { count: total })
  const hired = agents.filter(({ isHired }) => isHired).length
  if (hired === 0) return say(words.countAgentsForHire, { count: total })
  if (hired === total) return say(words.countAgentsAllHired, { count: total })
  return say(words.countAgentsForHireHired, { count: total - hired, hired: hired.toLocaleString() })
}
