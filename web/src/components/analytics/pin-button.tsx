import { Pin, PinOff } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { type Figure, type Grain, useChangePin, usePins } from '@/hooks/use-analytics'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'

/** Keeps a figure in sight for everyone in the workspace. */
export function PinButton({ figure, by }: { figure: Figure; by: Grain }) {
  const pins = usePins()
  const changePin = useChangePin()
  const [isBusy, setBusy] = useState(false)
  const isPinned = pins.data?.some((pin) => pin.figure.name === figure.name) === true
  async function change(): Promise<void> {
    setBusy(true)
    try {
      await changePin(figure.name, isPinned ? null : by)
      notify(say(isPinned ? words.unpinned : words.pinned, { figure: figure.label }))
    } catch (error) {
      notify(say(words.notPinned, { reason: messageOf(error) }), 'error')
    }
    setBusy(false)
  }
  const Icon = isPinned ? PinOff : Pin
  return (
    <Button variant="secondary" pending={isBusy || pins.isPending} onClick={() => void change()}>
      <Icon aria-hidden className="size-4" />
      {isPinned ? words.unpin : words.pin}
    </Button>
  )
}
