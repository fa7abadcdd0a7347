import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { MenuLabel, MenuRadioGroup, MenuRadioItem } from '@/components/ui/dropdown-menu'
import { useStored } from '@/hooks/use-stored'
import { type Theme, THEME_KEY, toTheme } from '@/lib/theme'

const THEMES: readonly { theme: Theme; label: string; icon: LucideIcon }[] = [
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
  { theme: 'system', label: 'System', icon: Monitor },
]

/** The choice of theme, as a part of a menu. The menu stays open: people try more than one. */
export function ThemeItems() {
  const [stored, choose] = useStored(THEME_KEY)
  return (
    <>
      <MenuLabel>Theme</MenuLabel>
      <MenuRadioGroup value={toTheme(stored)} onValueChange={choose}>
        {THEMES.map(({ theme, label, icon: Icon }) => (
          <MenuRadioItem
            key={theme}
            value={theme}
            onSelect={(event) => {
              event.preventDefault()
            }}
          >
            <Icon aria-hidden className="size-4 text-muted" />
            {label}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </>
  )
}
