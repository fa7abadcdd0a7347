import { usePendingApprovals } from '@/hooks/use-pending-approvals'
import { ApprovalItem } from '../approvals/approval-item'
import { Section } from '../section'
import { Card } from '../ui/card'
import { ViewAll } from '../view-all'

const SHOWN = 3

/** The newest decisions to be made; not there when nothing waits. */
export function PendingSection() {
  const { data: approvals = [] } = usePendingApprovals()
  if (approvals.length === 0) return null
  return (
    <Section title="Pending Approvals" action={<ViewAll to="/agents/activity/pending" of="pending approvals" />}>
      <Card>
        <ul className="divide-y divide-border">
          {approvals.slice(0, SHOWN).map((approval) => (
            <ApprovalItem key={approval.id} approval={approval} />
          ))}
        </ul>
      </Card>
    </Section>
  )
}
