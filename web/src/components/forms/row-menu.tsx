import { Ellipsis, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { Button } from '@/components/ui/button'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/forms'
import { say } from '@/words/say'

interface RowAction {
  label: string
  icon: LucideIcon
  /** `opener` gets the focus back when what this opens is closed. */
  onSelect: (opener: HTMLElement | null) => void
}

/** What can be done with one item of a list. */
export function RowMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button ref={trigger} variant="ghost" size="icon" aria-label={say(words.moreAboutName, { name })}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      {actions.map(({ label, icon: Icon, onSelect }) => (
        <MenuItem
          key={label}
          onSelect={() => {
            onSelect(trigger.current)
          }}
        >
          <Icon aria-hidden className="size-4 text-muted" />
          {label}
        </MenuItem>
      ))}
    </DropdownMenu>
  )
}

interface ItemMenuProps {
  name: string
  /** Where it is changed. */
  path: string
  onDelete: (opener: HTMLElement | null) => void
}

/** What can be done with a tool or team that people made. */
export function ItemMenu({ name, path, onDelete }: ItemMenuProps) {
  const [, navigate] = useLocation()
  return (
    <RowMenu
      name={name}
      actions={[
        {
          label: words.edit,
          icon: Pencil,
          onSelect: () => {
            navigate(path)
          },
        },
        { label: common.deleteMore, icon: Trash2, onSelect: onDelete },
      ]}
    />
  )
}
