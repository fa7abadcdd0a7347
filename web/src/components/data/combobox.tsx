// A choice among many names, found by typing; a name that isn't there can be made. The list is a popover at its cell or field.
import { clsx } from 'clsx'
import { Check, Plus } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { words } from '@/words/en/data'
import { say } from '@/words/say'

export interface Option {
  id: string
  name: string
  /** Beside the name. */
  note?: string
}

interface ComboboxProps {
  label: string
  options: readonly Option[]
  /** The id of the chosen one. */
  value: string | null
  /** What to choose for none; undefined: one must be chosen. */
  none?: string
  /** Makes one with this name, and chooses it. */
  onMake?: (name: string) => void
  onChoose: (id: string | null) => void
  /** Tells what is typed, where the options are those that fit it already. */
  onType?: (text: string) => void
  onClose: () => void
  /** The list has closed: puts the focus somewhere, unless whoever opened the list sees to that. */
  onClosed?: () => void
  /** What the list opens at. */
  children: ReactNode
}

interface Entry {
  key: string
  label: ReactNode
  isChosen: boolean
  choose: () => void
}

/** Shown at once: more are found by typing. */
const SHOWN = 50

/** Open for as long as it is rendered. */
export function Combobox({ label, options, value, none, onMake, onChoose, onType, onClose, onClosed, children }: ComboboxProps) {
  const listId = useId()
  const [text, setText] = useState('')
  const entries = entriesFor({ options, text, value, none, onMake, onChoose, isSearched: onType !== undefined })
  const [active, setActive] = useState(() => Math.max(0, entries.findIndex(({ isChosen }) => isChosen)))
  const at = Math.min(active, entries.length - 1)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((at + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') entries[at]?.choose()
    else if (event.key === 'Tab') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Popover.Anchor asChild>
        <div className="min-w-0 grow">{children}</div>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 w-64 animate-fade-in rounded-lg border border-border bg-surface p-1 text-sm shadow-float focus:outline-none"
          onCloseAutoFocus={(event) => {
            // What had the focus before may be drawn anew by now.
            event.preventDefault()
            onClosed?.()
          }}
        >
          <input
            type="text"
            role="combobox"
            aria-label={label}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={at < 0 ? undefined : `${listId}-${at}`}
            aria-autocomplete="list"
            autoComplete="off"
            autoFocus
            dir="auto"
            maxLength={100}
            placeholder={words.typeToFind}
            value={text}
            className="mb-1 w-full rounded-md bg-subtle px-2.5 py-2 text-base placeholder:text-muted focus:outline-none sm:text-sm"
            onChange={(event) => {
              setText(event.target.value)
              onType?.(event.target.value)
              setActive(0)
            }}
            onKeyDown={onKeyDown}
          />
          <ul ref={list} id={listId} role="listbox" aria-label={label} className="max-h-60 overflow-y-auto">
            {entries.map((entry, index) => (
              <li
                key={entry.key}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === at}
                className={clsx(
                  'flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 pointer-coarse:min-h-11',
                  index === at && 'bg-subtle',
                )}
                onPointerMove={() => {
                  setActive(index)
                }}
                onClick={entry.choose}
              >
                <span dir="auto" className="min-w-0 grow truncate">{entry.label}</span>
                {entry.isChosen && <Check aria-hidden className="size-4 shrink-0 text-brand" />}
              </li>
            ))}
          </ul>
          {entries.length === 0 && <p className="px-2.5 py-2 text-muted">{words.nothingFits}</p>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

type Asked = Pick<ComboboxProps, 'options' | 'value' | 'none' | 'onMake' | 'onChoose'> & { text: string; isSearched: boolean }

function entriesFor({ options, text, value, none, onMake, onChoose, isSearched }: Asked): Entry[] {
  const sought = fold(text)
  const fitting = isSearched ? options : options.filter(({ name }) => fold(name).includes(sought))
  // Names that begin with it come first.
  const sorted = [...fitting.filter(({ name }) => fold(name).startsWith(sought)), ...fitting.filter(({ name }) => !fold(name).startsWith(sought))]
  const entries: Entry[] = sorted.slice(0, SHOWN).map(({ id, name, note }) => ({
    key: id,
    label: (
      <>
        <span dir="auto">{name}</span>
        {note !== undefined && <span className="text-muted"> · {note}</span>}
      </>
    ),
    isChosen: id === value,
    choose: () => {
      onChoose(id)
    },
  }))
  if (none !== undefined && sought === '') {
    entries.unshift({
      key: 'none',
      label: <span className="text-muted">{none}</span>,
      isChosen: value === null,
      choose: () => {
        onChoose(null)
      },
    })
  }
  const name = text.trim()
  if (onMake !== undefined && name !== '' && !options.some((option) => fold(option.name) === sought)) {
    entries.push({
      key: 'make',
      label: (
        <span className="flex items-center gap-2">
          <Plus aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="truncate">{say(words.makeName, { name })}</span>
        </span>
      ),
      isChosen: false,
      choose: () => {
        onMake(name)
      },
    })
  }
  return entries
}

/** Without case, accents and spaces around. */
function fold(text: string): string {
  return text.trim().normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()
}
