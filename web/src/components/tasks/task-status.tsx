import { clsx } from 'clsx'
import { Ban, CheckCircle2, Clock, Loader2, type LucideIcon, XCircle } from 'lucide-react'
import type { TaskUsage } from '@/api/types'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { money, short } from '@/lib/amounts'
import { words } from '@/words/en/tasks'
import { say } from '@/words/say'

const LOOKS: Record<keyof typeof words.statuses, { tone: BadgeTone; icon: LucideIcon }> = {
  pending: { tone: 'neutral', icon: Clock },
  running: { tone: 'info', icon: Loader2 },
  waiting: { tone: 'warning', icon: Clock },
  completed: { tone: 'success', icon: CheckCircle2 },
  failed: { tone: 'danger', icon: XCircle },
  cancelled: { tone: 'neutral', icon: Ban },
}

const isKnown = (status: string): status is keyof typeof LOOKS => status in LOOKS

export function TaskStatus({ status }: { status: string }) {
  const { tone, icon: Icon } = LOOKS[isKnown(status) ? status : 'pending']
  return (
    <Badge tone={tone} className="inline-flex items-center gap-1">
      <Icon aria-hidden className={clsx('size-3.5 shrink-0', status === 'running' && 'animate-spin')} />
      {isKnown(status) ? words.statuses[status] : status}
    </Badge>
  )
}

/** `1.2K in · 43 out · $0.00`. */
export function UsageLine({ usage }: { usage: TaskUsage }) {
  const { inputTokens, outputTokens, costUsd } = usage
  return (
    <span className="tabular-nums" title={say(words.tokensInAndOut, { input: inputTokens, output: outputTokens })}>
      {say(words.tokensAndMoney, { input: short(inputTokens), output: short(outputTokens), cost: costUsd === null ? words.costUnknown : money(costUsd) })}
    </span>
  )
}
