import { lazy, Suspense, useEffect, useState } from 'react'

const DemoModelNote = lazy(async () => ({ default: (await import('./demo-model-note')).DemoModelNote }))

/** Which models are in use costs a request, which waits until the chat can be used. */
const LATER_MS = 1_000

export function DemoModel() {
  const [isLater, setIsLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsLater(true)
    }, LATER_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [])
  if (!isLater) return null
  return (
    <Suspense fallback={null}>
      <DemoModelNote />
    </Suspense>
  )
}
