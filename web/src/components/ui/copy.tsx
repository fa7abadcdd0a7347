import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/common'
import { Button } from './button'
import { IconButton } from './icon-button'

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
      notify(words.theBrowserDidNotAllow, 'error')
      return false
    }
  }
  return { copied, copy }
}

export function CopyIcon({ copied }: { copied: boolean }) {
  return copied ? <Check aria-hidden className="size-4 text-success" /> : <Copy aria-hidden className="size-4" />
}

/** Puts something into the clipboard as it came from the server. */
export function CopyJson({ value, label = words.copyAsJSON }: { value: unknown; label?: string }) {
  const { copied, copy } = useCopy()
  return (
    <Button variant="secondary" size="sm" onClick={() => void copy(JSON.stringify(value, null, 2))}>
      <CopyIcon copied={copied} />
      {copied ? words.copied : label}
    </Button>
  )
}

interface CopyButtonProps {
  text: string
  label: string
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <IconButton label={copied ? words.copied : label} onClick={() => void copy(text)}>
      <CopyIcon copied={copied} />
    </IconButton>
  )
}
