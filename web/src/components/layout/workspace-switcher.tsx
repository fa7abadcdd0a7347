import { ChevronsUpDown } from 'lucide-react'
import { useSession } from '@/hooks/use-session'
import { useChooseWorkspace, useWorkspace } from '@/hooks/use-workspace'
import { DropdownMenu, MenuLabel, MenuRadioGroup, MenuRadioItem } from '../ui/dropdown-menu'

/** Names the workspace; a menu only for people who have more than one. */
export function WorkspaceSwitcher() {
  const { workspaces } = useSession()
  const workspace = useWorkspace()
  const choose = useChooseWorkspace()

  if (workspaces.length === 1) {
    return (
      <p className="truncate px-2.5 text-sm leading-9 text-muted" title={workspace.name}>
        {workspace.name}
      </p>
    )
  }
  return (
    <DropdownMenu
      className="w-56"
      trigger={
        <button
          type="button"
          aria-label={`Workspace: ${workspace.name}`}
          className="flex h-9 w-full items-center gap-2 rounded-lg border border-border bg-surface px-2.5 text-sm shadow-lift hover:bg-subtle pointer-coarse:h-11"
        >
          <span className="min-w-0 grow truncate text-left">{workspace.name}</span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <MenuLabel>Workspaces</MenuLabel>
      <MenuRadioGroup value={workspace.id} onValueChange={choose}>
        {workspaces.map(({ id, name }) => (
          <MenuRadioItem key={id} value={id}>
            <span className="truncate">{name}</span>
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </DropdownMenu>
  )
}
