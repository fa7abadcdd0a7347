import type { Transition } from '@/api/types'
import { outcomeWords } from '@/api/words'
import { Badge, type BadgeTone } from '@/components/ui/badge'

const TONES: Record<Transition['outcome'], BadgeTone> = {
  completed: 'success',
  refused: 'danger',
  ignored: 'neutral',
  rolled_back: 'warning',
}

export function OutcomeBadge({ outcome }: { outcome: Transition['outcome'] }) {
  return <Badge tone={TONES[outcome]}>{outcomeWords(outcome)}</Badge>
}
