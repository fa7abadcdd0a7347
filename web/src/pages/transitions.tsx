import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Transitions } from '@/api/types'
import { Page } from '@/components/layout/page'
import { AttemptsTable } from '@/components/transitions/attempts-table'
import { PairsTable } from '@/components/transitions/pairs-table'
import { PeriodChoice, Totals } from '@/components/transitions/totals'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Section } from '@/components/ui/section'
import { Skeleton } from '@/components/ui/skeleton'
import { useTransitions } from '@/hooks/use-records'
import { words } from '@/words/en/transitions'
import { say } from '@/words/say'

export default function TransitionsPage() {
  const [days, setDays] = useState(30)
  const { data, error, isPending, isFetching, refetch } = useTransitions(days)
  return (
    <Page
      title={words.handoffs}
      description={words.handoffsDescription}
      actions={<PeriodChoice value={days} onChange={setDays} />}
    >
      {isPending && <TransitionsSkeleton />}
      {error !== null && data === undefined && (
        <ErrorState
          title={words.theHandoffsCouldNotBe}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data !== undefined && (data.totals.attempts === 0 ? <NoHandoffs days={days} /> : <Report transitions={data} />)}
    </Page>
  )
}

function Report({ transitions }: { transitions: Transitions }) {
  return (
    <div className="grid grid-cols-1 gap-8 sm:gap-10">
      <Totals totals={transitions.totals} />
      <Section title={words.byPair}>
        <PairsTable pairs={transitions.pairs} />
      </Section>
      <Section title={words.recentAttempts}>
        <AttemptsTable attempts={transitions.transitions} />
      </Section>
    </div>
  )
}

function NoHandoffs({ days }: { days: number }) {
  return (
    <EmptyState
      icon={<ArrowRightLeft className="size-6" />}
      title={say(words.noHandoffsInTheLast, { days })}
      action={
        <Link to="/agents/teams" className={buttonClass('secondary')}>
          {words.seeTeams}
        </Link>
      }
    >
      {words.agentsOfATeamHand}
    </EmptyState>
  )
}

function TransitionsSkeleton() {
  return (
    <div role="status" className="grid gap-8">
      <span className="sr-only">{words.loadingHandoffs}</span>
      <Skeleton className="h-28" />
      <Skeleton className="h-48" />
    </div>
  )
}
