import { ChevronsUpDown, Keyboard, LogOut } from 'lucide-react'
import { useRef } from 'react'
import { useShortcutsDialog } from '@/components/keyboard/use-shortcuts-dialog'
import { Avatar } from '@/components/ui/avatar'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/dropdown-menu'
import { useSession } from '@/hooks/use-session'
import { useSignOut } from '@/hooks/use-sign-out'
import { ThemeItems } from './theme-items'

/** Who is signed in, how the app looks to them, and the way out. */
export function PersonMenu() {
  const { profile } = useSession()
  const signOut = useSignOut()
  const trigger = useRef<HTMLButtonElement>(null)
  const shortcuts = useShortcutsDialog()
  return (
    <>
      <DropdownMenu
        side="top"
        className="w-56"
        trigger={
          <button
            ref={trigger}
            type="button"
            className="flex w-full items-center gap-2.5 rounded-lg p-2 text-left hover:bg-subtle"
          >
            <Avatar name={profile.name} />
            <span className="sr-only">Account: </span>
            <span className="grid min-w-0 grow text-sm leading-5">
              <span className="truncate font-medium">{profile.name}</span>
              <span className="truncate text-xs leading-4 text-muted">{profile.email}</span>
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
          </button>
        }
      >
        <ThemeItems />
        <MenuSeparator />
        <MenuItem onSelect={() => void shortcuts.open(trigger.current)}>
          <Keyboard aria-hidden className="size-4 text-muted" />
          Keyboard shortcuts
        </MenuItem>
        <MenuItem
          disabled={signOut.isPending}
          onSelect={() => {
            signOut.mutate()
          }}
        >
          <LogOut aria-hidden className="size-4 text-muted" />
          Sign out
        </MenuItem>
      </DropdownMenu>
      {shortcuts.dialog}
    </>
  )
}
