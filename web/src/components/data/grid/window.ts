// Which rows of a long list are in sight. Browsers cut off what is too high, so a very long list is drawn in a lower box, and
// each step of the scrollbar passes more rows.

/** Chromium's limit is twice this, Firefox's about the same as this. */
const HIGHEST = 15_000_000
/** Rows that are drawn above and below, so that a quick scroll shows no gap. */
const OVERSCAN = 8

export interface Box {
  total: number
  rowHeight: number
  /** Of the part that one sees. */
  height: number
}

/** How high the box of all rows is. */
export function boxHeight({ total, rowHeight }: Box): number {
  return Math.min(total * rowHeight, HIGHEST)
}

/** How many pixels of rows one pixel of the scrollbar is. */
function stretch(box: Box): number {
  const drawn = boxHeight(box) - box.height
  return drawn <= 0 ? 1 : Math.max(1, (box.total * box.rowHeight - box.height) / drawn)
}

export interface Sight {
  /** The rows to draw, both included. */
  first: number
  last: number
  /** Where the first of them stands in the box. */
  top: number
}

export function sightAt(scrollTop: number, box: Box): Sight {
  const { total, rowHeight, height } = box
  const offset = scrollTop * stretch(box)
  const first = Math.max(0, Math.min(total - 1, Math.floor(offset / rowHeight) - OVERSCAN))
  const last = Math.max(-1, Math.min(total - 1, Math.ceil((offset + height) / rowHeight) + OVERSCAN))
  return { first, last, top: scrollTop - offset + first * rowHeight }
}

/** Where to scroll to so that a row is in sight; the same place if it is. */
export function scrollTo(index: number, scrollTop: number, box: Box): number {
  const factor = stretch(box)
  const offset = scrollTop * factor
  const [top, bottom] = [index * box.rowHeight, (index + 1) * box.rowHeight]
  if (top < offset) return top / factor
  if (bottom > offset + box.height) return (bottom - box.height) / factor
  return scrollTop
}
