import { clsx } from 'clsx'
import { Ban, CheckCircle2, Clock, Loader2, type LucideIcon, XCircle } from 'lucide-react'
import type { TaskUsage } from '@/api/types'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { money, short } from '@/lib/amounts'

interface Look {
  words: string
  tone: BadgeTone
  icon: LucideIcon
}

const LOOKS: Record<string, Look> = {
  pending: { words: 'Waiting to start', tone: 'neutral', icon: Clock },
  running: { words: 'Running', tone: 'info', icon: Loader2 },
  waiting: { words: 'Waiting for approval', tone: 'warning', icon: Clock },
  completed: { words: 'Completed', tone: 'success', icon: CheckCircle2 },
  failed: { words: 'Failed', tone: 'danger', icon: XCircle },
  cancelled: { words: 'Cancelled', tone: 'neutral', icon: Ban },
}

export function TaskStatus({ status }: { status: string }) {
  const { words, tone, icon: Icon } = LOOKS[status] ?? { words: status, tone: 'neutral' as const, icon: Clock }
  return (
    <Badge tone={tone} className="inline-flex items-center gap-1">
      <Icon aria-hidden className={clsx('size-3.5 shrink-0', status === 'running' && 'animate-spin')} />
      {words}
    </Badge>
  )
}

/** `1.2K in · 43 out · $0.00`. */
export function UsageLine({ usage }: { usage: TaskUsage }) {
  const { inputTokens, outputTokens, costUsd } = usage
  return (
    <span className="tabular-nums" title={`${inputTokens.toLocaleString()} tokens in, ${outputTokens.toLocaleString()} out`}>
      {short(inputTokens)} in · {short(outputTokens)} out · {costUsd === null ? 'cost unknown' : money(costUsd)}
    </span>
  )
}
