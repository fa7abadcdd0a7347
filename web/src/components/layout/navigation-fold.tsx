// The entries of the navigation: links, and headings that fold them.
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/layout'
import { type NavigationGroup, type NavigationPage, ariaCurrentAt } from './navigation-entries'

const MentionsBadge = lazy(() => import('./mentions-badge'))

interface NavigationFoldProps {
  group: NavigationGroup
  onNavigate?: () => void
}

/** Pages under a heading. Folded, the heading counts for them. */
export function NavigationFold({ group, onNavigate }: NavigationFoldProps) {
  const { label, icon: Icon, pages } = group
  const [open, setOpen] = useState(true)
  const listId = useId()
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        className={navigationClass(false)}
        onClick={() => {
          setOpen(!open)
        }}
      >
        <Icon aria-hidden className="size-4.5 shrink-0" />
        <span className="grow text-left">{label}</span>
        {!open && pages.map(({ path, counts }) => <CountBadge key={path} counts={counts} />)}
        <ChevronDown aria-hidden className={clsx('size-4 shrink-0 transition-transform', !open && '-rotate-90')} />
      </button>
      <ul id={listId} hidden={!open} className="mt-0.5 grid gap-0.5 [&[hidden]]:hidden">
        {pages.map((page) => (
          <li key={page.path}>
            <NavigationLink page={page} nested onNavigate={onNavigate} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface NavigationLinkProps {
  page: NavigationPage
  nested?: boolean
  onNavigate?: () => void
}

export function NavigationLink({ page, nested = false, onNavigate }: NavigationLinkProps) {
  const { label, path, icon: Icon, counts } = page
  const [location] = useLocation()
  const current = ariaCurrentAt(path, location)
  return (
    <Link
      to={path}
      onClick={onNavigate}
      aria-current={current}
      className={navigationClass(current !== undefined, nested ? 'pl-9.5' : undefined)}
    >
      {Icon !== undefined && <Icon aria-hidden className={clsx('size-4.5 shrink-0', current && 'text-brand')} />}
      <span className="grow">{label}</span>
      <CountBadge counts={counts} />
    </Link>
  )
}

/** How an entry of the navigation looks, whether it leads somewhere or folds others. */
function navigationClass(current: boolean, className?: string): string {
  return clsx(
    'flex h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-sm font-medium transition-colors pointer-coarse:h-11',
    current ? 'bg-subtle text-foreground' : 'text-muted hover:bg-subtle hover:text-foreground',
    className,
  )
}

function CountBadge({ counts }: Pick<NavigationPage, 'counts'>) {
  if (counts === 'pending') return <PendingBadge />
  if (counts === undefined) return null
  return (
    <Suspense>
      <MentionsBadge />
    </Suspense>
  )
}

/** How many decisions wait for this person; nothing if none do. */
function PendingBadge() {
  const { pendingCount } = useAgents()
  if (pendingCount === 0) return null
  return (
    <span className="min-w-5 rounded-full bg-warning-subtle px-1.5 text-center text-xs leading-5 font-semibold text-warning">
      {pendingCount > 99 ? '99+' : pendingCount}
      <span className="sr-only"> {words.pending}</span>
    </span>
  )
}
