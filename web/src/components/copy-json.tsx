import { Copy } from 'lucide-react'
import { notify } from '@/lib/notices'
import { Button } from './ui/button'

/** Puts something into the clipboard as it came from the server. */
export function CopyJson({ value, label = 'Copy as JSON' }: { value: unknown; label?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2))
      notify('Copied.')
    } catch {
      notify('The browser did not allow copying.', 'error')
    }
  }
  return (
    <Button variant="secondary" size="sm" onClick={() => void copy()}>
      <Copy aria-hidden className="size-4" />
      {label}
    </Button>
  )
}
