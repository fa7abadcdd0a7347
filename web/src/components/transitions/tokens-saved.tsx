import { percent, short } from '@/lib/amounts'

interface TokensSavedProps {
  /** What the whole history would have taken. */
  full: number
  sent: number
}

export function TokensSaved({ full, sent }: TokensSavedProps) {
  const saved = full - sent
  return (
    <span title={`${sent.toLocaleString()} sent of ${full.toLocaleString()}`}>
      {short(saved)}
      {full > 0 && <span className="ml-0.5 text-muted"> {percent(saved / full)}</span>}
    </span>
  )
}
