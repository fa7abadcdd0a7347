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
import { words } from '@/words/en/settings'
import { say } from '@/words/say'

/** Taking one's data along, and going. */
export function AccountData() {
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [password, setPassword] = useState('')
  return (
    <SettingsSection
      title={words.yourData}
      description={words.yourDataDescription}
    >
      <DataActions
        exportUrl={ACCOUNT_EXPORT_URL}
        exportLabel={words.exportMyData}
        deleteLabel={words.deleteAccount}
        onDelete={setOpener}
      />
      {opener !== null && (
        <ConfirmDialog
          title={words.deleteYourAccount}
          description={words.deleteYourAccountDescription}
          phrase={profile.email}
          action={words.deleteAccountButton}
          opener={opener}
          onConfirm={async () => {
            await deleteAccount(password)
            navigate('/sign-in', { replace: true })
            leaveSession(queryClient)
            notify(words.yourAccountIsDeleted)
          }}
          onClose={() => {
            setOpener(null)
            setPassword('')
          }}
        >
          <TextField
            label={words.password}
            type="password"
            name="current_password"
            hint={words.passwordHint}
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
      title={words.data}
      description={words.dataDescription}
    >
      <DataActions
        exportUrl={workspaceExportUrl(id)}
        exportLabel={words.exportWorkspace}
        deleteLabel={words.deleteWorkspace}
        onDelete={setOpener}
      />
      {opener !== null && (
        <ConfirmDialog
          title={say(words.deleteName, { name })}
          description={words.itsAgentsTeamsToolsAnd}
          phrase={name}
          action={words.deleteWorkspaceButton}
          opener={opener}
          onConfirm={async () => {
            await deleteWorkspace(id)
            notify(say(words.nameIsDeleted, { name }))
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
