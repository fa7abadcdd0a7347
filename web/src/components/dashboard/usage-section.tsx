import { Section } from '@/components/ui/section'
import { useUsage } from '@/hooks/use-usage'
import { SectionFailure } from './section-failure'
import { SectionNote } from './section-note'
import { SectionSkeleton } from './section-skeleton'
import { UsageCard } from './usage-card'

const DAYS = 30

/** What the agents used, over time. */
export function UsageSection() {
  const query = useUsage(DAYS)
  const whose = query.data?.whose
  return (
    <Section
      title="Tokens and cost"
      action={
        whose !== undefined && (
          <p className="text-sm text-muted">
            {whose === 'own' ? 'Your own' : 'The workspace’s'}, last {DAYS} days
          </p>
        )
      }
    >
      <Usage {...query} />
    </Section>
  )
}

function Usage({ data, error, errorUpdateCount, refetch, isFetching }: ReturnType<typeof useUsage>) {
  if (data === undefined) {
    // While it is tried again the button stays where it is.
    if (errorUpdateCount === 0) return <SectionSkeleton label="Loading tokens and cost" className="h-80" />
    return <SectionFailure title="Tokens and cost could not be loaded" error={error} onRetry={refetch} retrying={isFetching} />
  }
  if (data.total.calls === 0) return <SectionNote>No agent has used a model in these days.</SectionNote>
  return <UsageCard usage={data} />
}
