import { lazy, Suspense, useState } from 'react'
import type { HistoryDrawerProps } from './history-drawer'

const HistoryDrawer = lazy(async () => ({ default: (await import('./history-drawer')).HistoryDrawer }))

/** The history, loaded when it is first asked for: a chat is usable without it. */
export function HistoryPanel(props: HistoryDrawerProps) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  if (!props.open && !wasOpen) return null
  return (
    <Suspense fallback={null}>
      <HistoryDrawer {...props} />
    </Suspense>
  )
}
