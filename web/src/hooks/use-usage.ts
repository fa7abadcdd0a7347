import { useQuery } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { fetchUsage } from '@/api/usage'
import { useWorkspace } from './use-workspace'

/** Tokens and cost, day by day: of the workspace for its admins, of oneself for others. */
export function useUsage(days: number) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.usage(workspace.id), days] as const,
    queryFn: ({ signal }) => fetchUsage(workspace.id, days, signal),
  })
}
