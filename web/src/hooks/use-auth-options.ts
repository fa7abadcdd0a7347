import { useQuery } from '@tanstack/react-query'
import { fetchAuthOptions } from '@/api/auth'
import { keys } from '@/api/query-client'

/** How this server lets people in, and whether it is a demo. */
export function useAuthOptions() {
  return useQuery({
    queryKey: keys.options,
    queryFn: ({ signal }) => fetchAuthOptions(signal),
    staleTime: 10 * 60_000,
  })
}
