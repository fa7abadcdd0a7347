import { Link } from 'wouter'
import type { Approval } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { buttonClass } from '@/components/ui/button-class'
import { Card } from '@/components/ui/card'
import { ago, dateAndTime } from '@/lib/when'
import { ApprovalArguments } from './approval-arguments'
import { ApprovalButtons } from './approval-buttons'
import { useApprovalNames } from './use-approval-names'

/** A decision to be made, with all there is to know about it. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const { agent, agentName, toolName, conversationPath } = useApprovalNames(approval)
  return (
    <Card className="p-4 sm:p-5">
      <div className="flex items-start gap-3">
        <AgentAvatar agent={agent ?? { slug: approval.agent_id, avatar_url: null }} size="md" />
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">
            {agentName} wants to use {toolName}
          </h2>
          <p className="mt-0.5 text-sm text-muted">
            Asked{' '}
            <time dateTime={approval.created_at} title={dateAndTime(approval.created_at)}>
              {ago(approval.created_at)}
            </time>
            , expires{' '}
            <time dateTime={approval.expires_at} title={dateAndTime(approval.expires_at)}>
              {ago(approval.expires_at)}
            </time>
          </p>
        </div>
      </div>
      <ApprovalArguments args={approval.args} />
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <Link to={conversationPath} className={buttonClass('ghost', 'sm', '-ml-3')}>
          Open conversation<span className="sr-only"> with {agentName}</span>
        </Link>
        <ApprovalButtons approval={approval} subject={`${agentName} wants to use ${toolName}`} asksReason />
      </div>
    </Card>
  )
}
