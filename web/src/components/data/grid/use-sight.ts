import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { scrollTo, type Sight, sightAt } from './window'

/** Before the box is measured, and where nothing is. */
const SOME_HEIGHT = 600

interface Sizes {
  total: number
  rowHeight: number
  /** What stays in sight above the rows. */
  head: number
}

/** Which rows of a scrolling box are in sight. Tells which, and draws anew only when other rows are. */
export function useSight(scroller: RefObject<HTMLElement | null>, { total, rowHeight, head }: Sizes, onSight: (first: number, last: number) => void) {
  const [scrollTop, setScrollTop] = useState(0)
  const [height, setHeight] = useState(SOME_HEIGHT)
  const box = { total, rowHeight, height }
  const sight = sightAt(scrollTop, box)
  const { first, last } = sight

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = () => {
      if (element.clientHeight > 0) setHeight(Math.max(rowHeight, element.clientHeight - head))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }, [scroller, rowHeight, head])
  useEffect(() => {
    onSight(first, Math.max(last, first + 1))
  }, [onSight, first, last])

  const onScroll = () => {
    const now = scroller.current?.scrollTop ?? 0
    setScrollTop((before) => (isSame(sightAt(before, box), sightAt(now, box)) ? before : now))
  }
  const reveal = (index: number) => {
    const element = scroller.current
    element?.scrollTo({ top: scrollTo(index, element.scrollTop, box) })
  }
  return { sight, height, onScroll, reveal, page: Math.max(1, Math.floor(height / rowHeight) - 1) }
}

function isSame(a: Sight, b: Sight): boolean {
  return a.first === b.first && a.last === b.last && a.top === b.top
}
