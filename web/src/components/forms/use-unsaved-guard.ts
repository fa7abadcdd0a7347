import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { guardLeaving } from '@/lib/leaving'

/** Stops people from leaving a page with unsaved changes, until they say so. */
export function useUnsavedGuard(isDirty: boolean) {
  const [location, navigate] = useLocation()
  const search = useSearch()
  const [leaving, setLeaving] = useState<{ go: () => void } | null>(null)
  /** The person said so, and the browser goes back once more. */
  const mayGoBack = useRef(false)

  useEffect(() => {
    if (!isDirty) return
    const here = window.location.pathname + window.location.search
    const ask = (go: () => void) => {
      setLeaving({ go })
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const path = pathOfLink(event)
      if (path === undefined || path.split('#')[0] === here) return
      event.preventDefault()
      event.stopPropagation()
      ask(() => {
        navigate(path)
      })
    }
    const onBack = (event: PopStateEvent) => {
      if (mayGoBack.current || window.location.pathname + window.location.search === here) return
      // The browser has gone already. It is brought back before the router notices, as the entry after the one it went to.
      event.stopImmediatePropagation()
      window.history.pushState(null, '', here)
      ask(() => {
        mayGoBack.current = true
        window.history.back()
      })
    }
    mayGoBack.current = false
    const unguard = guardLeaving({ ask, onBack })
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      unguard()
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [isDirty, location, search, navigate])

  return {
    isLeaving: leaving !== null,
    stay: () => {
      setLeaving(null)
    },
    leave: () => {
      leaving?.go()
    },
  }
}

/** Where a plain click on a link within the app leads. */
function pathOfLink(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.origin !== window.location.origin) {
    return undefined
  }
  return link.pathname + link.search + link.hash
}
