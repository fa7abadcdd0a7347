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
import { words } from '@/words/en/administration'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
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
      notify(say(words.savedAsVersionCurrentVersionPublish, { currentVersion: current_version }))
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

function EntryAccess({ form }: AgentFormProps) {
  const flags = [
    { field: 'is_restricted', label: common.premiumOnly, hint: words.premiumOnlyHint },
    { field: 'is_default', label: common.defaultAgent, hint: words.defaultAgentHint },
    { field: 'is_free', label: words.shownAsFree, hint: words.shownAsFreeHint },
  ] as const
  return (
    <SettingsSection title={common.access} description={words.accessDescription}>
      <div className="grid gap-4">
        {flags.map(({ field, label, hint }) => (
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
    <SettingsSection title={common.instructions} description={words.instructionsDescription}>
      <div className="grid gap-5">
        <TextareaField
          label={words.systemPrompt}
          {...form.field('system_prompt')}
          rows={8}
          controlClass="min-h-48!"
          maxLength={100_000}
        />
        <TextareaField
          label={words.initialPrompt}
          {...form.field('initial_prompt')}
          rows={2}
          maxLength={4_000}
          hint={words.initialPromptHint}
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
    <SettingsSection title={common.tools} description={words.toolsDescription}>
      <ToolPicker
        {...form.field('tools')}
        label={common.tools}
        options={[...tools.filter(({ kind }) => kind === 'built-in'), ...broughtTools(listed, tools)]}
        readOnly={false}
      />
    </SettingsSection>
  )
}
