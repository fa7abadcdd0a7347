import { clsx } from 'clsx'
import { useEffect, useState } from 'react'

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

// Which section of a long page one is in. What is hard: the last ones are too near the end to ever reach the top.

/** How far below the top of the window a section begins when a link leads to it, and a little more. */
const TOP = 120

/** What only a person does: a link scrolls as well. */
const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown']

function useSectionInView(sections: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(sections[0])
  const ids = sections.join(' ')
  useEffect(() => {
    const known = ids.split(' ')
    /** Whom the address names, until the person scrolls away. */
    let named: string | undefined
    const look = () => {
      setCurrent(named ?? sectionAt(known))
    }
    const follow = () => {
      const id = window.location.hash.slice(1)
      named = known.includes(id) ? id : undefined
      look()
    }
    const release = () => {
      named = undefined
    }
    follow()
    // The browser looked for the section before it was there.
    const frame = requestAnimationFrame(() => {
      if (named !== undefined) document.getElementById(named)?.scrollIntoView()
    })
    const ended = new AbortController()
    const options = { signal: ended.signal, passive: true }
    window.addEventListener('hashchange', follow, options)
    window.addEventListener('scroll', look, options)
    window.addEventListener('resize', look, options)
    for (const type of BY_HAND) window.addEventListener(type, release, options)
    return () => {
      ended.abort()
      cancelAnimationFrame(frame)
    }
  }, [ids])
  return current
}

function sectionAt(ids: readonly string[]): string | undefined {
  const { scrollHeight, clientHeight } = document.documentElement
  const isAtEnd = window.scrollY > 0 && window.scrollY + clientHeight >= scrollHeight - 2
  if (isAtEnd) return ids.at(-1)
  const begun = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= TOP)
  return begun.at(-1) ?? ids[0]
}
