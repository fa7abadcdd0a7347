import { clsx } from 'clsx'
import { Loader2 } from 'lucide-react'

export function Spinner({ className }: { className?: string }) {
  return <Loader2 aria-hidden className={clsx('size-4 shrink-0 animate-spin', className)} />
}
