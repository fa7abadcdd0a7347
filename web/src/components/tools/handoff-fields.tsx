import type { Agent } from '@/api/types'
import { SettingsSection } from '@/components/forms/section'
import type { DraftForm } from '@/components/forms/use-form'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'
import { nameProblem, type ToolDraft } from './handoff-draft'

interface HandoffFieldsProps {
  form: DraftForm<ToolDraft>
  readOnly: boolean
  /** What other tools here are called. */
  taken: readonly string[]
  agents: readonly Agent[]
}

/** Target, name and description. */
export function HandoffFields({ form, readOnly, taken, agents }: HandoffFieldsProps) {
  const { draft, change, problemWith } = form
  const isKnown = agents.some(({ localAgentId }) => localAgentId === draft.target)
  // A name that nobody has begun isn't wrong yet.
  const live = draft.name === '' ? undefined : nameProblem(draft.name, taken)
  return (
    <SettingsSection title={words.handoffTool} description={words.handoffToolDescription}>
      <div className="grid gap-5">
        <SelectField
          label={words.targetAgent}
          name="config.target_agent_id"
          value={draft.target}
          disabled={readOnly}
          hint={draft.target !== '' && !isKnown ? words.theAgentItLeadsTo : undefined}
          problem={problemWith('config.target_agent_id') ?? problemWith('config.target_agent_slug')}
          onChange={(target) => {
            const slug = agents.find(({ localAgentId }) => localAgentId === target)?.slug
            const suggestion = `handoff_to_${slug?.replaceAll('-', '_') ?? ''}`
            const isOwn = draft.name !== '' && !draft.name.startsWith('handoff_to_')
            change({ target, ...(!isOwn && slug !== undefined && { name: suggestion.slice(0, 64) }) })
          }}
        >
          {!isKnown && <option value={draft.target}>{words.chooseAnAgent}</option>}
          {agents.map((agent) => (
            <option key={agent.id} dir="auto" value={agent.localAgentId ?? ''}>
              {agent.name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={common.name}
          {...form.field('name')}
          placeholder={words.namePlaceholder}
          readOnly={readOnly}
          autoComplete="off"
          spellCheck={false}
          controlClass="font-mono"
          hint={words.nameHint}
          problem={live ?? form.problemWith('name')}
        />
        <TextareaField
          label={common.description}
          {...form.field('description')}
          rows={3}
          maxLength={2_000}
          readOnly={readOnly}
          placeholder={words.descriptionPlaceholder}
          hint={words.descriptionHint}
        />
      </div>
    </SettingsSection>
  )
}
