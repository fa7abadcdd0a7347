import { changeEntry } from '@/api/admin'
import type { AIAgent } from '@/api/types'
import { AdvancedSection } from '@/components/agent-editor/advanced-section'
import { changesOf, checkAgent, draftOf } from '@/components/agent-editor/agent-draft'
import { ModelSection } from '@/components/agent-editor/model-section'
import { ProfileSection } from '@/components/agent-editor/profile-section'
import { LeaveDialog } from '@/components/forms/leave-dialog'
import { SaveBar } from '@/components/forms/save-bar'
import { useDraft } from '@/components/forms/use-draft'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { notify } from '@/lib/toasts'
import { EntryAccess } from './entry-access'
import { EntryInstructions } from './entry-instructions'
import { EntryTools } from './entry-tools'
import { useEntryActions } from './use-entry-actions'

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
  const shared = { draft: form.draft, change: form.change, problemWith: form.problemWith, readOnly: false }
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
