import { changeSkill, createSkill } from '@/api/skills'
import type { Skill } from '@/api/types'
import { changes } from '@/components/forms/changes'
import { InlineEditor } from '@/components/forms/inline-editor'
import { useDraft } from '@/components/forms/use-draft'
import { TextField } from '@/components/ui/text-field'
import { TextareaField } from '@/components/ui/textarea-field'
import { useRefreshSkills } from '@/hooks/use-skills'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { skillNameProblem } from './skill-name'

interface SkillEditorProps {
  agentId: string
  /** Nothing for a new one, which this agent then has. */
  skill: Skill | undefined
  onClose: () => void
}

export function SkillEditor({ agentId, skill, onClose }: SkillEditorProps) {
  const workspace = useWorkspace()
  const refresh = useRefreshSkills()
  const form = useDraft({
    saved: { name: skill?.name ?? '', description: skill?.description ?? '', content: skill?.content ?? '' },
    check: ({ name, description, content }) => ({
      ...(skillNameProblem(name) !== undefined && { name: skillNameProblem(name) ?? '' }),
      ...(description.trim() === '' && { description: 'Description is missing.' }),
      ...(content.trim() === '' && { content: 'The instructions are missing.' }),
    }),
    save: async (draft, base) => {
      await (skill ? changeSkill(skill.id, changes(base, draft)) : createSkill(workspace.id, { ...draft, agent_ids: [agentId] }))
      await refresh()
      notify('The skill is saved.')
      onClose()
    },
  })
  const { draft, change, problemWith } = form
  const live = draft.name === '' ? undefined : skillNameProblem(draft.name)
  return (
    <InlineEditor
      label={skill ? `Edit ${skill.display_name}` : 'New skill'}
      problem={form.problem}
      pending={form.pending}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        name="name"
        autoFocus
        spellCheck={false}
        maxLength={64}
        placeholder="weekly-report"
        hint="Small letters, digits and single hyphens."
        controlClass="font-mono"
        value={draft.name}
        problem={live ?? problemWith('name')}
        onChange={(name) => {
          change({ name })
        }}
      />
      <TextareaField
        label="Description"
        name="description"
        rows={2}
        maxLength={1_024}
        placeholder="How we report. Use for weekly numbers."
        hint="What it is for and when to use it: this is what the agent goes by."
        value={draft.description}
        problem={problemWith('description')}
        onChange={(description) => {
          change({ description })
        }}
      />
      <TextareaField
        label="Instructions in Markdown"
        name="content"
        rows={8}
        maxLength={100_000}
        controlClass="min-h-48! font-mono text-sm! leading-5 sm:text-xs!"
        value={draft.content}
        problem={problemWith('content')}
        onChange={(content) => {
          change({ content })
        }}
      />
    </InlineEditor>
  )
}
