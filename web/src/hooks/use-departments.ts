import { useQuery } from '@tanstack/react-query'
import { fetchDepartments } from '@/api/agents'
import { keys } from '@/api/query-client'

/** The departments agents belong to: the same on the whole server. */
export function useDepartments() {
  return useQuery({
    queryKey: keys.departments,
    queryFn: ({ signal }) => fetchDepartments(signal),
    staleTime: 5 * 60_000,
  })
}
