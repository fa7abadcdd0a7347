// Where a card is on a board, and where a pointer or a key leads it.

/** Before the card at `index` of a column, or behind its last one. */
export interface Spot {
  column: string
  index: number
}

/** A column as it stands on the screen. */
export interface ColumnBox {
  key: string
  left: number
  right: number
  /** Of what one sees of its list of cards. */
  top: number
  bottom: number
  scrollTop: number
  /** How many cards it has, without the one that moves. */
  count: number
}

interface Held {
  /** Of the pointer. */
  x: number
  /** The upper edge of the card that it holds. */
  top: number
}

/** Where a held card would fall: in the column under the pointer, or the nearest; in the place that it covers by half. */
export function spotUnder({ x, top }: Held, columns: readonly ColumnBox[], cardHeight: number): Spot | undefined {
  const distance = ({ left, right }: ColumnBox) => Math.max(left - x, 0, x - right)
  const near = columns.reduce<ColumnBox | undefined>((best, column) => (best === undefined || distance(column) < distance(best) ? column : best), undefined)
  if (near === undefined) return undefined
  const seen = Math.max(near.top - cardHeight / 2, Math.min(top, near.bottom - cardHeight / 2))
  const index = Math.round((seen - near.top + near.scrollTop) / cardHeight)
  return { column: near.key, index: Math.max(0, Math.min(near.count, index)) }
}

/** From here on a box scrolls by itself while a card is held near its edge. */
const EDGE = 56
/** Pixels of each frame, at the edge itself. */
const FASTEST = 18

/** How far a box scrolls in a frame for a pointer at this place. */
export function edgeSpeed(place: number, start: number, end: number): number {
  const near = Math.min(EDGE, (end - start) / 4)
  const into = place < start + near ? place - (start + near) : place > end - near ? place - (end - near) : 0
  return Math.round(Math.max(-1, Math.min(1, into / near)) * FASTEST)
}

interface Size {
  key: string
  count: number
}

/**
 * Where a key leads: the focus from card to card, past empty columns; a held card also into them, and behind the last card.
 * Undefined if the key leads nowhere.
 */
export function stepTo({ column, index }: Spot, key: string, columns: readonly Size[], isHeld: boolean): Spot | undefined {
  const at = columns.findIndex((one) => one.key === column)
  const here = columns[at]
  if (here === undefined) return undefined
  const last = (size: Size) => (isHeld ? size.count : size.count - 1)
  const within = (size: Size, to: number): Spot => ({ column: size.key, index: Math.max(0, Math.min(last(size), to)) })
  const beside = (direction: 1 | -1): Spot | undefined => {
    for (let next = at + direction; ; next += direction) {
      const size = columns[next]
      if (size === undefined) return undefined
      if (isHeld || size.count > 0) return within(size, index)
    }
  }
  switch (key) {
    case 'ArrowDown':
      return within(here, index + 1)
    case 'ArrowUp':
      return within(here, index - 1)
    case 'Home':
      return within(here, 0)
    case 'End':
      return within(here, here.count)
    case 'ArrowRight':
      return beside(1)
    case 'ArrowLeft':
      return beside(-1)
    default:
      return undefined
  }
}
