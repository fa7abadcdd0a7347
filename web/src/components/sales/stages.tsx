// The stages of a deal, as they look.
import { clsx } from 'clsx'
import type { Kind } from '@/api/data'
import { choiceWords } from '@/components/data/values'
import { Badge, type BadgeTone } from '@/components/ui/badge'

interface Look {
  tone: BadgeTone
  dot: string
}

const LOOKS: Record<string, Look> = {
  lead: { tone: 'neutral', dot: 'bg-control' },
  qualified: { tone: 'info', dot: 'bg-info' },
  proposal: { tone: 'brand', dot: 'bg-brand' },
  negotiation: { tone: 'warning', dot: 'bg-warning' },
  won: { tone: 'success', dot: 'bg-success' },
  lost: { tone: 'danger', dot: 'bg-danger' },
}

export function isClosed(stage: unknown): boolean {
  return stage === 'won' || stage === 'lost'
}

export function stagesOf(deals: Kind): readonly string[] {
  return deals.fields.find(({ name }) => name === 'stage')?.choices ?? []
}

export function StageMark({ column }: { column: string }) {
  return <span className={clsx('size-2.5 rounded-full', LOOKS[column]?.dot ?? 'bg-control')} />
}

export function StageBadge({ stage }: { stage: string }) {
  return <Badge tone={LOOKS[stage]?.tone}>{choiceWords(stage)}</Badge>
}
