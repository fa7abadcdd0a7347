import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { notify } from '@/lib/notices'
import { IconButton } from './icon-button'

interface CopyButtonProps {
  text: string
  label: string
}

export function CopyButton({ text, label }: CopyButtonProps) {
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

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      notify('Copying did not work: the browser refused.', 'error')
    }
  }

  return (
    <IconButton label={copied ? 'Copied' : label} onClick={() => void copy()}>
      {copied ? <Check aria-hidden className="size-4 text-success" /> : <Copy aria-hidden className="size-4" />}
    </IconButton>
  )
}
