// Who may see and change which part of the workspace's data.
import { useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import type { components } from '@/api/schema'
import { useWorkspace } from './use-workspace'

export type AreaRule = components['schemas']['AreaRuleView']
export type Area = AreaRule['area']
export type AreaAccess = AreaRule['access']

export function useAreas() {
  const { id } = useWorkspace()
  return $api.useQuery('get', '/api/workspaces/{id}/areas', { params: { path: { id } } })
}

/** What the signed-in person may do in an area; undefined until that is known. */
export function useAccess(area: Area): AreaAccess | undefined {
  return useAreas().data?.own.find((own) => own.area === area)?.access
}

/** Sets what roles may do, and takes over what the server made of it. */
export function useChangeAreas(): (rules: AreaRule[]) => Promise<void> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  return async (rules) => {
    const areas = await unwrap(client.PATCH('/api/workspaces/{id}/areas', { params: { path: { id } }, body: { rules } }))
    queryClient.setQueryData(['get', '/api/workspaces/{id}/areas', { params: { path: { id } } }], areas)
  }
}
