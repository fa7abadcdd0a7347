import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'

/** Stops people from leaving a page with unsaved changes, until they say so. `target` is where they wanted to go. */
export function useUnsavedGuard(isDirty: boolean) {
  const [location, navigate] = useLocation()
  const [target, setTarget] = useState<string | null>(null)

  useEffect(() => {
    if (!isDirty) return
    const onUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const path = pathOfLink(event)
      if (path === undefined || path.split(/[?#]/)[0] === window.location.pathname) return
      event.preventDefault()
      event.stopPropagation()
      setTarget(path)
    }
    const onBack = (event: PopStateEvent) => {
      const { pathname, search, hash } = window.location
      if (pathname === location) return
      // The browser has gone already: it is brought back before the router notices.
      event.stopImmediatePropagation()
      window.history.pushState(null, '', location)
      setTarget(pathname + search + hash)
    }
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    window.addEventListener('popstate', onBack, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
      window.removeEventListener('popstate', onBack, { capture: true })
    }
  }, [isDirty, location])

  return {
    isLeaving: target !== null,
    stay: () => {
      setTarget(null)
    },
    leave: () => {
      if (target !== null) navigate(target)
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
