import { ChevronsUpDown, Plus } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { DropdownMenu, MenuItem, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuSeparator } from '@/components/ui/dropdown-menu'
import { useSession } from '@/hooks/use-session'
import { useEnterWorkspace, useWorkspace, useWorkspaceOfNewTabs } from '@/hooks/use-workspace'
import { words } from '@/words/en/layout'
import { say } from '@/words/say'

const NewWorkspaceDialog = lazy(() => import('../settings/new-workspace-dialog'))

/** Names the workspace, and leads to others. */
export function WorkspaceSwitcher() {
  const { workspaces, may_make_workspaces } = useSession()
  const workspace = useWorkspace()
  const enter = useEnterWorkspace()
  useWorkspaceOfNewTabs(workspace.id)
  const trigger = useRef<HTMLButtonElement>(null)
  const [creating, setCreating] = useState<{ opener: HTMLElement | null } | null>(null)
  return (
    <>
      <DropdownMenu
        className="w-56"
        trigger={
          <button
            ref={trigger}
            type="button"
            aria-label={say(words.currentWorkspace, { name: workspace.name })}
            className="flex h-9 w-full items-center gap-2 rounded-lg border border-border bg-surface px-2.5 text-sm shadow-lift hover:bg-subtle pointer-coarse:h-11"
          >
            <span dir="auto" className="min-w-0 grow truncate text-left">{workspace.name}</span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
          </button>
        }
      >
        <MenuLabel>{words.workspaces}</MenuLabel>
        <MenuRadioGroup value={workspace.id} onValueChange={enter}>
          {workspaces.map(({ id, name }) => (
            <MenuRadioItem key={id} value={id}>
              <span dir="auto" className="truncate">{name}</span>
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        {may_make_workspaces && <MenuSeparator />}
        {may_make_workspaces && (
          <MenuItem
            onSelect={() => {
              setCreating({ opener: trigger.current })
            }}
          >
            <Plus aria-hidden className="size-4 text-muted" />
            {words.createAWorkspace}
          </MenuItem>
        )}
      </DropdownMenu>
      {creating !== null && (
        <Suspense>
          <NewWorkspaceDialog
            opener={creating.opener}
            onClose={() => {
              setCreating(null)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
