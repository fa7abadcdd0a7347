import { Ellipsis, UserMinus } from 'lucide-react'
import { useRef } from 'react'
import type { Agent } from '@/api/types'
import { Button } from '../ui/button'
import { DropdownMenu, MenuItem } from '../ui/dropdown-menu'

interface AgentMenuProps {
  agent: Agent
  /** `opener` gets the focus back when what this opens is closed. */
  onUnhire: (opener: HTMLElement | null) => void
}

/** What can be done with a hired agent besides talking to it. */
export function AgentMenu({ agent, onUnhire }: AgentMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null)
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
          onUnhire(trigger.current)
        }}
      >
        <UserMinus aria-hidden className="size-4 text-muted" />
        Unhire…
      </MenuItem>
    </DropdownMenu>
  )
}
