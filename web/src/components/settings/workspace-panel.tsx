import { changes, nameProblem, problemsOf } from '@/components/forms/checks'
import { SaveButton } from '@/components/forms/save-bar'
import { SectionQuery, SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { TextField } from '@/components/ui/fields'
import { Notice } from '@/components/ui/notice'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { useChangeWorkspace, useWorkspaceSettings, type WorkspaceSettings } from '@/hooks/use-workspace-settings'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'
import { WorkspaceData } from './data-sections'
import { DefaultAgentField, dollars, sumProblem, TimeZoneField } from './workspace-fields'

export function WorkspacePanel() {
  const query = useWorkspaceSettings()
  const { id, role } = useWorkspace()
  const { isAdmin } = usePermissions()
  return (
    <SectionQuery query={query} what="workspace">
      {(settings) => (
        <>
          <WorkspaceForm key={id} settings={settings} readOnly={!isAdmin} />
          {role === 'owner' && <WorkspaceData />}
        </>
      )}
    </SectionQuery>
  )
}

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

function WorkspaceForm({ settings, readOnly }: WorkspaceFormProps) {
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
        name: nameProblem(name),
        spend_cap_usd: sumProblem(spend_cap_usd),
      }),
    save: async (draft, base) => {
      await changeWorkspace(changes(sent(base), sent(draft)))
      notify(words.theWorkspaceIsSaved)
    },
  })
  return (
    <SettingsSection
      title={words.workspace}
      description={readOnly ? words.onlyAdminsAndOwnersCan : words.everyoneInTheWorkspaceSees}
    >
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={common.name}
            {...form.field('name')}
            maxLength={100}
            readOnly={readOnly}
          />
          <TimeZoneField
            {...form.field('time_zone')}
            disabled={readOnly}
            hint={words.aDayOfTheSpend}
          />
          <DefaultAgentField
            {...form.field('default_agent_id')}
            disabled={readOnly}
          />
          <TextField
            label={words.spendCapPerDayIn}
            {...form.field('spend_cap_usd')}
            inputMode="decimal"
            placeholder={words.spendCapPerDayPlaceholder}
            readOnly={readOnly}
            hint={words.lookedAtBeforeEachModel}
          />
        </div>
        <SpendWarnings warnings={settings.warnings} />
        {!readOnly && <SaveButton isDirty={form.isDirty} pending={form.pending} />}
      </form>
    </SettingsSection>
  )
}

/** What a cap doesn't count, in the server's words. */
function SpendWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="warning">
      <ul className="grid gap-1">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  )
}
