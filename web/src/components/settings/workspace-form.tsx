import type { WorkspaceSettings } from '@/api/workspaces'
import { changes } from '@/components/forms/changes'
import { NAME_MISSING, problemsOf } from '@/components/forms/checks'
import { SaveButton } from '@/components/forms/save-button'
import { SettingsSection } from '@/components/forms/settings-section'
import { useDraft } from '@/components/forms/use-draft'
import { Alert } from '@/components/ui/alert'
import { TextField } from '@/components/ui/text-field'
import { useChangeWorkspace } from '@/hooks/use-workspace-settings'
import { notify } from '@/lib/toasts'
import { DefaultAgentField } from './default-agent-field'
import { dollars, NOT_A_SUM } from './money'
import { SpendWarnings } from './spend-warnings'
import { TimeZoneField } from './time-zone-field'

interface WorkspaceDraft {
  name: string
  time_zone: string
  default_agent_id: string
  spend_cap_usd: string
}

function sent({ default_agent_id, spend_cap_usd, ...asTyped }: WorkspaceDraft) {
  return {
    ...asTyped,
    default_agent_id: default_agent_id === '' ? null : default_agent_id,
    spend_cap_usd: dollars(spend_cap_usd) ?? null,
  }
}

interface WorkspaceFormProps {
  settings: WorkspaceSettings
  readOnly: boolean
}

export function WorkspaceForm({ settings, readOnly }: WorkspaceFormProps) {
  const changeWorkspace = useChangeWorkspace()
  const form = useDraft({
    saved: {
      name: settings.name,
      time_zone: settings.time_zone,
      default_agent_id: settings.default_agent_id ?? '',
      spend_cap_usd: settings.spend_cap_usd?.toString() ?? '',
    },
    check: ({ name, spend_cap_usd }) =>
      problemsOf({
        name: name.trim() === '' && NAME_MISSING,
        spend_cap_usd: dollars(spend_cap_usd) === undefined && NOT_A_SUM,
      }),
    save: async (draft, base) => {
      await changeWorkspace(changes(sent(base), sent(draft)))
      notify('The workspace is saved.')
    },
  })
  const { draft, change, problemWith } = form
  return (
    <SettingsSection
      title="Workspace"
      description={readOnly ? 'Only admins and owners can change this.' : 'Everyone in the workspace sees these.'}
    >
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Name"
            name="name"
            maxLength={100}
            readOnly={readOnly}
            value={draft.name}
            problem={problemWith('name')}
            onChange={(name) => {
              change({ name })
            }}
          />
          <TimeZoneField
            value={draft.time_zone}
            disabled={readOnly}
            hint="A day of the spend cap begins at midnight there."
            problem={problemWith('time_zone')}
            onChange={(time_zone) => {
              change({ time_zone })
            }}
          />
          <DefaultAgentField
            value={draft.default_agent_id}
            disabled={readOnly}
            problem={problemWith('default_agent_id')}
            onChange={(default_agent_id) => {
              change({ default_agent_id })
            }}
          />
          <TextField
            label="Spend cap per day, in dollars"
            name="spend_cap_usd"
            inputMode="decimal"
            placeholder="No cap"
            readOnly={readOnly}
            value={draft.spend_cap_usd}
            hint="Looked at before each model call; calls under way may pass it. Empty: no cap."
            problem={problemWith('spend_cap_usd')}
            onChange={(spend_cap_usd) => {
              change({ spend_cap_usd })
            }}
          />
        </div>
        <SpendWarnings warnings={settings.warnings} />
        {!readOnly && <SaveButton isDirty={form.isDirty} pending={form.pending} />}
      </form>
    </SettingsSection>
  )
}
