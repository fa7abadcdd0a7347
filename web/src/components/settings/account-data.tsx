import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ACCOUNT_EXPORT_URL, deleteAccount } from '@/api/account'
import { leaveSession } from '@/hooks/use-session'
import { SettingsSection } from '@/components/forms/settings-section'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { TextField } from '@/components/ui/text-field'
import { useSession } from '@/hooks/use-session'
import { notify } from '@/lib/toasts'
import { DataActions } from './data-actions'

/** Taking one's data along, and going. */
export function AccountData() {
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [password, setPassword] = useState('')
  return (
    <SettingsSection
      title="Your data"
      description="The export is a file with your profile, conversations, memories and files. Deleting your account also deletes your conversations, and the workspaces nobody else is in."
    >
      <DataActions
        exportUrl={ACCOUNT_EXPORT_URL}
        exportLabel="Export my data"
        deleteLabel="Delete account…"
        onDelete={setOpener}
      />
      {opener !== null && (
        <ConfirmDialog
          title="Delete your account?"
          description="Your conversations and the workspaces nobody else is in go with it. This can’t be undone."
          phrase={profile.email}
          action="Delete account"
          opener={opener}
          onConfirm={async () => {
            await deleteAccount(password)
            navigate('/sign-in', { replace: true })
            leaveSession(queryClient)
            notify('Your account is deleted.')
          }}
          onClose={() => {
            setOpener(null)
            setPassword('')
          }}
        >
          <TextField
            label="Password"
            type="password"
            name="current_password"
            hint="If your account has one."
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}
