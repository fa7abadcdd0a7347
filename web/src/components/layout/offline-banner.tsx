import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const follow = (changed: () => void) => onlineManager.subscribe(changed)
const isOnline = () => onlineManager.isOnline()

/** Says that nothing new comes in. Stands aside for a chat that says so in its own words. */
export function OfflineBanner() {
  const isShown = !useSyncExternalStore(follow, isOnline)
  return (
    // Always there: readers announce only what appears in a region that they know.
    <div role="status" className="bg-warning-subtle text-center text-sm text-warning group-has-[[data-connection]]/frame:hidden">
      {isShown && <p className="px-4 py-1.5">You are offline. Baton shows what it had; it goes on when the network is back.</p>}
    </div>
  )
}
