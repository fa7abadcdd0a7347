import { useQuery } from '@tanstack/react-query'
import { fetchPendingApprovals } from '@/api/approvals'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

/** Tool calls that wait for this person's decision. */
export function usePendingApprovals() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.pendingApprovals(workspace.id),
    queryFn: ({ signal }) => fetchPendingApprovals(workspace.id, signal),
  })
}
