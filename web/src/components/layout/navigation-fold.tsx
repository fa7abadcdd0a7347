import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { navigationClass } from './navigation-class'
import type { NavigationGroup } from './navigation-entries'
import { NavigationLink } from './navigation-link'
import { PendingBadge } from './pending-badge'

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
        {!open && pages.some(({ counts }) => counts === 'pending') && <PendingBadge />}
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
