import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import { changeSkill, fetchSkills } from '@/api/skills'
import type { SkillChanges } from '@/api/types'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

export function useSkills() {
  const workspace = useWorkspace()
  return useQuery({ queryKey: keys.skills(workspace.id), queryFn: ({ signal }) => fetchSkills(workspace.id, signal) })
}

/** The names of skills are part of what an agent is told, so both are read again. */
export function useRefreshSkills() {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.skills(workspace.id) }),
      queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
    ])
}

export function useChangeSkill() {
  const refresh = useRefreshSkills()
  return useMutation({
    mutationFn: ({ id, changes }: { id: string; changes: SkillChanges }) => changeSkill(id, changes),
    onSuccess: refresh,
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
}
