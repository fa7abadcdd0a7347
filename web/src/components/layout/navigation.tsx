import { clsx } from 'clsx'
import { Bot, Compass, type LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'

interface NavigationEntry {
  label: string
  path: string
  icon: LucideIcon
}

const ENTRIES: readonly NavigationEntry[] = [
  { label: 'Discover', path: '/agents/discover', icon: Compass },
  { label: 'My Agents', path: '/agents/hired', icon: Bot },
]

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const [location] = useLocation()
  return (
    <nav aria-label="Main">
      <ul className="grid gap-0.5">
        {ENTRIES.map(({ label, path, icon: Icon }) => {
          const current = location === path
          return (
            <li key={path}>
              <Link
                to={path}
                onClick={onNavigate}
                aria-current={current ? 'page' : undefined}
                className={clsx(
                  'flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm font-medium transition-colors pointer-coarse:h-11',
                  current ? 'bg-subtle text-foreground' : 'text-muted hover:bg-subtle hover:text-foreground',
                )}
              >
                <Icon aria-hidden className={clsx('size-4.5 shrink-0', current && 'text-brand')} />
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
