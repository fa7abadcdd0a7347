import { ArrowRightLeft } from 'lucide-react'
import { switchWords } from '@/chat/switch-marks'
import type { Switch } from '@/chat/types'

/** Where another agent got the conversation without having been handed it. */
export function SwitchLine({ mark }: { mark: Switch | undefined }) {
  if (mark === undefined) return null
  return (
    <p className="flex items-center justify-center gap-2 text-center text-xs text-muted">
      <ArrowRightLeft aria-hidden className="size-3.5 shrink-0 text-brand" />
      <span className="min-w-0 wrap-anywhere">{switchWords(mark)}</span>
    </p>
  )
}
