import { useState } from 'react'
import type { CreatedInvitation } from '@/api/members'
import { Secret } from '@/components/forms/secret'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { useInvitations } from '@/hooks/use-members'
import { InvitationRow } from './invitation-row'
import { InviteForm } from './invite-form'

/** For admins: who is asked to join. */
export function InvitationsSection() {
  const invitations = useInvitations()
  const [created, setCreated] = useState<CreatedInvitation | null>(null)
  return (
    <SettingsSection
      title="Invitations"
      description="Baton sends no mail: pass the link on yourself. It works once, for a week."
    >
      <div className="grid grid-cols-1 gap-5">
        <InviteForm onCreated={setCreated} />
        {created !== null && (
          <div className="rounded-lg border border-border bg-background p-4">
            <Secret
              key={created.id}
              label={created.email ? `Invitation for ${created.email}` : 'Invitation link'}
              value={new URL(created.path, window.location.origin).href}
              note={
                created.email
                  ? 'Copy it now: it is not shown again. Only this address can accept it.'
                  : 'Copy it now: it is not shown again. Whoever opens it first can join.'
              }
              autoFocus
            />
          </div>
        )}
        <div className="border-t border-border pt-4">
          <h3 className="mb-3 text-sm font-medium">Open invitations</h3>
          <SectionList
            query={invitations}
            what="invitations"
            isEmpty={invitations.data?.length === 0}
            empty="No invitation is open."
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
