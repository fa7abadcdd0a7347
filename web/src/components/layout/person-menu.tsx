import { ChevronsUpDown, Keyboard, LogOut, type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { useRef } from 'react'
import { useShortcutsDialog } from '@/components/keyboard/help-key'
import { Avatar } from '@/components/ui/avatar'
import { DropdownMenu, MenuItem, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuSeparator } from '@/components/ui/dropdown-menu'
import { useStored } from '@/hooks/use-browser'
import { useSession, useSignOut } from '@/hooks/use-session'
import { type Theme, THEME_KEY, toTheme } from '@/lib/theme'
import { words } from '@/words/en/layout'

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
            <span className="sr-only">{words.account} </span>
            <span className="grid min-w-0 grow text-sm leading-5">
              <span dir="auto" className="truncate font-medium">{profile.name}</span>
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
          {words.keyboardShortcuts}
        </MenuItem>
        <MenuItem
          disabled={signOut.isPending}
          onSelect={() => {
            signOut.mutate()
          }}
        >
          <LogOut aria-hidden className="size-4 text-muted" />
          {words.signOut}
        </MenuItem>
      </DropdownMenu>
      {shortcuts.dialog}
    </>
  )
}

const THEMES: readonly { theme: Theme; icon: LucideIcon }[] = [
  { theme: 'light', icon: Sun },
  { theme: 'dark', icon: Moon },
  { theme: 'system', icon: Monitor },
]

/** The choice of theme, as a part of a menu. The menu stays open: people try more than one. */
function ThemeItems() {
  const [stored, choose] = useStored(THEME_KEY)
  return (
    <>
      <MenuLabel>{words.theme}</MenuLabel>
      <MenuRadioGroup value={toTheme(stored)} onValueChange={choose}>
        {THEMES.map(({ theme, icon: Icon }) => (
          <MenuRadioItem
            key={theme}
            value={theme}
            onSelect={(event) => {
              event.preventDefault()
            }}
          >
            <Icon aria-hidden className="size-4 text-muted" />
            {words.themes[theme]}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </>
  )
}
