import { Clock } from 'lucide-react'
import { Link } from 'wouter'
import type { Approval } from '@/api/types'
import { argumentsLine } from '@/lib/arguments-line'
import { ago, dateAndTime } from '@/lib/when'
import { ApprovalButtons } from './approval-buttons'
import { useApprovalNames } from './use-approval-names'

/** A decision to be made, in a few lines. */
export function ApprovalItem({ approval }: { approval: Approval }) {
  const { agentName, toolName, conversationPath } = useApprovalNames(approval)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4 sm:flex-nowrap">
      <div className="flex min-w-0 grow gap-3">
        <Clock aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="min-w-0 text-sm">
          <p className="wrap-anywhere">
            <span className="font-medium">{agentName}</span> <span className="text-muted">wants to use</span>{' '}
            <span className="font-medium">{toolName}</span>
          </p>
          <p className="mt-0.5 line-clamp-2 text-muted wrap-anywhere">{argumentsLine(approval.args)}</p>
          <p className="mt-1.5 flex flex-wrap gap-x-3 text-xs text-muted">
            <time dateTime={approval.created_at} title={dateAndTime(approval.created_at)}>
              {ago(approval.created_at)}
            </time>
            <Link
              to={conversationPath}
              className="rounded-sm font-medium text-foreground underline decoration-control underline-offset-4 hover:decoration-foreground"
            >
              Open conversation<span className="sr-only"> with {agentName}</span>
            </Link>
          </p>
        </div>
      </div>
      <div className="pl-7 sm:pl-0">
        <ApprovalButtons approval={approval} subject={`${agentName} wants to use ${toolName}`} />
      </div>
    </li>
  )
}
