import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/forms'
import { say } from '@/words/say'

interface OrderButtonsProps {
  /** The item, as readers hear it. */
  label: string
  index: number
  count: number
  onMove: (to: number) => void
  onRemove: () => void
}

/** Moves an item of a list up or down, or takes it out. The buttons at the ends stay, so that the focus does too. */
export function OrderButtons({ label, index, count, onMove, onRemove }: OrderButtonsProps) {
  const move = (to: number, button: HTMLElement) => {
    if (to < 0 || to >= count) return
    onMove(to)
    // Moving an element takes the focus off it.
    requestAnimationFrame(() => {
      button.focus()
    })
  }
  return (
    <div className="flex shrink-0">
      <Button
        variant="ghost"
        size="icon"
        aria-label={say(words.moveLabelUp, { label })}
        aria-disabled={index === 0 || undefined}
        onClick={(event) => {
          move(index - 1, event.currentTarget)
        }}
      >
        <ArrowUp aria-hidden className="size-4" />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label={say(words.moveLabelDown, { label })}
        aria-disabled={index === count - 1 || undefined}
        onClick={(event) => {
          move(index + 1, event.currentTarget)
        }}
      >
        <ArrowDown aria-hidden className="size-4" />
      </Button>
      <Button variant="ghost" size="icon" aria-label={say(words.removeLabel, { label })} onClick={onRemove}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  )
}

/** Alt with the arrow keys moves an item of a list, from anywhere inside it. */
export function onAltArrow(index: number, onMove: (to: number) => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const control = event.target as HTMLElement
    onMove(event.key === 'ArrowUp' ? index - 1 : index + 1)
    // Moving an element takes the focus off it.
    requestAnimationFrame(() => {
      control.focus()
    })
  }
}

/** For those who have such keys. */
export function ReorderHint() {
  return <span className="pointer-coarse:hidden">{words.altWithTheArrowKeys}</span>
}

/** The list with one item moved; the same list if it can't go there. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const next = [...list]
  if (to < 0 || to >= list.length) return next
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

let lastKey = 0

/** A key for an item of a list that people reorder, as nothing about the item itself stays the same. */
export function itemKey(): number {
  lastKey += 1
  return lastKey
}
