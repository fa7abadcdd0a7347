import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { Button } from '@/components/ui/button'

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
        aria-label={`Move ${label} up`}
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
        aria-label={`Move ${label} down`}
        aria-disabled={index === count - 1 || undefined}
        onClick={(event) => {
          move(index + 1, event.currentTarget)
        }}
      >
        <ArrowDown aria-hidden className="size-4" />
      </Button>
      <Button variant="ghost" size="icon" aria-label={`Remove ${label}`} onClick={onRemove}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  )
}
