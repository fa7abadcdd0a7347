import { useMutation, useQueryClient } from '@tanstack/react-query'
import { decideApproval, type Decision } from '@/api/approvals'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Approval } from '@/api/types'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

interface Decided {
  approval: Approval
  decision: Decision
}

/** Takes the approval off the list at once; it comes back if the server refuses. */
export function useDecideApproval() {
  const queryClient = useQueryClient()
  const workspace = useWorkspace()
  const queryKey = keys.pendingApprovals(workspace.id)
  return useMutation({
    mutationFn: ({ approval, decision }: Decided) => decideApproval(approval, decision),
    onMutate: async ({ approval }) => {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<Approval[]>(queryKey, (list) => list?.filter(({ id }) => id !== approval.id))
    },
    onSuccess: (_, { decision }) => {
      notify(decision.kind === 'approve' ? 'Approved. The agent goes on.' : 'Rejected. The agent has been told.')
    },
    onError: (error, { approval }) => {
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
