// Light, dark, or as the system says. public/theme.js does the same once, before the first paint.
import { readStored, subscribeStored } from './storage'

export const THEME_KEY = 'baton.theme'

export type Theme = 'light' | 'dark' | 'system'

export function toTheme(value: string | null): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Keeps the class on <html> in step with the choice and the system, for as long as the app runs. */
export function followTheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const theme = toTheme(readStored(THEME_KEY))
    const dark = theme === 'dark' || (theme === 'system' && system.matches)
    document.documentElement.classList.toggle('dark', dark)
  }
  apply()
  subscribeStored(apply)
  system.addEventListener('change', apply)
}
