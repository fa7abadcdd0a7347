import type { Agent } from '@/api/types'
import { SettingsSection } from '@/components/forms/section'
import type { DraftForm } from '@/components/forms/use-form'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { nameProblem, type ToolDraft } from './handoff-draft'

interface HandoffFieldsProps {
  form: DraftForm<ToolDraft>
  readOnly: boolean
  /** What other tools here are called. */
  taken: readonly string[]
  agents: readonly Agent[]
}

/** Type, target, name and description. */
export function HandoffFields({ form, readOnly, taken, agents }: HandoffFieldsProps) {
  const { draft, change, problemWith } = form
  const isKnown = agents.some(({ localAgentId }) => localAgentId === draft.target)
  // A name that nobody has begun isn't wrong yet.
  const live = draft.name === '' ? undefined : nameProblem(draft.name, taken)
  return (
    <SettingsSection title="Handoff" description="A tool by which one agent passes the conversation on to another.">
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField label="Tool type" name="type" value="handoff" disabled={readOnly} onChange={() => undefined}>
            <option value="handoff">Handoff</option>
          </SelectField>
          <SelectField
            label="Target agent"
            name="config.target_agent_id"
            value={draft.target}
            disabled={readOnly}
            hint={draft.target !== '' && !isKnown ? 'The agent it leads to was let go. Choose another.' : undefined}
            problem={problemWith('config.target_agent_id') ?? problemWith('config.target_agent_slug')}
            onChange={(target) => {
              const slug = agents.find(({ localAgentId }) => localAgentId === target)?.slug
              const suggestion = `handoff_to_${slug?.replaceAll('-', '_') ?? ''}`
              const isOwn = draft.name !== '' && !draft.name.startsWith('handoff_to_')
              change({ target, ...(!isOwn && slug !== undefined && { name: suggestion.slice(0, 64) }) })
            }}
          >
            {!isKnown && <option value={draft.target}>Choose an agent</option>}
            {agents.map((agent) => (
              <option key={agent.id} value={agent.localAgentId ?? ''}>
                {agent.name}
              </option>
            ))}
          </SelectField>
        </div>
        <TextField
          label="Name"
          {...form.field('name')}
          placeholder="handoff_to_sdr"
          readOnly={readOnly}
          autoComplete="off"
          spellCheck={false}
          controlClass="font-mono"
          hint="What models call it by: letters, digits, _ and -."
          problem={live ?? form.problemWith('name')}
        />
        <TextareaField
          label="Description"
          {...form.field('description')}
          rows={3}
          maxLength={2_000}
          readOnly={readOnly}
          placeholder="Hand off to the SDR for sales outreach. Use when a qualified lead needs follow-up."
          hint="When to use it: this is what the calling agent goes by."
        />
      </div>
    </SettingsSection>
  )
}
