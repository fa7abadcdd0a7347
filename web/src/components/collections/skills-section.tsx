import { Plus } from 'lucide-react'
import { useState } from 'react'
import { deleteSkill } from '@/api/skills'
import type { Skill } from '@/api/types'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useRefreshSkills, useSkills } from '@/hooks/use-skills'
import { notify } from '@/lib/toasts'
import { ImportSkills } from './import-skills'
import { SkillEditor } from './skill-editor'
import { SkillRow } from './skill-row'

interface SkillsSectionProps {
  agentId: string
  isAdmin: boolean
}

/** The skills of the workspace, and which of them the agent has. */
export function SkillsSection({ agentId, isAdmin }: SkillsSectionProps) {
  const skills = useSkills()
  const refresh = useRefreshSkills()
  const [editing, setEditing] = useState<Skill | 'new' | null>(null)
  const [deleting, setDeleting] = useState<{ skill: Skill; opener: HTMLElement | null } | null>(null)
  const all = skills.data ?? []
  const shown = isAdmin ? all : all.filter(({ agent_ids }) => agent_ids.includes(agentId))
  const editedId = editing === 'new' ? 'new' : editing?.id
  const close = () => {
    setEditing(null)
  }
  return (
    <SettingsSection
      id="skills"
      title="Skills"
      description="Instructions it loads when it needs them. It always sees their names and descriptions."
      actions={
        isAdmin && editing === null ? (
          <>
            <ImportSkills agentId={agentId} />
            <Button
              variant="secondary"
              onClick={() => {
                setEditing('new')
              }}
            >
              <Plus aria-hidden className="size-4" />
              New skill
            </Button>
          </>
        ) : undefined
      }
    >
      {editing !== null && (
        <SkillEditor key={editedId} agentId={agentId} skill={editing === 'new' ? undefined : editing} onClose={close} />
      )}
      <SectionList query={skills} what="skills" isEmpty={shown.length === 0 && editing === null} empty="No skills yet.">
        {shown.filter(({ id }) => id !== editedId).map((skill) => (
          <li key={skill.id} className="py-3 first:pt-0 last:pb-0">
            <SkillRow
              skill={skill}
              agentId={agentId}
              isAdmin={isAdmin}
              onEdit={() => {
                setEditing(skill)
              }}
              onDelete={(opener) => {
                setDeleting({ skill, opener })
              }}
            />
          </li>
        ))}
      </SectionList>
      {deleting && (
        <ConfirmDialog
          title={`Delete “${deleting.skill.display_name}”?`}
          description="No agent has it any longer."
          opener={deleting.opener}
          onClose={() => {
            setDeleting(null)
          }}
          onConfirm={async () => {
            await deleteSkill(deleting.skill.id)
            await refresh()
            notify('The skill is deleted.')
          }}
        />
      )}
    </SettingsSection>
  )
}
