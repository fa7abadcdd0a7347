import { CircleCheck } from 'lucide-react'
import { ApprovalCard } from '@/components/approvals/approval-card'
import { Page } from '@/components/layout/page'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { usePendingApprovals } from '@/hooks/use-approvals'
import { counted } from '@/lib/text'

export default function PendingApprovalsPage() {
  const { data, error, isPending, isFetching, refetch } = usePendingApprovals()
  return (
    <Page title="Pending Approvals" description="Agents wait for your decision before they use these tools">
      <p role="status" className={data?.length ? 'mb-4 text-sm text-muted' : 'sr-only'}>
        {isPending ? 'Loading approvals' : data === undefined ? '' : counted(data.length, 'decision')}
      </p>
      {isPending && <PendingSkeleton />}
      {error !== null && data === undefined && (
        <ErrorState
          title="The approvals could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data?.length === 0 && (
        <EmptyState icon={<CircleCheck className="size-6" />} title="Nothing is waiting for you">
          When an agent wants to use a tool that changes something, it asks here and in its conversation.
        </EmptyState>
      )}
      <ul className="grid max-w-3xl gap-4">
        {data?.map((approval) => (
          <li key={approval.id}>
            <ApprovalCard approval={approval} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

function PendingSkeleton() {
  return (
    <div className="grid max-w-3xl gap-4">
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  )
}
