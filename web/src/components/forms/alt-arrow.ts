import type { KeyboardEvent } from 'react'

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
