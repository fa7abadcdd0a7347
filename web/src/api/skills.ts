import { client, unwrap } from './client'
import type { NewSkill, Skill, SkillChanges, SkillsImported } from './types'

export async function fetchSkills(workspaceId: string, signal?: AbortSignal): Promise<Skill[]> {
  return (await unwrap(client.GET('/api/skills', { params: { query: { workspaceId } }, signal }))).skills
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
