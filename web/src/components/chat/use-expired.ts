import { useEffect, useState } from 'react'

/** Whether that moment has passed, also when it passes while one is looking. */
export function useExpired(at: string | undefined): boolean {
  const moment = at === undefined ? Infinity : new Date(at).getTime()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const wait = moment - Date.now()
    // Longer waits overflow the timer; nobody looks at a page for weeks.
    if (!Number.isFinite(wait) || wait <= 0 || wait > 2_000_000_000) return
    const timer = setTimeout(() => {
      setNow(Date.now())
    }, wait + 50)
    return () => {
      clearTimeout(timer)
    }
  }, [moment])
  return now >= moment
}
