import { CloudOff } from 'lucide-react'
import { useOnline } from '@/hooks/use-online'

/** Says that nothing new comes in. Stands aside for a chat that says so in its own words. */
export function OfflineBanner() {
  const isOnline = useOnline()
  return (
    // Always there: readers announce only what appears in a region that they know.
    <div role="status" className="group-has-[[data-connection]]/frame:hidden">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 border-b border-border bg-warning-subtle px-4 py-1.5 text-sm text-warning">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          You are offline. Baton shows what it had; it goes on when the network is back.
        </p>
      )}
    </div>
  )
}
