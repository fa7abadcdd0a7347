import { clsx } from 'clsx'
import { ArrowUp, Globe, Paperclip, Square } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import type { SendOptions } from '@/chat/types'
import { Tooltip } from '@/components/ui/tooltip'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'
import { AttachmentChips } from './attachments'
import type { DraftKey } from './chat-context'
import { sends, useEnterSends } from './composer-keys'
import { LongPaste, TooLong } from './message-length'
import type { Attachments } from './use-attachments'
import { type ComposerText, focusBox, useComposer } from './use-composer'

/** A longer text is offered as a file: it would freeze the box and bury the question. */
const LONG_PASTE = 20_000

interface ComposerProps {
  /** Whom one writes to. */
  name: string
  /** A router chooses who of them answers. */
  isRouted: boolean
  place: DraftKey
  draft: ComposerText
  attachments: Attachments
  canAttach: boolean
  canSearchWeb: boolean
  /** The most characters of a message. */
  longest: number
  isStreaming: boolean
  /** An approval waits: one can write on, or stop. */
  isWaiting: boolean
  onSend: (content: string, options: SendOptions) => Promise<void>
  onStop: () => void
  boxRef: RefObject<HTMLTextAreaElement | null>
}

/** Where one writes. */
export function Composer(props: ComposerProps) {
  const { name, isRouted, place, draft, attachments, canAttach, canSearchWeb, isStreaming, isWaiting, onStop, boxRef } = props
  const { webSearch, setWebSearch, canSend, excess, submit } = useComposer(props)
  const [pasted, setPasted] = useState<{ of: string; text: string } | null>(null)
  const longPaste = pasted?.of === place.key || pasted?.of === place.was ? pasted.text : null
  const tooLongId = useId()
  const fileInput = useRef<HTMLInputElement>(null)
  const enterSends = useEnterSends()
  return (
    <form
      className="rounded-2xl border border-control/60 bg-surface shadow-lift transition-colors focus-within:border-control"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <AttachmentChips files={attachments.files} onRemove={attachments.remove} />
      {longPaste !== null && (
        <LongPaste
          length={longPaste.length}
          onAttach={() => {
            attachments.add([new File([longPaste], 'pasted.txt', { type: 'text/plain' })])
            setPasted(null)
            focusBox(boxRef)
          }}
          onPaste={() => {
            const box = boxRef.current
            box?.setRangeText(longPaste, box.selectionStart, box.selectionEnd, 'end')
            draft.write(box?.value ?? longPaste)
            setPasted(null)
            focusBox(boxRef)
          }}
        />
      )}
      <textarea
        dir="auto"
        ref={boxRef}
        rows={1}
        aria-label={say(words.messageTo, { name })}
        placeholder={isRouted ? say(words.messageRoutedPlaceholder, { name }) : say(words.messagePlaceholder, { name })}
        aria-invalid={excess > 0 || undefined}
        aria-describedby={excess > 0 ? tooLongId : undefined}
        value={draft.text}
        className="field-sizing-content block max-h-[min(16rem,40dvh)] w-full resize-none bg-transparent px-4 pt-3.5 pb-1 text-base leading-6 outline-none placeholder:text-muted sm:text-[0.9375rem]"
        onChange={(event) => {
          draft.write(event.target.value)
        }}
        onKeyDown={(event) => {
          if (!sends(event.nativeEvent, enterSends)) return
          event.preventDefault()
          submit()
        }}
        onPaste={(event) => {
          if (!canAttach) return
          const files = [...event.clipboardData.files]
          const text = event.clipboardData.getData('text/plain')
          if (files.length > 0) attachments.add(files)
          else if (text.length > LONG_PASTE) setPasted({ of: place.key, text })
          else return
          event.preventDefault()
        }}
      />
      <TooLong id={tooLongId} excess={excess} longest={props.longest} className="px-4 pt-1" />
      <div className="flex items-center gap-1 p-2">
        {canAttach && (
          <>
            <ComposerButton label={words.attachFiles} onClick={() => fileInput.current?.click()}>
              <Paperclip aria-hidden className="size-4.5" />
            </ComposerButton>
            <input
              ref={fileInput}
              type="file"
              multiple
              hidden
              aria-label={words.attachFiles}
              onChange={(event) => {
                attachments.add([...(event.target.files ?? [])])
                event.target.value = ''
              }}
            />
          </>
        )}
        {canSearchWeb && (
          <ComposerButton
            label={words.searchTheWeb}
            pressed={webSearch}
            onClick={() => {
              setWebSearch(!webSearch)
            }}
          >
            <Globe aria-hidden className="size-4.5" />
          </ComposerButton>
        )}
        <div className="ml-auto flex items-center gap-1.5">
          {(isStreaming || isWaiting) && (
            <ComposerButton label={words.stop} round onClick={onStop}>
              <Square aria-hidden className="size-3.5 fill-current" />
            </ComposerButton>
          )}
          {(!isStreaming || canSend) && (
            <ComposerButton label={isStreaming ? words.sendWhenAnswered : words.send} round submit disabled={!canSend}>
              <ArrowUp aria-hidden className="size-5" />
            </ComposerButton>
          )}
        </div>
      </div>
    </form>
  )
}

interface ComposerButtonProps {
  label: string
  onClick?: () => void
  /** For a button that stays on. */
  pressed?: boolean
  /** The black round ones, at the right. */
  round?: boolean
  submit?: boolean
  disabled?: boolean
  children: ReactNode
}

function ComposerButton({ label, onClick, pressed, round = false, submit = false, disabled, children }: ComposerButtonProps) {
  return (
    <Tooltip label={label}>
      <button
        type={submit ? 'submit' : 'button'}
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled}
        className={clsx(
          'flex size-9 shrink-0 items-center justify-center transition-colors disabled:opacity-35 pointer-coarse:size-11',
          round ? 'rounded-full bg-primary text-on-primary hover:bg-primary-hover' : 'rounded-lg',
          !round && (pressed ? 'bg-brand-subtle text-brand' : 'text-muted hover:bg-subtle hover:text-foreground'),
        )}
        onClick={onClick}
      >
        {children}
      </button>
    </Tooltip>
  )
}
