import { ArrowRightLeft, CircleStop, Clock, Flag, Sparkles, Split, User, Wrench, XCircle, type LucideIcon } from 'lucide-react'
import type { SpanKind } from './timeline'

/** `fill` colours its bar. */
export const SPAN_LOOK: Record<SpanKind, { icon: LucideIcon; fill: string }> = {
  person: { icon: User, fill: 'fill-control' },
  model: { icon: Sparkles, fill: 'fill-brand' },
  tool: { icon: Wrench, fill: 'fill-info' },
  approval: { icon: Clock, fill: 'fill-warning' },
  router: { icon: Split, fill: 'fill-brand' },
  handoff: { icon: ArrowRightLeft, fill: 'fill-brand' },
  stage: { icon: Flag, fill: 'fill-success' },
  error: { icon: XCircle, fill: 'fill-danger' },
  end: { icon: CircleStop, fill: 'fill-control' },
}
