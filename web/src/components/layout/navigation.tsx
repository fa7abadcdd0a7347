import { useSession } from '@/hooks/use-session'
import { navigationEntries } from './navigation-entries'
import { NavigationFold } from './navigation-fold'
import { NavigationLink } from './navigation-link'

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { profile } = useSession()
  return (
    <nav aria-label="Main">
      <ul className="grid gap-0.5">
        {navigationEntries(profile.is_admin).map((entry) => (
          <li key={entry.label}>
            {'pages' in entry ? (
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
