import { useEffect, useState } from 'react'
import { notify } from '@/lib/toasts'

/** Puts text into the clipboard. `copied` for a moment afterwards; false when the browser refused. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => {
      setCopied(false)
    }, 2_000)
    return () => {
      clearTimeout(timer)
    }
  }, [copied])

  async function copy(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      return true
    } catch {
      notify('The browser did not allow copying.', 'error')
      return false
    }
  }
  return { copied, copy }
}
