import { ApprovalItem } from '@/components/approvals/approval-card'
import { Card } from '@/components/ui/card'
import { Section } from '@/components/ui/section'
import { ViewAll } from '@/components/ui/text-link'
import { usePendingApprovals } from '@/hooks/use-approvals'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/dashboard'
import { SectionFailure, SectionNote, SectionSkeleton } from './section-states'

const SHOWN = 3

/** The newest decisions to be made. */
export function PendingSection() {
  return (
    <Section title={common.pendingApprovals} action={<ViewAll to="/agents/activity/pending" of="approvals" />}>
      <PendingApprovals />
    </Section>
  )
}

function PendingApprovals() {
  const { data: approvals, error, errorUpdateCount, refetch, isFetching } = usePendingApprovals()
  if (approvals === undefined) {
    // While it is tried again the button stays where it is.
    if (errorUpdateCount === 0) return <SectionSkeleton label={words.loadingPendingApprovals} className="h-24" />
    return <SectionFailure title={words.theApprovalsCouldNotBe} error={error} onRetry={refetch} retrying={isFetching} />
  }
  if (approvals.length === 0) return <SectionNote>{words.nothingWaitsForYourDecision}</SectionNote>
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
