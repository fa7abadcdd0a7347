import { useQuery } from '@tanstack/react-query'
import { fetchPacks } from '@/api/packs'
import { keys } from '@/api/query-client'
import { fetchTeam, fetchTeams } from '@/api/teams'
import { useWorkspace } from './use-workspace'

export function useTeams() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.teams(workspace.id),
    queryFn: ({ signal }) => fetchTeams(workspace.id, signal),
  })
}

export function useTeam(id: string | undefined) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.team(workspace.id, id ?? ''),
    queryFn: ({ signal }) => fetchTeam(id ?? '', signal),
    enabled: id !== undefined,
  })
}

export function usePacks() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.packs(workspace.id),
    queryFn: ({ signal }) => fetchPacks(workspace.id, signal),
  })
}
