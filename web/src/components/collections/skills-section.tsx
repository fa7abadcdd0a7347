import { Eye, EyeOff } from 'lucide-react'
import type { Skill } from '@/api/types'
import { changes } from '@/components/forms/checks'
import { InlineEditor } from '@/components/forms/inline-editor'
import { useDraft } from '@/components/forms/use-form'
import { Badge } from '@/components/ui/badge'
import { TextareaField, TextField } from '@/components/ui/fields'
import { changeSkill, createSkill, deleteSkill, useChangeSkill, useRefreshSkills, useSkills } from '@/hooks/use-skills'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/collections'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { CollectionRow, CollectionSection, sharedWith } from './collection-section'
import { ImportSkills } from './import-skills'

interface SkillsSectionProps {
  agentId: string
  isAdmin: boolean
}

/** The skills of the workspace, and which of them the agent has. */
export function SkillsSection({ agentId, isAdmin }: SkillsSectionProps) {
  const skills = useSkills()
  const refresh = useRefreshSkills()
  const change = useChangeSkill()
  const all = skills.data ?? []
  return (
    <CollectionSection
      id="skills"
      title={words.skills}
      description={words.skillsDescription}
      what="skills"
      query={skills}
      items={isAdmin ? all : all.filter(({ agent_ids }) => agent_ids.includes(agentId))}
      empty={words.skillsEmpty}
      add={isAdmin ? words.newSkill : undefined}
      actions={<ImportSkills agentId={agentId} />}
      editor={(skill, onClose) => <SkillEditor {...{ agentId, skill, onClose }} />}
      row={(skill, actions) => (
        <CollectionRow
          {...actions}
          name={skill.display_name}
          title={
            <>
              <span dir="auto" className="wrap-anywhere">{skill.display_name}</span>
              <span className="font-mono text-xs font-normal text-muted wrap-anywhere">{skill.name}</span>
              {skill.is_system && <Badge>{words.fromAPack}</Badge>}
              {!skill.is_active && <Badge tone="dashed">{words.inactive}</Badge>}
            </>
          }
          mayChange={isAdmin}
          toggle={{
            label: say(words.hasDisplayName, { displayName: skill.display_name }),
            checked: skill.agent_ids.includes(agentId),
            disabled: change.isPending,
            onChange: (has) => {
              change.mutate({ id: skill.id, changes: { agent_ids: sharedWith(skill.agent_ids, agentId, has) } })
            },
          }}
          action={{
            label: skill.is_active ? words.deactivate : words.activate,
            icon: skill.is_active ? EyeOff : Eye,
            onSelect: () => {
              change.mutate({ id: skill.id, changes: { is_active: !skill.is_active } })
            },
          }}
        >
          <p dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted wrap-anywhere">{skill.description}</p>
          <details className="mt-1 text-sm">
            <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">{words.readIt}</summary>
            <pre
              dir="auto"
              tabIndex={0}
              aria-label={say(words.theTextOfDisplayName, { displayName: skill.display_name })}
              className="mt-1 max-h-72 overflow-auto rounded-lg bg-subtle p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
            >
              {skill.content}
            </pre>
          </details>
        </CollectionRow>
      )}
      deletion={{
        title: ({ display_name }) => say(words.deleteDisplayName, { displayName: display_name }),
        description: words.noAgentHasItAny,
        run: ({ id }) => deleteSkill(id).then(refresh),
        done: words.theSkillIsDeleted,
      }}
    />
  )
}

interface SkillEditorProps {
  agentId: string
  /** Nothing for a new one, which this agent then has. */
  skill: Skill | undefined
  onClose: () => void
}

function SkillEditor({ agentId, skill, onClose }: SkillEditorProps) {
  const workspace = useWorkspace()
  const refresh = useRefreshSkills()
  const form = useDraft({
    saved: { name: skill?.name ?? '', description: skill?.description ?? '', content: skill?.content ?? '' },
    check: ({ name, description, content }) => ({
      ...(skillNameProblem(name) !== undefined && { name: skillNameProblem(name) ?? '' }),
      ...(description.trim() === '' && { description: words.descriptionIsMissing }),
      ...(content.trim() === '' && { content: words.theInstructionsAreMissing }),
    }),
    save: async (draft, base) => {
      await (skill ? changeSkill(skill.id, changes(base, draft)) : createSkill(workspace.id, { ...draft, agent_ids: [agentId] }))
      await refresh()
      notify(words.theSkillIsSaved)
      onClose()
    },
  })
  const { draft } = form
  const live = draft.name === '' ? undefined : skillNameProblem(draft.name)
  return (
    <InlineEditor
      label={skill ? say(words.editDisplayName, { displayName: skill.display_name }) : words.newSkill}
      problem={form.problem}
      pending={form.pending}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <TextField
        label={common.name}
        {...form.field('name')}
        autoFocus
        spellCheck={false}
        maxLength={64}
        placeholder={words.weeklyReport}
        hint={words.smallLettersDigitsAndSingle}
        controlClass="font-mono"
        problem={live ?? form.problemWith('name')}
      />
      <TextareaField
        label={common.description}
        {...form.field('description')}
        rows={2}
        maxLength={1_024}
        placeholder={words.descriptionPlaceholder}
        hint={words.descriptionHint}
      />
      <TextareaField
        label={words.instructionsInMarkdown}
        {...form.field('content')}
        rows={8}
        maxLength={100_000}
        controlClass="min-h-48! font-mono text-sm! leading-5 sm:text-xs!"
      />
    </InlineEditor>
  )
}

/** The open format's rule for names of skills. */
function skillNameProblem(name: string): string | undefined {
  if (name.trim() === '') return common.nameIsMissing
  return name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
    ? undefined
    : words.useSmallLettersDigitsAnd
}
