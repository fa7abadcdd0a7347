// What stands around the form of a deal: winning and losing it, the stages that it was in, what is to be done about it.
import { useMutation } from '@tanstack/react-query'
import { RotateCcw, ThumbsDown, Trophy } from 'lucide-react'
import { useState } from 'react'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import type { Choices } from '@/components/data/row-form'
import { Button } from '@/components/ui/button'
import { useRowActions } from '@/hooks/use-data'
import { useDealStages } from '@/hooks/use-sales'
import { fullDay } from '@/lib/days'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'
import { ActivitiesOf } from './activities-of'
import { LostDialog } from './lost-dialog'
import { isClosed, StageBadge } from './stages'

/** Fields that say nothing of a deal as it is: where its card stands is said by moving it. */
export function hiddenOf(row: DataRow | undefined): readonly string[] {
  const stage = row?.fields.stage
  return ['position', ...(isClosed(stage) ? [] : ['closed_on']), ...(stage === 'lost' ? [] : ['lost_reason'])]
}

interface DealDetailsProps {
  row: DataRow
  choices: Choices
  mayChange: boolean
}

export function DealDetails({ row, choices, mayChange }: DealDetailsProps) {
  const { contact_id, company_id } = row.fields
  return (
    <>
      <Stages deal={row.id} />
      <ActivitiesOf filters={{ dealId: row.id }} initial={{ deal_id: row.id, contact_id, company_id }} choices={choices} mayChange={mayChange} />
    </>
  )
}

/** Above the form: what most people open a deal for. */
export function DealActions({ row, onDone }: { row: DataRow; onDone: () => void }) {
  const [opener, setOpener] = useState<HTMLElement>()
  const { mutate, isPending } = useStage(onDone)
  if (isClosed(row.fields.stage)) {
    return (
      <div>
        <Button
          size="sm"
          variant="secondary"
          pending={isPending}
          onClick={() => {
            mutate({ row, fields: { stage: 'negotiation' } })
          }}
        >
          <RotateCcw aria-hidden className="size-4" />
          {words.reopen}
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        variant="secondary"
        pending={isPending}
        onClick={() => {
          mutate({ row, fields: { stage: 'won' } })
        }}
      >
        <Trophy aria-hidden className="size-4 text-success" />
        {words.markAsWon}
      </Button>
      <Button
        size="sm"
        variant="secondary"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <ThumbsDown aria-hidden className="size-4 text-danger" />
        {words.lose}
      </Button>
      {opener !== undefined && (
        <LostDialog
          name={String(row.fields.name)}
          opener={opener}
          onAnswer={(fields) => {
            setOpener(undefined)
            if (fields !== undefined) mutate({ row, fields: { stage: 'lost', ...fields } })
          }}
        />
      )}
    </div>
  )
}

/** Brings a deal to another stage, and says so. */
function useStage(onDone: () => void) {
  const { change } = useRowActions('deals')
  return useMutation({
    mutationFn: ({ row, fields }: { row: DataRow; fields: { stage: string } & Record<string, unknown> }) => change(row, fields),
    onSuccess: (_, { row, fields: { stage } }) => {
      const said = stage === 'won' ? words.isWon : stage === 'lost' ? words.isLost : words.isOpen
      notify(say(said, { name: String(row.fields.name) }))
      onDone()
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
}

const DAY = 86_400_000

/** The stages that a deal was in, and for how long. */
function Stages({ deal }: { deal: string }) {
  const { data } = useDealStages(deal)
  if (data === undefined || data.length < 2) return null
  return (
    <section aria-label={words.stages} className="grid gap-3 border-t border-border pt-4">
      <h3 className="text-sm font-semibold">{words.stages}</h3>
      <ol className="grid gap-2 text-sm">
        {data.map(({ id, stage, entered_at, left_at }) => {
          const days = left_at === null || left_at === undefined ? undefined : Math.floor((Date.parse(left_at) - Date.parse(entered_at)) / DAY)
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="w-28">
                <StageBadge stage={stage} />
              </span>
              <span className="text-muted">
                {days === undefined ? say(words.stageFrom, { day: fullDay(entered_at.slice(0, 10)) }) : days === 0 ? words.lessThanADay : say(words.stageFor, { count: days })}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
