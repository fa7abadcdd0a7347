import { ApprovalItem } from '@/components/approvals/approval-card'
import { Card } from '@/components/ui/card'
import { Section } from '@/components/ui/section'
import { ViewAll } from '@/components/ui/text-link'
import { usePendingApprovals } from '@/hooks/use-approvals'
import { SectionFailure, SectionNote, SectionSkeleton } from './section-states'

const SHOWN = 3

/** The newest decisions to be made. */
export function PendingSection() {
  return (
    <Section title="Pending Approvals" action={<ViewAll to="/agents/activity/pending" of="pending approvals" />}>
      <PendingApprovals />
    </Section>
  )
}

function PendingApprovals() {
  const { data: approvals, error, errorUpdateCount, refetch, isFetching } = usePendingApprovals()
  if (approvals === undefined) {
    // While it is tried again the button stays where it is.
    if (errorUpdateCount === 0) return <SectionSkeleton label="Loading pending approvals" className="h-24" />
    return <SectionFailure title="The approvals could not be loaded" error={error} onRetry={refetch} retrying={isFetching} />
  }
  if (approvals.length === 0) return <SectionNote>Nothing waits for your decision.</SectionNote>
  return (
    <Card>
      <ul className="divide-y divide-border">
        {approvals.slice(0, SHOWN).map((approval) => (
          <ApprovalItem key={approval.id} approval={approval} />
        ))}
      </ul>
    </Card>
  )
}
