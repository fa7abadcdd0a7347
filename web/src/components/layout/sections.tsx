import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'

interface SectionsProps {
  /** Of which page. */
  label: string
  current: string
  sections: readonly { slug: string; to: string; label: string }[]
}

/** The parts of a page, each at its own address. On a phone they are wider than the screen: the one that is open is in the middle. */
export function Sections({ label, current, sections }: SectionsProps) {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const here = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && here) bar.current.scrollLeft = here.offsetLeft - (bar.current.clientWidth - here.offsetWidth) / 2
  }, [current])
  return (
    <nav ref={bar} aria-label={label} className="relative mb-6 overflow-x-auto border-b border-border">
      <ul className="flex w-max gap-1">
        {sections.map(({ slug, to, label: name }) => (
          <li key={slug}>
            <Link
              to={to}
              aria-current={slug === current ? 'page' : undefined}
              className={clsx(
                'flex h-10 items-center border-b-2 px-3 text-sm font-medium whitespace-nowrap transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11',
                slug === current ? 'border-brand text-foreground' : 'border-transparent text-muted hover:text-foreground',
              )}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
