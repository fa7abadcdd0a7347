import { Ellipsis, Settings, UserMinus } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Agent } from '@/api/types'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { useAgentNumbers } from '@/hooks/use-agent-stats'
import { useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/agents'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { AgentCard, MeetAgent } from './agent-card'
import { UnhireDialog } from './unhire-dialog'

interface Leaving {
  agent: Agent
  opener: HTMLElement | null
}

/** Agent cards, and the dialog that lets one go. */
export function AgentGrid({ agents }: { agents: readonly Agent[] }) {
  const numbersOf = useAgentNumbers()
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  return (
    <>
      <ul className={AGENT_GRID}>
        {agents.map((agent) => (
          <li key={agent.id} className="flex min-w-0">
            <AgentCard
              agent={agent}
              numbers={numbersOf(agent)}
              menu={
                agent.isHired &&
                agent.canChange && (
                  <AgentMenu
                    agent={agent}
                    onUnhire={(opener) => {
                      setLeaving({ agent, opener })
                    }}
                  />
                )
              }
              footer={agent.isHired ? <MeetAgent agent={agent} /> : <HireButton agent={agent} />}
            />
          </li>
        ))}
      </ul>
      {leaving !== null && (
        <UnhireDialog
          agent={leaving.agent}
          opener={leaving.opener}
          onClose={() => {
            setLeaving(null)
          }}
        />
      )}
    </>
  )
}

/** One column on phones, then as many cards of a fixed width as there is room for. */
const AGENT_GRID = 'grid grid-cols-1 gap-5 sm:grid-cols-[repeat(auto-fill,14rem)]'

export function AgentGridSkeleton() {
  return (
    <div aria-hidden className={AGENT_GRID}>
      {Array.from({ length: 8 }, (_, index) => (
        <Card key={index} className="p-5">
          <Skeleton className="size-14 rounded-xl" />
          <Skeleton className="mt-4 h-5 w-32" />
          <Skeleton className="mt-4 h-4 w-28" />
          <Skeleton className="mt-2 h-4 w-36" />
          <Skeleton className="mt-2 h-4 w-24" />
        </Card>
      ))}
    </div>
  )
}

interface AgentMenuProps {
  agent: Agent
  /** `opener` gets the focus back when what this opens is closed. */
  onUnhire: (opener: HTMLElement | null) => void
}

/** What can be done with a hired agent besides talking to it. */
function AgentMenu({ agent, onUnhire }: AgentMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [, navigate] = useLocation()
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button
          ref={trigger}
          variant="ghost"
          size="icon"
          className="-mt-2 -mr-2"
          aria-label={say(words.moreAboutName, { name: agent.name })}
        >
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuItem
        onSelect={() => {
          navigate(`/agents/${agent.localAgentId ?? agent.id}/settings`)
        }}
      >
        <Settings aria-hidden className="size-4 text-muted" />
        {common.settings}
      </MenuItem>
      <MenuItem
        onSelect={() => {
          onUnhire(trigger.current)
        }}
      >
        <UserMinus aria-hidden className="size-4 text-muted" />
        {words.unhire}
      </MenuItem>
    </DropdownMenu>
  )
}

/** Opens the hire dialog. */
function HireButton({ agent }: { agent: Agent }) {
  const { setSelectedAgentForHire, setShowHireAgent } = useAgents()
  return (
    <Button
      id={hireButtonId(agent.id)}
      aria-label={say(words.hireAgentName, { name: agent.name })}
      onClick={() => {
        setSelectedAgentForHire(agent)
        setShowHireAgent(true)
      }}
    >
      {words.hireAgent}
    </Button>
  )
}

/** Where the focus goes back to when the hire dialog is closed. */
export function hireButtonId(agentId: string): string {
  return `hire-${agentId}`
}

/** A workspace in which no agent works yet. */
export function NoneHired() {
  return (
    <EmptyState
      icon="✨"
      title={words.noAgentsHiredYet}
      action={
        <Link to="/agents/discover" className={buttonClass()}>
          {words.browseAgents}
        </Link>
      }
    >
      {words.discoverAndHireAIAgents}
    </EmptyState>
  )
}
