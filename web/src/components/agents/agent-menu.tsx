import { Ellipsis, Settings, UserMinus } from 'lucide-react'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import type { Agent } from '@/api/types'
import { Button } from '@/components/ui/button'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'

interface AgentMenuProps {
  agent: Agent
  /** `opener` gets the focus back when what this opens is closed. */
  onUnhire: (opener: HTMLElement | null) => void
}

/** What can be done with a hired agent besides talking to it. */
export function AgentMenu({ agent, onUnhire }: AgentMenuProps) {
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
          aria-label={`More about ${agent.name}`}
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
        Settings
      </MenuItem>
      <MenuItem
        onSelect={() => {
          onUnhire(trigger.current)
        }}
      >
        <UserMinus aria-hidden className="size-4 text-muted" />
        Unhire…
      </MenuItem>
    </DropdownMenu>
  )
}
