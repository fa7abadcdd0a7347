import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { addressProblem, problemsOf } from '@/components/forms/checks'
import { Secret } from '@/components/forms/secret'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { SelectField, TextField } from '@/components/ui/fields'
import {
  type CreatedInvitation,
  createInvitation,
  type PendingInvitation,
  revokeInvitation,
  type Role,
  useInvitations,
  useRefreshPeople,
} from '@/hooks/use-members'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { ago } from '@/lib/when'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'
import { ROLES, rolesToGive } from './roles'

/** For admins: who is asked to join. */
export function InvitationsSection() {
  const invitations = useInvitations()
  const [created, setCreated] = useState<CreatedInvitation | null>(null)
  return (
    <SettingsSection
      title={words.invitations}
      description={words.invitationsDescription}
    >
      <div className="grid grid-cols-1 gap-5">
        <InviteForm onCreated={setCreated} />
        {created !== null && (
          <div className="rounded-lg border border-border bg-background p-4">
            <Secret
              key={created.id}
              label={created.email ? say(words.invitationForEmail, { email: created.email }) : words.invitationLink}
              value={new URL(created.path, window.location.origin).href}
              note={
                created.email
                  ? words.copyItNowItIs
                  : words.copyItNowItIsNot
              }
              autoFocus
            />
          </div>
        )}
        <div className="border-t border-border pt-4">
          <h3 className="mb-3 text-sm font-medium">{words.openInvitations}</h3>
          <SectionList
            query={invitations}
            what="invitations"
            isEmpty={invitations.data?.length === 0}
            empty={words.noInvitationIsOpen}
          >
            {invitations.data?.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                onRevoked={() => {
                  if (created?.id === invitation.id) setCreated(null)
                }}
              />
            ))}
          </SectionList>
        </div>
      </div>
    </SettingsSection>
  )
}

interface InvitationRowProps {
  invitation: PendingInvitation
  onRevoked: () => void
}

function InvitationRow({ invitation, onRevoked }: InvitationRowProps) {
  const workspace = useWorkspace()
  const refresh = useRefreshPeople()
  const revoke = useMutation({
    mutationFn: () => revokeInvitation(workspace.id, invitation.id),
    onSuccess: async () => {
      onRevoked()
      notify(words.theInvitationNoLongerWorks)
      document.getElementById('main')?.focus({ preventScroll: true })
      await refresh()
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const whom = invitation.email ?? words.anyoneWithTheLink
  return (
    <li className="flex items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{whom}</span>
          <Badge>{ROLES[invitation.role]}</Badge>
        </p>
        <p className="text-muted wrap-anywhere">
          {invitation.invited_by === null
            ? say(words.endsAt, { end: ago(invitation.expires_at) })
            : say(words.fromNameEndsAt, { name: invitation.invited_by, end: ago(invitation.expires_at) })}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={say(words.revokeTheInvitationForWhom, { whom })}
        pending={revoke.isPending}
        onClick={() => {
          revoke.mutate()
        }}
      >
        {words.revoke}
      </Button>
    </li>
  )
}

function InviteForm({ onCreated }: { onCreated: (invitation: CreatedInvitation) => void }) {
  const workspace = useWorkspace()
  const refresh = useRefreshPeople()
  const form = useDraft<{ email: string; role: Role }>({
    saved: { email: '', role: 'member' },
    check: ({ email }) => problemsOf({ email: email !== '' && addressProblem(email) }),
    save: async ({ email, role }) => {
      onCreated(await createInvitation(workspace.id, { email: email.trim(), role }))
      form.reset({ email: '', role })
      await refresh()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <TextField
          label={words.email}
          {...form.field('email')}
          type="email"
          autoComplete="off"
          maxLength={254}
          placeholder={words.anyoneWithTheLink}
          hint={words.emailHint}
        />
        <SelectField
          label={words.role}
          {...form.field('role')}
        >
          {rolesToGive(workspace.role).map((role) => (
            <option key={role} value={role}>
              {ROLES[role]}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex">
        <Button type="submit" pending={form.pending}>
          {words.createInvitation}
        </Button>
      </div>
    </form>
  )
}
