import { CloudOff } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { fetchAuthOptions } from '@/api/auth'
import { EmptyState } from './empty-state'
import { Button } from './ui/button'

const EVERY_MS = 3_000
const ANSWER_MS = 5_000
/** A page that was reloaded is not reloaded by itself again so soon: what is missing may be missing for good. */
const SETTLE_MS = 30_000

interface UnreachableProps {
  /** Shown when the server answers and reloading has not helped. */
  children: ReactNode
}

/** A page's file could not be loaded, most often because the server is away. Reloads as soon as it answers. */
export function Unreachable({ children }: UnreachableProps) {
  const [isAsking, setAsking] = useState(false)
  const [isOfNoUse, setOfNoUse] = useState(false)
  useEffect(() => {
    if (isOfNoUse) return
    let isOver = false
    const look = () => {
      void answers().then((isBack) => {
        if (!isBack || isOver) return
        if (wasJustReloaded()) setOfNoUse(true)
        else window.location.reload()
      })
    }
    look()
    const timer = setInterval(look, EVERY_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [isOfNoUse])
  if (isOfNoUse) return children
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff className="size-6" />}
        heading="h1"
        title="Baton cannot be reached"
        action={
          <Button
            pending={isAsking}
            onClick={() => {
              setAsking(true)
              void answers().then((isBack) => {
                setAsking(false)
                if (isBack) window.location.reload()
              })
            }}
          >
            Try again
          </Button>
        }
      >
        The server or the network is away. This page opens by itself when it is back.
      </EmptyState>
    </div>
  )
}

/** Whether a page failed because a file of the app could not be loaded, in the words of each browser and of Vite. */
export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script failed|JavaScript MIME type|preload CSS/i.test(error.message)
}

function answers(): Promise<boolean> {
  return fetchAuthOptions(AbortSignal.timeout(ANSWER_MS)).then(
    () => true,
    () => false,
  )
}

function wasJustReloaded(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type === 'reload' && performance.now() < SETTLE_MS
}
