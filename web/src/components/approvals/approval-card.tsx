// What waits for this person's decision: with all there is to know on the page of approvals, in a few lines on the dashboard.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { decideApproval, type Decision } from '@/api/approvals'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Agent, Approval } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { argumentsLine } from '@/components/ui/named-values'
import { useWorkspace } from '@/hooks/use-workspace'
import { toolWords } from '@/lib/text'
import { notify } from '@/lib/toasts'
import { ago, dateAndTime } from '@/lib/when'
import { useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/approvals'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { ApprovalDecision } from './approval-decision'
import { CallPreview, PreviewTable } from './call-preview'

/** A decision to be made, with all there is to know about it. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const { agent, agentName, toolName, conversationPath } = useApprovalNames(approval)
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <div className="flex items-start gap-3">
        <AgentAvatar agent={agent ?? { slug: approval.agent_id, avatar_url: null }} size="md" />
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">
            {say(words.agentNameWantsToUseToolName, { agentName, toolName })}
          </h2>
          <p className="mt-0.5 text-sm text-muted">
            {rich(words.askedAndExpires, { asked: <Time at={approval.created_at} />, expires: <Time at={approval.expires_at} /> })}
          </p>
        </div>
      </div>
      <ListedDecision approval={approval} subject={say(words.agentNameWantsToUseToolName, { agentName, toolName })}>
        <CallPreview preview={approval.preview} args={approval.args} />
      </ListedDecision>
      <Link to={conversationPath} className={buttonClass('ghost', 'sm', '-ml-3 w-fit')}>
        {rich(words.openConversation, { agentName, hidden: (more) => <span className="sr-only">{more}</span> })}
      </Link>
    </Card>
  )
}

/** Changes that the few lines of the dashboard tell. */
const SHORT = 3

/** A decision to be made, in a few lines. */
export function ApprovalItem({ approval }: { approval: Approval }) {
  const { agentName, toolName, conversationPath } = useApprovalNames(approval)
  return (
    <li className="flex gap-3 p-4">
      <Clock aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <div className="grid min-w-0 grow gap-3">
        <div className="min-w-0 text-sm">
          <p className="wrap-anywhere">
            {rich(words.agentNameWantsToUse, {
              agentName: <span dir="auto" className="font-medium">{agentName}</span>,
              toolName: <span className="font-medium">{toolName}</span>,
              muted: (more) => <span className="text-muted">{more}</span>,
            })}
          </p>
          {approval.preview === null ? (
            <p className="mt-0.5 line-clamp-2 text-muted wrap-anywhere">{argumentsLine(approval.args)}</p>
          ) : (
            <div className="mt-0.5 grid gap-2">
              <p dir="auto" className="line-clamp-2 wrap-anywhere">{approval.preview.sentence}</p>
              <PreviewTable preview={approval.preview} most={SHORT} />
            </div>
          )}
          <p className="mt-1.5 flex flex-wrap gap-x-3 text-xs text-muted">
            <Time at={approval.created_at} />
            <Link
              to={conversationPath}
              className="rounded-sm font-medium text-foreground underline decoration-control underline-offset-4 hover:decoration-foreground"
            >
              {rich(words.openConversation, { agentName, hidden: (more) => <span className="sr-only">{more}</span> })}
            </Link>
          </p>
        </div>
        <ListedDecision approval={approval} subject={say(words.agentNameWantsToUseToolName, { agentName, toolName })} once />
      </div>
    </li>
  )
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {ago(at)}
    </time>
  )
}

interface ListedDecisionProps {
  approval: Approval
  subject: string
  /** Only this once, and as it is: where not all of the arguments may be in sight. */
  once?: boolean
  children?: ReactNode
}

/**
 * Deciding takes the item away, and the focus with it: it goes to the next item, or else to the page's heading. Until the server
 * has answered, the decision is taken to be made; but whoever changed the arguments keeps them until they are taken.
 */
function ListedDecision({ approval, subject, once, children }: ListedDecisionProps) {
  const { mutate, mutateAsync } = useDecideApproval()
  const decided = useRef(false)
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const decision = ref.current
    const byThisPerson = () => decided.current
    return () => {
      if (!byThisPerson() && !decision?.contains(document.activeElement)) return
      const item = decision?.closest('li')
      const next = item?.nextElementSibling ?? item?.previousElementSibling
      requestAnimationFrame(() => {
        const target = next?.isConnected ? next : document.querySelector('main h1')
        const focused = document.activeElement
        const nowhere = focused === document.body || focused === document.getElementById('main')
        if (!(target instanceof HTMLElement) || !nowhere) return
        target.tabIndex = -1
        target.focus()
      })
    }
  }, [])
  const settle = async (decision: Decision) => {
    if (isEdited(decision)) await mutateAsync({ approval, decision })
    decided.current = true
    if (!isEdited(decision)) mutate({ approval, decision })
  }
  return (
    <div ref={ref} className="grid min-w-0 gap-3">
      <ApprovalDecision
        args={approval.args}
        subject={subject}
        once={once}
        onApprove={(how) => settle({ kind: 'approve', ...how })}
        onReject={(reason) => settle({ kind: 'reject', reason })}
      >
        {children}
      </ApprovalDecision>
    </div>
  )
}

interface ApprovalNames {
  /** Undefined if it is gone, or not loaded yet. */
  agent: Agent | undefined
  agentName: string
  toolName: string
  conversationPath: string
}

/** Who asks and for what, by the names people know. */
function useApprovalNames(approval: Approval): ApprovalNames {
  const { getLocalAgentById, isLoading } = useAgents()
  const agent = getLocalAgentById(approval.agent_id)
  const tool = agent?.toolDetails.find(({ toolName }) => toolName === approval.tool_name)
  return {
    agent,
    agentName: agent?.name ?? (isLoading ? words.agent : words.anAgentThatIsGone),
    toolName: toolWords(tool?.name ?? approval.tool_name),
    conversationPath: `/agents/${approval.agent_id}?conversation=${approval.conversation_id}`,
  }
}

interface Decided {
  approval: Approval
  decision: Decision
}

function isEdited(decision: Decision): boolean {
  return decision.kind === 'approve' && decision.args !== undefined
}

/** Takes the approval off the list at once, unless its arguments were changed; it comes back if the server refuses. */
function useDecideApproval() {
  const queryClient = useQueryClient()
  const workspace = useWorkspace()
  const queryKey = keys.pendingApprovals(workspace.id)
  return useMutation({
    mutationFn: ({ approval, decision }: Decided) => decideApproval(approval, decision),
    onMutate: async ({ approval, decision }) => {
      if (isEdited(decision)) return
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<Approval[]>(queryKey, (list) => list?.filter(({ id }) => id !== approval.id))
    },
    onSuccess: (_, { decision }) => {
      notify(decision.kind === 'approve' ? words.approvedTheAgentGoesOn : words.rejectedTheAgentHasBeen)
    },
    onError: (error, { approval, decision }) => {
      if (isEdited(decision)) return
      queryClient.setQueryData<Approval[]>(queryKey, (list) => put(list, approval))
      notify(messageOf(error), 'error')
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.approvals(workspace.id) }),
        queryClient.invalidateQueries({ queryKey: keys.agentStats(workspace.id) }),
      ]),
  })
}

/** Back to its place: the newest first. */
function put(list: Approval[] | undefined, approval: Approval): Approval[] {
  const others = (list ?? []).filter(({ id }) => id !== approval.id)
  return [...others, approval].sort((a, b) => b.created_at.localeCompare(a.created_at))
}
