import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { messageOf } from '@/api/errors'
import { changes, problemsOf } from '@/components/forms/checks'
import { SaveButton } from '@/components/forms/save-bar'
import { Secret } from '@/components/forms/secret'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { SwitchField, TextField } from '@/components/ui/fields'
import { useChangeWorkspace, type WorkspaceSettings } from '@/hooks/use-workspace-settings'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/settings'
import { DefaultAgentField, dollars, sumProblem } from './workspace-fields'

interface PublicChatDraft {
  default_agent_id: string
  public_spend_cap_usd: string
}

function sent({ default_agent_id, public_spend_cap_usd }: PublicChatDraft) {
  return {
    default_agent_id: default_agent_id === '' ? null : default_agent_id,
    public_spend_cap_usd: dollars(public_spend_cap_usd) ?? null,
  }
}

interface PublicChatFormProps {
  settings: WorkspaceSettings
  readOnly: boolean
}

export function PublicChatForm({ settings, readOnly }: PublicChatFormProps) {
  const changeWorkspace = useChangeWorkspace()
  const toggle = useMutation({
    mutationFn: (public_chat: boolean) => changeWorkspace({ public_chat }),
    onSuccess: ({ public_chat }) => {
      notify(public_chat ? words.thePublicChatIsOpen : words.thePublicChatIsClosed)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const unpriced = useMutation({
    mutationFn: (public_unpriced: boolean) => changeWorkspace({ public_unpriced }),
    onSuccess: () => {
      notify(words.thePublicChatIsSaved)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const form = useDraft({
    saved: {
      default_agent_id: settings.default_agent_id ?? '',
      public_spend_cap_usd: settings.public_spend_cap_usd.toString(),
    },
    check: ({ public_spend_cap_usd }) =>
      problemsOf({ public_spend_cap_usd: sumProblem(public_spend_cap_usd) }),
    save: async (draft, base) => {
      await changeWorkspace(changes(sent(base), sent(draft)))
      notify(words.thePublicChatIsSaved)
    },
  })
  const path = `/w/${settings.slug}`
  return (
    <SettingsSection
      title={words.publicChat}
      description={
        readOnly
          ? words.onlyAdminsAndOwnersCan
          : words.anyoneWithTheAddressCan
      }
    >
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <SwitchField
          label={words.openToVisitors}
          hint={settings.public_chat ? words.theAddressBelowWorks : words.theAddressBelowShowsThat}
          checked={toggle.isPending ? toggle.variables : settings.public_chat}
          disabled={readOnly || toggle.isPending}
          onChange={(isOpen) => {
            toggle.mutate(isOpen)
          }}
        />
        <div className="grid gap-2">
          <Secret label={words.address} value={new URL(path, window.location.origin).href} />
          {settings.public_chat && (
            <p className="text-sm">
              <a
                href={path}
                target="_blank"
                rel="noopener"
                className="inline-flex min-h-6 items-center gap-1.5 rounded-sm font-medium underline decoration-control underline-offset-4 hover:decoration-foreground"
              >
                {words.openThePublicChat}
                <ExternalLink aria-hidden className="size-3.5" />
                <span className="sr-only">{words.inANewTab}</span>
              </a>
            </p>
          )}
        </div>
        <div className="grid gap-5 border-t border-border pt-5 sm:grid-cols-2">
          <DefaultAgentField
            {...form.field('default_agent_id')}
            disabled={readOnly}
          />
          <TextField
            label={words.spendCapPerDayIn}
            {...form.field('public_spend_cap_usd')}
            inputMode="decimal"
            readOnly={readOnly}
            hint={words.spendCapPerDayHint}
          />
        </div>
        <SwitchField
          label={words.alsoModelsWithoutAKnown}
          hint={words.alsoModelsWithoutAHint}
          checked={unpriced.isPending ? unpriced.variables : settings.public_unpriced}
          disabled={readOnly || unpriced.isPending}
          onChange={(isAllowed) => {
            unpriced.mutate(isAllowed)
          }}
        />
        {!readOnly && <SaveButton isDirty={form.isDirty} pending={form.pending} />}
      </form>
    </SettingsSection>
  )
}
