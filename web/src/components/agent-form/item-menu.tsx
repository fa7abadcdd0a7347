import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../ui/button'
import { DropdownMenu, MenuItem } from '../ui/dropdown-menu'

interface ItemMenuProps {
  name: string
  /** Where it is changed. */
  path: string
  onDelete: (opener: HTMLElement | null) => void
}

/** What can be done with a tool or team that people made. */
export function ItemMenu({ name, path, onDelete }: ItemMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [, navigate] = useLocation()
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button ref={trigger} variant="ghost" size="icon" aria-label={`More about ${name}`}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuItem
        onSelect={() => {
          navigate(path)
        }}
      >
        <Pencil aria-hidden className="size-4 text-muted" />
        Edit
      </MenuItem>
      <MenuItem
        onSelect={() => {
          onDelete(trigger.current)
        }}
      >
        <Trash2 aria-hidden className="size-4 text-muted" />
        Delete…
      </MenuItem>
    </DropdownMenu>
  )
}
