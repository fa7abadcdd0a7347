import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { guardLeaving } from '@/lib/leaving'

/** Stops people from leaving a page with unsaved changes, until they say so. */
export function useUnsavedGuard(isDirty: boolean) {
  const [location, navigate] = useLocation()
  const search = useSearch()
  const [leaving, setLeaving] = useState<{ go: () => void } | null>(null)

  useEffect(() => {
    if (!isDirty) return
    const here = window.location.pathname + window.location.search
    const askBefore = (path: string) => {
      setLeaving({
        go: () => {
          navigate(path)
        },
      })
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const path = pathOfLink(event)
      if (path === undefined || path.split('#')[0] === here) return
      event.preventDefault()
      event.stopPropagation()
      askBefore(path)
    }
    const onBack = (event: PopStateEvent) => {
      const path = window.location.pathname + window.location.search
      if (path === here) return
      // The browser has gone already: it is brought back before the router notices.
      event.stopImmediatePropagation()
      const target = path + window.location.hash
      window.history.pushState(null, '', here)
      askBefore(target)
    }
    const unguard = guardLeaving((go) => {
      setLeaving({ go })
    })
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    window.addEventListener('popstate', onBack, { capture: true })
    return () => {
      unguard()
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
      window.removeEventListener('popstate', onBack, { capture: true })
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
