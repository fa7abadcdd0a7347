import { clsx } from 'clsx'
import { useSectionInView } from './use-section-in-view'

interface SectionLink {
  id: string
  label: string
}

/** The way to each section of a long page; beside it on wide screens, above it on small ones. */
export function SectionNav({ label, sections }: { label: string; sections: readonly SectionLink[] }) {
  const current = useSectionInView(sections.map(({ id }) => id))
  return (
    <nav
      aria-label={label}
      className="-mx-4 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:-mx-8 sm:px-8 lg:sticky lg:top-6 lg:mx-0 lg:self-start lg:px-0"
    >
      <ul className="flex gap-1 lg:flex-col">
        {sections.map(({ id, label: name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={current === id ? 'location' : undefined}
              className={clsx(
                'flex h-9 items-center rounded-lg px-3 text-sm font-medium whitespace-nowrap transition-colors pointer-coarse:h-11',
                current === id ? 'bg-subtle text-foreground' : 'text-muted hover:bg-subtle hover:text-foreground',
              )}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
