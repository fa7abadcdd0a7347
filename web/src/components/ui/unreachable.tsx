import { useEffect } from 'react'
import { fetchAuthOptions } from '@/api/auth'
import { errorFromFailure } from '@/api/errors'
import { ErrorState } from './error-state'

const EVERY_MS = 3_000
/** Not sooner, by itself: a file that is still missing after a reload may be missing for good. */
const SETTLE_MS = 15_000
const AWAY = errorFromFailure('a page')

/** A page's file could not be loaded, most often because the server is away. Reloads as soon as it answers. */
export function Unreachable() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (performance.now() > SETTLE_MS) reloadIfBack()
    }, EVERY_MS)
    return () => {
      clearInterval(timer)
    }
  }, [])
  return <ErrorState title="Baton cannot be reached" heading="h1" error={AWAY} retrying={false} onRetry={reloadIfBack} />
}

function reloadIfBack(): void {
  fetchAuthOptions().then(
    () => {
      window.location.reload()
    },
    () => undefined,
  )
}
