import { CircleCheck } from 'lucide-react'
import { ApprovalCard } from '@/components/approvals/approval-card'
import { Page } from '@/components/layout/page'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { usePendingApprovals } from '@/hooks/use-approvals'
import { words } from '@/words/en/approvals'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'

export default function PendingApprovalsPage() {
  const { data, error, isPending, isFetching, refetch } = usePendingApprovals()
  return (
    <Page title={common.pendingApprovals} description={words.pendingApprovalsDescription}>
      <p role="status" className={data?.length ? 'mb-4 text-sm text-muted' : 'sr-only'}>
        {isPending ? words.loadingApprovals : data === undefined ? '' : say(words.countDecisions, { count: data.length })}
      </p>
      {isPending && <PendingSkeleton />}
      {error !== null && data === undefined && (
        <ErrorState
          title={words.theApprovalsCouldNotBe}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data?.length === 0 && (
        <EmptyState icon={<CircleCheck className="size-6" />} title={words.nothingIsWaitingForYou}>
          {words.whenAnAgentWantsTo}
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
