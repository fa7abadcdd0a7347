import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { $api, client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { nameProblem, problemsOf } from '@/components/forms/checks'
import { Secret } from '@/components/forms/secret'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { SelectField, TextField } from '@/components/ui/fields'
import { TextLink } from '@/components/ui/text-link'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { ago } from '@/lib/when'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { ConnectPrograms } from './connect-programs'

/** What programs sign in with. */
export function TokensPanel() {
  const tokens = $api.useQuery('get', '/api/auth/tokens', {}, { select: (list) => list.tokens })
  const [created, setCreated] = useState<CreatedToken | null>(null)
  const { workspaces } = useSession()
  const nameOf = (id: string) => workspaces.find((workspace) => workspace.id === id)?.name ?? ''
  return (
    <>
      <SettingsSection
        title={words.newToken}
        description={words.newTokenDescription}
      >
        <div className="grid grid-cols-1 gap-5">
          <NewTokenForm onCreated={setCreated} />
          {created !== null && (
            <div className="grid grid-cols-1 gap-5 rounded-lg border border-border bg-background p-4">
              <Secret
                key={created.id}
                label={say(words.tokenName, { name: created.name })}
                value={created.token}
                note={words.copyItNowItIsNotShown}
                autoFocus
              />
              <ConnectPrograms workspace={nameOf(created.workspace_id)} token={created.token} />
            </div>
          )}
        </div>
      </SettingsSection>
      <SettingsSection title={words.yourTokens}>
        <SectionList query={tokens} what="tokens" isEmpty={tokens.data?.length === 0} empty={words.youHaveNoTokens}>
          {tokens.data?.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onDeleted={() => {
                if (created?.id === token.id) setCreated(null)
              }}
            />
          ))}
        </SectionList>
      </SettingsSection>
    </>
  )
}

interface TokenRowProps {
  token: Token
  onDeleted: () => void
}

function TokenRow({ token, onDeleted }: TokenRowProps) {
  const { workspaces } = useSession()
  const queryClient = useQueryClient()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const workspace = workspaces.find(({ id }) => id === token.workspace_id)
  return (
    <li className="flex items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0 grow">
        <p dir="auto" className="truncate font-medium">{token.name}</p>
        <p className="text-muted wrap-anywhere">
          <span className="font-mono">…{token.hint}</span> · {workspace?.name ?? words.aWorkspaceYouLeft} ·{' '}
          {token.last_used_at === null
            ? say(words.madeNeverUsed, { made: ago(token.created_at) })
            : say(words.madeAndUsed, { made: ago(token.created_at), used: ago(token.last_used_at) })}
        </p>
      </div>
      {workspace !== undefined && (
        <TextLink to={`/settings/tokens/${token.id}`}>
          {rich(words.connectProgramsWith, { name: token.name, hidden: (more) => <span className="sr-only">{more}</span> })}
        </TextLink>
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label={say(words.deleteNameLabel, { name: token.name })}
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
      {opener !== null && (
        <ConfirmDialog
          title={say(words.deleteNameQuestion, { name: token.name })}
          description={words.programsThatUseItAre}
          opener={opener}
          onConfirm={async () => {
            await deleteToken(token.id)
            onDeleted()
            notify(say(words.theTokenNameIsDeleted, { name: token.name }))
            await queryClient.invalidateQueries({ queryKey: keys.tokens })
          }}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </li>
  )
}

function NewTokenForm({ onCreated }: { onCreated: (token: CreatedToken) => void }) {
  const { workspaces } = useSession()
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const form = useDraft({
    saved: { name: '', workspaceId: workspace.id },
    check: ({ name }) => problemsOf({ name: nameProblem(name) }),
    save: async (draft) => {
      onCreated(await createToken(draft))
      form.reset({ ...draft, name: '' })
      await queryClient.invalidateQueries({ queryKey: keys.tokens })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={common.name}
          {...form.field('name')}
          maxLength={100}
          placeholder={words.namePlaceholder}
        />
        <SelectField
          label={words.workspace}
          {...form.field('workspaceId')}
        >
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex">
        <Button type="submit" pending={form.pending}>
          {words.createToken}
        </Button>
      </div>
    </form>
  )
}

type Token = components['schemas']['TokenView']
type CreatedToken = components['schemas']['CreatedToken']

/** The answer holds the secret, for the only time. */
function createToken(body: { name: string; workspaceId: string }): Promise<CreatedToken> {
  return unwrap(client.POST('/api/auth/tokens', { body }))
}

async function deleteToken(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } }))
}
