import { clsx } from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import type { Figure } from '@/hooks/use-analytics'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'
import { changeOf } from './figure-values'

interface FigureChangeProps {
  figure: Pick<Figure, 'unit' | 'better'>
  now: number | null
  before: number | null
}

/** How much more or less than before: by an arrow, in words, and in a colour where it is good or bad news. */
export function FigureChange({ figure, now, before }: FigureChangeProps) {
  const change = changeOf(now, before, figure)
  if (change === undefined || now === null || before === null) return null
  const Icon = now > before ? ArrowUp : now < before ? ArrowDown : ArrowRight
  const color = change.isGood === undefined ? 'text-muted' : change.isGood ? 'text-success' : 'text-danger'
  return (
    <span className={clsx('inline-flex items-center gap-1 text-sm font-medium tabular-nums', color)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span aria-hidden>{change.text}</span>
      <span className="sr-only">{say(words.changeFromBefore, { change: change.text })}</span>
    </span>
  )
}
