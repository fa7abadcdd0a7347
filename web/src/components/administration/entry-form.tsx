import { useState } from 'react'
import type { AIAgent } from '@/api/types'
import { type AgentFormProps, changesOf, checkAgent, draftOf } from '@/components/agent-editor/agent-draft'
import { AdvancedSection, ModelSection } from '@/components/agent-editor/model-section'
import { ProfileSection } from '@/components/agent-editor/profile-section'
import { ToolPicker } from '@/components/agent-editor/tool-picker'
import { LeaveDialog, SaveBar } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { broughtTools, useKnownTools } from '@/components/tools/known-tools'
import { Alert } from '@/components/ui/alert'
import { SwitchField, TextareaField } from '@/components/ui/fields'
import { changeEntry } from '@/hooks/use-administration'
import { notify } from '@/lib/toasts'
import { useEntryActions } from './entry-actions'

/** The current version. Saving makes a new one, which nobody sees until it is published. */
export function EntryForm({ entry }: { entry: AIAgent }) {
  const { refresh } = useEntryActions(entry.id)
  const form = useDraft({
    saved: draftOf({ ...entry, public_tools: [] }),
    check: checkAgent,
    save: async (draft, base) => {
      const { current_version } = await changeEntry(entry.id, changesOf(base, draft))
      await refresh()
      notify(`Saved as version ${current_version}. Publish it when it is ready.`)
    },
  })
  const guard = useUnsavedGuard(form.isDirty && !form.pending)
  const shared = { form, readOnly: false }
  return (
    <div className="min-w-0">
      <form id="entry-form" noValidate onSubmit={form.onSubmit} className="grid grid-cols-1 gap-6">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <ProfileSection {...shared} slug={entry.slug} />
        <EntryInstructions {...shared} />
        <ModelSection {...shared} isAdmin />
        <EntryTools {...shared} />
        <EntryAccess {...shared} />
        <AdvancedSection {...shared} />
      </form>
      {form.isDirty && (
        <SaveBar
          form="entry-form"
          pending={form.pending}
          onDiscard={() => {
            form.reset()
          }}
        />
      )}
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </div>
  )
}

const FLAGS: { field: 'is_restricted' | 'is_default' | 'is_free'; label: string; hint: string }[] = [
  { field: 'is_restricted', label: 'Premium only', hint: 'People with a free profile, guests and visitors can’t use it.' },
  { field: 'is_default', label: 'Default agent', hint: 'Of a workspace whose admins hire it and that has none yet: it answers unless another is chosen, and visitors reach it.' },
  { field: 'is_free', label: 'Shown as free', hint: 'A label in the catalog; it opens and closes nothing.' },
]

function EntryAccess({ form }: AgentFormProps) {
  return (
    <SettingsSection title="Access" description="Who can use it where it is hired.">
      <div className="grid gap-4">
        {FLAGS.map(({ field, label, hint }) => (
          <SwitchField
            key={field}
            {...form.toggle(field)}
            label={label}
            hint={hint}
          />
        ))}
      </div>
    </SettingsSection>
  )
}

function EntryInstructions({ form }: AgentFormProps) {
  return (
    <SettingsSection title="Instructions" description="What it does, and how it begins.">
      <div className="grid gap-5">
        <TextareaField
          label="System prompt"
          {...form.field('system_prompt')}
          rows={8}
          controlClass="min-h-48!"
          maxLength={100_000}
        />
        <TextareaField
          label="Initial prompt"
          {...form.field('initial_prompt')}
          rows={2}
          maxLength={4_000}
          hint="Optional. The first words it says in a new conversation."
        />
      </div>
    </SettingsSection>
  )
}

/** What Baton brings along, and the handoffs that a pack named: others that people define belong to one workspace. */
function EntryTools({ form }: AgentFormProps) {
  const { tools } = useKnownTools()
  // Also after they are unticked, so that they can be ticked again.
  const [listed] = useState(form.draft.tools)
  return (
    <SettingsSection title="Tools" description="What it can do besides talking, wherever it is hired.">
      <ToolPicker
        {...form.field('tools')}
        label="Tools"
        options={[...tools.filter(({ kind }) => kind === 'built-in'), ...broughtTools(listed, tools)]}
        readOnly={false}
      />
    </SettingsSection>
  )
}
