import { useCopy } from '@/hooks/use-copy'
import { Button } from './button'
import { CopyIcon } from './copy-icon'

/** Puts something into the clipboard as it came from the server. */
export function CopyJson({ value, label = 'Copy as JSON' }: { value: unknown; label?: string }) {
  const { copied, copy } = useCopy()
  return (
    <Button variant="secondary" size="sm" onClick={() => void copy(JSON.stringify(value, null, 2))}>
      <CopyIcon copied={copied} />
      {copied ? 'Copied' : label}
    </Button>
  )
}
