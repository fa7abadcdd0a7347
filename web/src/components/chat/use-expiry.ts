import { useEffect, useState } from 'react'
import { ago } from '@/lib/when'

const MINUTE = 60_000

/** Whether that moment has passed, and in how long it will; both also change while one is looking. */
export function useExpiry(at: string | undefined): { expired: boolean; words: string | undefined } {
  const [now, setNow] = useState(() => Date.now())
  const left = at === undefined ? Infinity : new Date(at).getTime() - now
  useEffect(() => {
    if (!Number.isFinite(left) || left <= 0) return
    const timer = setTimeout(() => {
      setNow(Date.now())
    }, Math.min(left + 50, MINUTE))
    return () => {
      clearTimeout(timer)
    }
  }, [left])
  if (at === undefined || left <= 0) return { expired: left <= 0, words: undefined }
  return { expired: false, words: left < MINUTE ? 'in less than a minute' : ago(at, now) }
}
