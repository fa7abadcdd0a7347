import { clsx } from 'clsx'
import { Ban, CheckCircle2, Clock, Loader2, type LucideIcon, XCircle } from 'lucide-react'
import { Badge, type BadgeTone } from '@/components/ui/badge'

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
