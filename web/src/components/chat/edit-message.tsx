import { useId, useState } from 'react'
import { messageOf } from '@/api/errors'
import type { AgentMessage } from '@/chat/types'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Textarea } from '@/components/ui/textarea'
import { words } from '@/words/en/chat-on-demand'
import { words as common } from '@/words/en/common'
import { useChatScene } from './chat-context'
import { sends, useEnterSends } from './composer-keys'
import { excessOf, TooLong } from './message-length'

interface EditMessageProps {
  message: AgentMessage
  onClose: () => void
}

/** The person's message in other words, as a new version of the conversation. */
export function EditMessage({ message, onClose }: EditMessageProps) {
  const { actions } = useChatScene()
  const [text, setText] = useState(message.content)
  const [pending, setPending] = useState(false)
  /** Where one writes, while the warning is shown. */
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [problem, setProblem] = useState<string>()
  const enterSends = useEnterSends()
  const tooLongId = useId()
  const same = text.trim() === '' || text.trim() === message.content.trim()
  const excess = excessOf(text.trim())

  /** `box`: asks first, if there is something to ask. */
  async function send(box: HTMLElement | null): Promise<void> {
    setOpener(null)
    setPending(true)
    try {
      if (box !== null && (await actions.wroteSince(message.id))) {
        setOpener(box)
      } else {
        await actions.editMessage(message.id, text.trim())
        onClose()
      }
    } catch (error) {
      setProblem(messageOf(error))
    }
    setPending(false)
  }

  return (
    <form
      className="ml-auto grid w-full max-w-2xl gap-2 rounded-2xl bg-subtle p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!same && excess === 0 && !pending) void send(event.currentTarget.querySelector('textarea'))
      }}
      onKeyDown={(event) => {
        // React tells of keys in the warning too, though that is elsewhere in the document.
        const isHere = event.currentTarget.contains(event.target as Node)
        if (event.key !== 'Escape' || event.nativeEvent.isComposing || !isHere) return
        event.stopPropagation()
        onClose()
      }}
    >
      <Textarea
        autoFocus
        aria-label={words.editMessage}
        aria-invalid={excess > 0 || undefined}
        aria-describedby={excess > 0 ? tooLongId : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
        }}
        onFocus={({ target }) => {
          target.setSelectionRange(target.value.length, target.value.length)
        }}
        onKeyDown={(event) => {
          if (!sends(event.nativeEvent, enterSends)) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <TooLong id={tooLongId} excess={excess} />
      {problem !== undefined && <Alert>{problem}</Alert>}
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="secondary" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button size="sm" type="submit" disabled={same || excess > 0} pending={pending}>
          {words.sendAsNewVersion}
        </Button>
      </div>
      {opener !== null && (
        <ForkWarning
          opener={opener}
          onConfirm={() => void send(null)}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </form>
  )
}

interface ForkWarningProps {
  opener: HTMLElement | null
  onConfirm: () => void
  onClose: () => void
}

/** Another version forgets what was said, but not what was done. */
export function ForkWarning({ opener, onConfirm, onClose }: ForkWarningProps) {
  return (
    <ConfirmDialog
      tone="primary"
      opener={opener}
      title={words.toolsHaveChangedThings}
      description={words.toolsHaveChangedThingsDescription}
      action={words.makeANewVersion}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
