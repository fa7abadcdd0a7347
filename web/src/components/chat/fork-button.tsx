import { type ReactNode, useState } from 'react'
import { Spinner } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { useChatScene } from './chat-context'
import { loadOnDemand, type OnDemand } from './load-on-demand'
import { notifyError } from './use-chat-actions'

interface ForkButtonProps {
  messageId: string
  label: string
  onConfirm: () => Promise<void>
  children: ReactNode
}

/** Makes another version, after a warning where tools have written. */
export function ForkButton({ messageId, label, onConfirm, children }: ForkButtonProps) {
  const { actions } = useChatScene()
  /** The button, while the warning that it opened is shown. */
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [parts, setParts] = useState<OnDemand | null>(null)
  const [pending, setPending] = useState(false)

  /** `button`: asks first, if there is something to ask. */
  async function confirm(button?: HTMLElement): Promise<void> {
    setOpener(null)
    setPending(true)
    try {
      if (button !== undefined && (await actions.wroteSince(messageId))) {
        setParts(await loadOnDemand())
        setOpener(button)
      } else await onConfirm()
    } catch (error) {
      notifyError(error)
    } finally {
      setPending(false)
    }
  }

  return (
    <>
      <IconButton
        label={label}
        aria-disabled={pending || undefined}
        onClick={(event) => {
          if (!pending) void confirm(event.currentTarget)
        }}
      >
        {pending ? <Spinner /> : children}
      </IconButton>
      {opener !== null && parts !== null && (
        <parts.ForkWarning
          opener={opener}
          onConfirm={() => void confirm()}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </>
  )
}
