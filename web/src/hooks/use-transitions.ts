import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { fetchTransitions } from '@/api/tasks'
import { useWorkspace } from './use-workspace'

/** How the handoffs of the current workspace went. */
export function useTransitions(days: number) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.transitions(workspace.id), days] as const,
    queryFn: ({ signal }) => fetchTransitions(workspace.id, days, signal),
    placeholderData: keepPreviousData,
  })
}
