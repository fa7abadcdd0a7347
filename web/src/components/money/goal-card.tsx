import { Pencil } from 'lucide-react'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { IconButton } from '@/components/ui/icon-button'
import type { GoalProgress } from '@/hooks/use-reports'
import { fullDay } from '@/lib/days'
import { formatMoney } from '@/lib/money'
import { words } from '@/words/en/money'
import { say } from '@/words/say'
import { percentOf, ProgressBar } from '@/components/ui/progress-bar'

interface GoalCardProps {
  goal: GoalProgress
  /** Undefined for those who may not change it. */
  onEdit?: (opener: HTMLElement) => void
}

export function GoalCard({ goal, onEdit }: GoalCardProps) {
  const { name, currency, saved, target_amount: target, target_on: by, account, needed_per_month: needed } = goal
  const money = (amount: number) => formatMoney(amount, currency)
  const percent = percentOf(saved, target)
  const summary = say(words.savedOfTarget, { saved: money(saved), target: money(target) })
  const [tone, state] = goalState(goal)
  return (
    <Card className="grid content-start gap-3 p-4 sm:p-5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <h2 dir="auto" className="font-medium wrap-anywhere">{name}</h2>
          {account !== null && <p className="truncate text-sm text-muted">{say(words.savedInAccount, { account })}</p>}
        </div>
        <Badge tone={tone} className="mt-0.5 shrink-0">{state}</Badge>
        {onEdit !== undefined && (
          <IconButton
            label={say(words.editName, { name })}
            onClick={(event) => {
              onEdit(event.currentTarget)
            }}
          >
            <Pencil aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
      <p className="flex items-baseline justify-between gap-3 tabular-nums">
        <span className="text-xl font-semibold">{money(saved)}</span>
        <span className="text-sm text-muted">{say(words.ofTarget, { target: money(target) })}</span>
      </p>
      <ProgressBar label={name} percent={percent} summary={summary} className={percent >= 100 ? 'bg-success' : 'bg-brand'} />
      <dl className="grid gap-1 text-sm">
        {by !== null && <Fact name={words.by}>{fullDay(by)}</Fact>}
        <Projected goal={goal} />
        {needed !== null && <Fact name={words.needed}>{say(words.perMonth, { amount: money(needed) })}</Fact>}
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="text-right text-pretty tabular-nums">{children}</dd>
    </div>
  )
}

function Projected({ goal: { is_reached, projected_on, per_month, method, currency } }: { goal: GoalProgress }) {
  if (is_reached) return null
  if (projected_on !== null) {
    const pace = per_month === null ? undefined : formatMoney(per_month, currency)
    return <Fact name={words.projected}>{pace === undefined ? fullDay(projected_on) : say(words.dayAtPace, { day: fullDay(projected_on), amount: pace })}</Fact>
  }
  // Without a pace it can't be said; with one, it never comes.
  return <Fact name={words.projected}>{per_month === null ? (method ?? words.notKnown) : words.itIsNotGrowing}</Fact>
}

/** How a goal stands, in a word. */
export function goalState(goal: Pick<GoalProgress, 'status' | 'is_reached' | 'is_on_schedule'>): [BadgeTone, string] {
  if (goal.status === 'given_up') return ['neutral', words.goalStates.given_up]
  if (goal.status === 'completed' || goal.is_reached) return ['success', words.goalStates.reached]
  if (goal.is_on_schedule === null) return ['neutral', words.goalStates.open]
  return goal.is_on_schedule ? ['success', words.goalStates.onSchedule] : ['warning', words.goalStates.behind]
}
