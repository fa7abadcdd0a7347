// Which section of a long page one is in. What is hard: the last ones are too near the end to ever reach the top.
import { useEffect, useState } from 'react'

/** How far below the top of the window a section begins when a link leads to it, and a little more. */
const TOP = 120

/** What only a person does: a link scrolls as well. */
const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown']

export function useSectionInView(sections: readonly string[]): string | undefined {
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
