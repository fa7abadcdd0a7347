import { lazy, Suspense } from 'react'
import { useSession } from '@/hooks/use-session'
import { words } from '@/words/en/layout'
import { navigationEntries } from './navigation-entries'
import { NavigationFold, NavigationLink } from './navigation-fold'

/** Pages are usable without it, and it waits for what the person may see. */
const DataNavigation = lazy(() => import('./data-navigation'))

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { profile } = useSession()
  return (
    <nav aria-label={words.main}>
      <ul className="grid gap-0.5">
        {navigationEntries(profile.is_admin).map((entry) => (
          <li key={entry === 'data' ? entry : entry.label} className="empty:hidden">
            {entry === 'data' ? (
              <Suspense>
                <DataNavigation onNavigate={onNavigate} />
              </Suspense>
            ) : 'pages' in entry ? (
              <NavigationFold group={entry} onNavigate={onNavigate} />
            ) : (
              <NavigationLink page={entry} onNavigate={onNavigate} />
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
