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

export default function TransitionsPage() {
  const [days, setDays] = useState(30)
  const { data, error, isPending, isFetching, refetch } = useTransitions(days)
  return (
    <Page
      title="Handoffs"
      description="How often agents hand over, how it goes, and what it saves"
      actions={<PeriodChoice value={days} onChange={setDays} />}
    >
      {isPending && <TransitionsSkeleton />}
      {error !== null && data === undefined && (
        <ErrorState
          title="The handoffs could not be loaded"
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
      <Section title="By pair">
        <PairsTable pairs={transitions.pairs} />
      </Section>
      <Section title="Recent attempts">
        <AttemptsTable attempts={transitions.transitions} />
      </Section>
    </div>
  )
}

function NoHandoffs({ days }: { days: number }) {
  return (
    <EmptyState
      icon={<ArrowRightLeft className="size-6" />}
      title={`No handoffs in the last ${days} days`}
      action={
        <Link to="/agents/teams" className={buttonClass('secondary')}>
          See teams
        </Link>
      }
    >
      Agents of a team hand a conversation to each other when another one knows better. Each attempt is counted here.
    </EmptyState>
  )
}

function TransitionsSkeleton() {
  return (
    <div role="status" className="grid gap-8">
      <span className="sr-only">Loading handoffs</span>
      <Skeleton className="h-28" />
      <Skeleton className="h-48" />
    </div>
  )
}
