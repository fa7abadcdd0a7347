import { useQueryClient } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import { SettingsSection } from '@/components/forms/section'
import { Button, buttonClass } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { TextField } from '@/components/ui/fields'
import { leaveSession, useSession } from '@/hooks/use-session'
import { ACCOUNT_EXPORT_URL, deleteAccount } from '@/hooks/use-sign-in'
import { useWorkspace } from '@/hooks/use-workspace'
import { deleteWorkspace, workspaceExportUrl } from '@/hooks/use-workspace-settings'
import { HOME_PATH } from '@/lib/paths'
import { notify } from '@/lib/toasts'

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

/** For owners: everything in the workspace, as a file or gone. */
export function WorkspaceData() {
  const { id, name } = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  return (
    <SettingsSection
      title="Data"
      description="The export holds everything but other people’s conversations. Deleting the workspace deletes everything in it, for everyone."
    >
      <DataActions
        exportUrl={workspaceExportUrl(id)}
        exportLabel="Export workspace"
        deleteLabel="Delete workspace…"
        onDelete={setOpener}
      />
      {opener !== null && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          description="Its agents, teams, tools and all conversations go with it, for everyone. This can’t be undone."
          phrase={name}
          action="Delete workspace"
          opener={opener}
          onConfirm={async () => {
            await deleteWorkspace(id)
            notify(`${name} is deleted.`)
            navigate(HOME_PATH, { replace: true })
            await queryClient.invalidateQueries({ queryKey: keys.session })
          }}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </SettingsSection>
  )
}

interface DataActionsProps {
  exportUrl: string
  exportLabel: string
  deleteLabel: string
  onDelete: (opener: HTMLElement) => void
}

/** Taking one's data along, and taking it away. */
function DataActions({ exportUrl, exportLabel, deleteLabel, onDelete }: DataActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <a href={exportUrl} download className={buttonClass('secondary')}>
        <Download aria-hidden className="size-4" />
        {exportLabel}
      </a>
      <Button
        variant="secondary"
        className="text-danger!"
        onClick={(event) => {
          onDelete(event.currentTarget)
        }}
      >
        <Trash2 aria-hidden className="size-4" />
        {deleteLabel}
      </Button>
    </div>
  )
}
