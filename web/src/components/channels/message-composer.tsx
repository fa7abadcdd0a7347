// Where a message is written. After an @, people are chosen from a list by keyboard or pointer.
import { useMutation } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { once } from '@/api/data'
import { messageOf } from '@/api/errors'
import type { ChannelPerson } from '@/api/types'
import { sends, useEnterSends } from '@/components/chat/composer-keys'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'
import { useChannelPeople } from '@/hooks/use-channels'
import { words } from '@/words/en/channels'
import { say } from '@/words/say'
import { fittingPeople, mentionAt, type MentionQuery, toSent, toTyped, withName } from './mention-query'

const LONGEST = 10_000

interface MessageComposerProps {
  label: string
  /** The text of a message that is changed. */
  initial?: string
  action?: string
  isFocused?: boolean
  onSend: (text: string, key: string) => Promise<unknown>
  onCancel?: () => void
}

export function MessageComposer({ label, initial = '', action = words.send, isFocused = false, onSend, onCancel }: MessageComposerProps) {
  const [before] = useState(() => toTyped(initial))
  const [text, setText] = useState(before.text)
  const [chosen, setChosen] = useState<ChannelPerson[]>(before.people)
  // Another try of the same text is the same message.
  const [key, setKey] = useState(() => once()['idempotency-key'])
  const [caret, setCaret] = useState(0)
  const [highlighted, setHighlighted] = useState(0)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const enterSends = useEnterSends()
  const people = useChannelPeople()
  useEffect(() => {
    if (!isFocused) return
    box.current?.focus()
    box.current?.setSelectionRange(before.text.length, before.text.length)
  }, [isFocused, before])
  const send = useMutation({
    mutationFn: () => onSend(toSent(text, chosen), key),
    onSuccess: () => {
      setText('')
      setChosen([])
      setKey(once()['idempotency-key'])
    },
  })
  const query = mentionAt(text, caret)
  const fitting = query === null || dismissed === query.start ? [] : fittingPeople(people.data ?? [], query.typed)
  const isOpen = fitting.length > 0
  const at = Math.min(highlighted, fitting.length - 1)
  const tooMany = toSent(text, chosen).length - LONGEST
  const mayBeSent = text.trim() !== '' && tooMany <= 0 && !send.isPending
  const change = (value: string, place: number) => {
    setText(value)
    setCaret(place)
    setHighlighted(0)
    setDismissed(null)
    if (send.isError) {
      send.reset()
      setKey(once()['idempotency-key'])
    }
  }
  const choose = (query: MentionQuery, person: ChannelPerson) => {
    const next = withName(text, query, caret, person.name)
    setChosen((before) => [...before.filter(({ profile_id }) => profile_id !== person.profile_id), person])
    change(next.text, next.caret)
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(next.caret, next.caret)
    })
  }
  const press = (event: KeyboardEvent) => {
    const person = fitting[at]
    if (isOpen && query !== null && person !== undefined && !event.nativeEvent.isComposing) {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0) setHighlighted((at + step + fitting.length) % fitting.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(query, person)
      else if (event.key === 'Escape') setDismissed(query.start)
      else return
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.key === 'Escape' && onCancel !== undefined) {
      event.stopPropagation()
      onCancel()
    } else if (sends(event.nativeEvent, enterSends)) {
      event.preventDefault()
      if (mayBeSent) send.mutate()
    }
  }
  return (
    <form
      className="relative grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (mayBeSent) send.mutate()
      }}
    >
      {send.isError && (
        <Alert>
          {words.notSent}: {messageOf(send.error)}
        </Alert>
      )}
      {isOpen && query !== null && (
        <ul
          id={listId}
          role="listbox"
          aria-label={words.people}
          className="absolute inset-x-0 bottom-full z-20 mb-1 grid max-h-60 gap-px overflow-y-auto rounded-lg border border-border bg-surface p-1 shadow-float"
        >
          {fitting.map((person, index) => (
            <li
              key={person.profile_id}
              id={`${listId}-${index}`}
              role="option"
              dir="auto"
              aria-selected={index === at}
              className={clsx('flex min-h-9 cursor-pointer items-center rounded-md px-2.5 text-sm pointer-coarse:min-h-11', index === at && 'bg-subtle')}
              // The box keeps the focus.
              onMouseDown={(event) => { event.preventDefault() }}
              onClick={() => { choose(query, person) }}
            >
              {person.name}
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-end gap-2">
        <Textarea
          ref={box}
          aria-label={label}
          placeholder={label}
          aria-controls={isOpen ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isOpen ? `${listId}-${at}` : undefined}
          data-keeps-escape={isOpen || onCancel !== undefined ? '' : undefined}
          value={text}
          rows={1}
          className="min-h-10! resize-none"
          onChange={({ target }) => { change(target.value, target.selectionStart) }}
          onSelect={({ currentTarget }) => { setCaret(currentTarget.selectionStart) }}
          onKeyDown={press}
        />
        <Button type="submit" disabled={!mayBeSent && !send.isPending} pending={send.isPending} aria-label={action} title={action} className="px-3">
          {!send.isPending && <SendHorizontal aria-hidden className="size-4" />}
        </Button>
      </div>
      {tooMany > 0 && <p role="status" className="text-sm text-danger">{say(words.tooLong, { count: tooMany })}</p>}
    </form>
  )
}
