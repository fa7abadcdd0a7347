import { useMutation, useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { NewSkill, Skill, SkillChanges, SkillsImported } from '@/api/types'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

export function useSkills() {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/skills', { params: { query: { workspaceId: workspace.id } } }, { select: ({ skills }) => skills })
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

export function createSkill(workspaceId: string, skill: NewSkill): Promise<Skill> {
  return unwrap(client.POST('/api/skills', { body: { ...skill, workspaceId } }))
}

export function changeSkill(id: string, body: SkillChanges): Promise<Skill> {
  return unwrap(client.PATCH('/api/skills/{id}', { params: { path: { id } }, body }))
}

export async function deleteSkill(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/skills/{id}', { params: { path: { id } } }))
}

/** A SKILL.md, or a zip with a folder per skill. */
export function importSkills(workspaceId: string, file: Blob & { name?: string }): Promise<SkillsImported> {
  const isZip = file.type.includes('zip') || file.name?.toLowerCase().endsWith('.zip') === true
  return unwrap(
    client.POST('/api/skills/import', {
      params: { query: { workspaceId } },
      // The schema can only say that a body of bytes is a string.
      body: file as unknown as string,
      bodySerializer: (body: unknown) => body as BodyInit,
      headers: { 'Content-Type': isZip ? 'application/zip' : 'text/markdown' },
    }),
  )
}
