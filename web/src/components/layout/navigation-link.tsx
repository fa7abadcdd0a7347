import { clsx } from 'clsx'
import { Link, useLocation } from 'wouter'
import { navigationClass } from './navigation-class'
import { standingAt, type NavigationPage } from './navigation-entries'
import { PendingBadge } from './pending-badge'

interface NavigationLinkProps {
  page: NavigationPage
  nested?: boolean
  onNavigate?: () => void
}

export function NavigationLink({ page, nested = false, onNavigate }: NavigationLinkProps) {
  const { label, path, icon: Icon, counts } = page
  const [location] = useLocation()
  const standing = standingAt(path, location)
  return (
    <Link
      to={path}
      onClick={onNavigate}
      aria-current={standing}
      className={navigationClass(standing !== undefined, nested ? 'pl-9.5' : undefined)}
    >
      {!nested && <Icon aria-hidden className={clsx('size-4.5 shrink-0', standing && 'text-brand')} />}
      <span className="grow">{label}</span>
      {counts === 'pending' && <PendingBadge />}
    </Link>
  )
}
