import { ArrowRightLeft, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { IconButton } from './icon-button'

interface SwitchOfferProps {
  name: string
  onSwitch: () => Promise<void>
  onDismiss: () => void
}

/** An agent announced that another takes over, and nothing came of it: the person can do it. */
export function SwitchOffer({ name, onSwitch, onDismiss }: SwitchOfferProps) {
  const [pending, setPending] = useState(false)
  return (
    <section
      aria-label="Offered switch"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-brand/25 bg-brand-subtle/60 py-2 pr-2 pl-3 text-sm"
    >
      <ArrowRightLeft aria-hidden className="size-4 shrink-0 text-brand" />
      <p className="min-w-0 grow wrap-anywhere">{name} was announced, but did not take over.</p>
      <Button
        size="sm"
        pending={pending}
        onClick={() => {
          setPending(true)
          void onSwitch().finally(() => {
            setPending(false)
          })
        }}
      >
        Switch to {name}
      </Button>
      <IconButton label="Dismiss" onClick={onDismiss}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </section>
  )
}
