import { useEffect, useState } from 'react'

/** Smaller differences are the browser's own bars. */
const KEYBOARD = 120

/** How much of the page's foot a phone's keyboard covers. Browsers that shrink the page for it report nothing. */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const measure = () => {
      const covered = window.innerHeight - viewport.height - viewport.offsetTop
      setInset(viewport.scale === 1 && covered > KEYBOARD ? Math.round(covered) : 0)
    }
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
    }
  }, [])
  return inset
}
